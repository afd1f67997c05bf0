import type { DecimalMark } from "../../encoding/decimal.js";

/** The commands that a link to the bot may open: they show, and change nothing. */
const opened: readonly string[] = ["quote", "chart", "order", "alert"];

/** What Telegram lets a link carry. */
const MAX_LENGTH = 64;
const AMOUNT = /^([0-9]+)\.([0-9]+)$/;
const LINKED_AMOUNT = /^([0-9]+)p([0-9]+)$/;
/** An amount, a token's id, an order's id: whatever else a link says was not written by the bot, and could be repeated in an answer. */
const WORD =
  /^(?:[0-9]+(?:p[0-9]+)?|[A-Z0-9]{1,10}(?:-[A-Z0-9]{4})?|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;

/**
 * What stands behind `https://t.me/<bot>?start=` to open a command such as `quote 1.5 KLV KFI`; undefined where it has no room there.
 * Words are joined by `_`, and an amount's point is a `p`, which no token's id has.
 */
export function linkPayload(command: string): string | undefined {
  const payload = command
    .split(" ")
    .map((word) => word.replace(AMOUNT, "$1p$2"))
    .join("_");
  return commandBehind(payload, ".") && payload;
}

/**
 * The command behind a link, with what follows it as a person types it; undefined for a link that the bot never made. None sets an
 * alert at a price: that is asked for.
 */
export function commandBehind(payload: string, mark: DecimalMark): { command: string; rest: string } | undefined {
  const [command = "", ...words] = payload.split("_");
  if (!opened.includes(command) || words.length === 0 || payload.length > MAX_LENGTH) return undefined;
  if (!words.every((word) => WORD.test(word))) return undefined;
  if (command === "alert" && words.some((word) => /^[0-9]+p?[0-9]*$/.test(word))) return undefined;
  return { command, rest: words.map((word) => word.replace(LINKED_AMOUNT, `$1${mark}$2`)).join(" ") };
}
