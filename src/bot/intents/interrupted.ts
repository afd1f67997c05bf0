import type { Api } from "grammy";
import { isUnderWay, isUnshown, type Intent } from "../../services/intent/intent.js";
import type { Logger } from "pino";
import { ownerOf } from "../person.js";
import { presentIntent, sayUnderCard, type PresentParts } from "./present.js";
import { deliveryFailureOf } from "../../services/clients/telegram-errors.js";

/** Where Telegram could not be reached, it is tried again after this many milliseconds. */
const TRY_AGAIN_MILLISECONDS = 15_000;

/**
 * After a start: cards whose state nobody shows are brought up to date, and whoever had a call under way when the process
 * died is told in a message of its own, because an edited card notifies nobody. Ends when all are told.
 * @param found hears of each intent whose card has to be looked after, which may be a transaction that waits for its end.
 * @throws an AbortError when the signal is aborted.
 */
export async function tellInterrupted(
  parts: PresentParts & { readonly log: Logger },
  api: Api,
  signal: AbortSignal,
  found?: (intent: Intent) => void,
): Promise<void> {
  /** Who was told, though their card could not be shown yet: the message is not repeated. */
  const told = new Set<string>();
  /** Gives how many could not be told for a reason that may pass. */
  const round = async (): Promise<number> => {
    let failures = 0;
    for await (const { owner, intent } of parts.intents.recover()) {
      try {
        if (isInterrupted(intent) && !told.has(intent.id)) {
          await tell(parts, api, intent);
          told.add(intent.id);
        }
        if (isUnderWay(intent.state) || isUnshown(intent)) await presentIntent(parts, api, intent);
      } catch (error) {
        // One person who cannot be reached must not keep the others from being told.
        parts.log.warn({ userId: owner, reason: error }, "An interrupted call could not be shown");
        if (deliveryFailureOf(error) !== "gone") failures += 1;
      }
      found?.(intent);
    }
    return failures;
  };
  while ((await round()) > 0) await parts.clock.sleep(TRY_AGAIN_MILLISECONDS, signal);
}

function isInterrupted({ outcome }: Intent): boolean {
  return outcome?.kind === "unknown" && outcome.code === "interrupted";
}

async function tell(parts: PresentParts, api: Api, intent: Intent): Promise<void> {
  const words = (await ownerOf(parts, intent.owner)).words.intent;
  await sayUnderCard(api, intent, `${words.unknown}. ${words.unknownInterrupted} ${words.checkWallet}`);
}
