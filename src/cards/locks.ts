import { buttons } from "./buttons.js";
import { formatAssetId } from "../encoding/asset.js";
import type { Messages } from "../locales/messages.js";
import type { ChainStatus } from "../services/clients/gateway.js";
import { unlockTimeOf } from "../services/chain/epochs.js";
import type { Lock } from "../model/lock.js";
import type { HeldLocks } from "../services/locks/held.js";
import { withToken } from "./amount.js";
import { bold, button, card, line, type Card, type View } from "./card.js";
import { numbered, pageOf, turnRow } from "./page.js";
import { formatMoment } from "./time.js";

const PAGE_SIZE = 8;

/**
 * A person's locks, with the time left where it is known and a button for each that may be unlocked.
 * @param page counts from 0 and is brought into range.
 * @param status undefined when the node could not be asked: then of locks on record no time is claimed and no button offered.
 * @param now milliseconds since 1970.
 * @param held those in the person's account besides; undefined where that could not be read.
 */
export function locksCard(
  locks: readonly Lock[],
  page: number,
  status: ChainStatus | undefined,
  now: number,
  view: View,
  held?: HeldLocks,
): Card {
  const words = view.words.lock;
  const isReady = ({ unlockEpoch }: Lock) => status !== undefined && status.epoch >= unlockEpoch;
  const all = [
    ...locks.map((lock) => ({
      locked: formatAssetId(lock.locked),
      line: line(bold(withToken(lock.amount, view.words)), ` · ${formatAssetId(lock.locked)}`),
      state: isReady(lock) ? words.ready : waiting(lock, status, now, view),
      mayUnlock: isReady(lock),
    })),
    ...(held?.amounts ?? []).map((amount) => ({
      locked: amount.token.id,
      line: bold(withToken(amount, view.words)),
      state: words.notFromHere,
      mayUnlock: true,
    })),
  ];
  const { items, page: shown, pages } = pageOf(all, page, PAGE_SIZE);
  return card(
    [
      bold(words.listTitle),
      all.length === 0
        ? words.listEmpty
        : locks.length > 0 && (status === undefined ? words.epochUnknown : words.listNow(status.epoch)),
      "",
      items.map((each) => [each.line, `     ${each.state}`]),
      pages > 1 && view.words.common.page(shown + 1, pages),
      all.length > 0 && "",
      held === undefined ? words.onlyOnRecord : words.lookedUpTo(held.upTo, held.lockedToken),
    ],
    [
      ...items
        .filter(({ mayUnlock }) => mayUnlock)
        .map(({ locked }) => [button(words.unlockButton(locked), buttons.unlock, locked)]),
      turnRow(shown, shown < pages - 1, numbered(buttons.locksPage)),
    ],
  );
}

function waiting({ unlockEpoch }: Lock, status: ChainStatus | undefined, now: number, view: View): string {
  const words = view.words.lock;
  const beginsAt = status && unlockTimeOf(unlockEpoch, status, now).beginsAt;
  if (beginsAt === undefined) return words.unlocksAt(unlockEpoch);
  return words.unlocksOn(formatMoment(beginsAt, view.timeZone), unlockEpoch, durationOf(beginsAt - now, view.words));
}

/** A length of time in the largest unit that says something. */
function durationOf(milliseconds: number, words: Messages): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  if (minutes < 120) return words.lock.minutes(minutes);
  const hours = Math.round(minutes / 60);
  return hours < 72 ? words.lock.hours(hours) : words.lock.days(Math.round(hours / 24));
}
