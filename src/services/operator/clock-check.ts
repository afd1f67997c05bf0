import type { Clock } from "../../clock.js";

/** Whether the time of day differs from Telegram's, and the bot goes by it. */
export function clockCheck({ clock: { doubt } }: { readonly clock: Pick<Clock, "doubt"> }) {
  return { incident: "wrong-clock", isMismatch: doubt.isWrong } as const;
}
