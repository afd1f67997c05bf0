import type { ChatMessage } from "../../sandbox/telegram/messages.js";
import type { WireEntry } from "../../sandbox/wire-log.js";
import type { Clock } from "../../src/clock.js";
import { sandboxDesk, type SandboxPerson } from "./sandbox-desk.js";
import { createSwiftClock } from "./swift-clock.js";

/** A sandbox desk for orders and alerts. */
export type OrdersDesk = Awaited<ReturnType<typeof ordersDesk>>;

/** What takes real time takes long by a fast clock. */
const patient = { HTTP_TIMEOUT_SECONDS: "100", QUOTE_TTL_SECONDS: "600", ORDER_POLL_RPS: "20" };

/** A desk that is closed when the test ends. Bot and sandbox share a clock. */
export async function ordersDesk(
  environment: Readonly<Record<string, string>> = {},
  clock: Clock = createSwiftClock(10),
) {
  const desk = await sandboxDesk({ clock }, { ...patient, ...environment });
  const { telegram, wireLog } = desk.sandbox;
  const asked: WireEntry[] = [];
  wireLog.subscribe((entry) => {
    if (entry.service === "exchange") asked.push(entry);
  });
  return {
    ...desk,
    /** Every request to the exchange that was answered or aborted, oldest first. */
    asked,
    /** Returns the matching texts among the bot's current messages to a user, oldest first. */
    texts: ({ id }: SandboxPerson, pattern: RegExp) =>
      telegram.chat(id).flatMap(({ from, text }) => (from === "bot" && pattern.test(text) ? [text] : [])),
    /** Whether a message was sent without a notification sound. */
    isSilent: ({ messageId }: ChatMessage) => {
      const sent = telegram.calls().find(({ answer }) => messageIdOf(answer) === messageId);
      return sent?.parameters["disable_notification"] === true;
    },
  };
}

/** Opens an order and taps Watch. */
export async function watch(person: SandboxPerson, orderId: string): Promise<void> {
  person.says(orderId);
  const card = await person.reads(new RegExp(`${orderId}[^]*UTC$`));
  await person.taps(card, "🔔");
  await person.sees(card, /You're watching this order|Você acompanha/);
}

function messageIdOf(answer: unknown): number | undefined {
  return (answer as { readonly result?: { readonly message_id?: number } } | undefined)?.result?.message_id;
}
