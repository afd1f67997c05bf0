import type { Logger } from "pino";
import { buttons } from "../../cards/buttons.js";
import { withToken } from "../../cards/amount.js";
import { locksCard } from "../../cards/lock.js";
import { lockForm, unlockForm } from "../../conversations/lock.js";
import type { FormParts } from "../../conversations/interview.js";
import { formatAssetId, parseAssetId } from "../../encoding/asset.js";
import { unlessFault } from "../../fault.js";
import type { BotContext } from "../context.js";
import type { Commands, Feature } from "../feature.js";
import { answerCommand, openCard, openRead, readLine, replyOpened, type OpenCardParts } from "../intents/open.js";
import type { Holdings } from "../held.js";
import { replyCard } from "../../conversations/reply-card.js";
import type { LockService } from "../../services/lock/lock.js";
import { openLocks } from "../../services/lock/record.js";
import { ownerOf } from "../person.js";
import { editTapped, onTap } from "../tap.js";

/** `/lock`, `/unlock`, and `/locks` with its pages and buttons. */
export function lockFeature(
  parts: OpenCardParts & {
    readonly forms: FormParts;
    readonly holdings: Holdings;
    readonly lock: LockService;
    readonly log: Logger;
  },
): Feature {
  const { store } = parts;
  const lock = lockForm({ ...parts.forms, submit: (userId, request) => openCard(parts, userId, request) });
  const unlock = unlockForm({
    ...parts.forms,
    submit: (userId, request) => openCard(parts, userId, request),
    locksOf: async (userId) => {
      const { person, words } = await ownerOf(parts, userId);
      const held = (await parts.holdings.locksOf(person))?.amounts ?? [];
      return [
        ...(await openLocks(store.db, userId)).map(({ locked, amount }) => ({
          locked,
          amount,
          label: `${withToken(amount, words)} · ${formatAssetId(locked)}`,
        })),
        ...held.map((amount) => ({ locked: parseAssetId(amount.token.id), amount, label: withToken(amount, words) })),
      ];
    },
  });

  const pageFor = async ({ person, userId, view }: BotContext, page: number) => {
    const [locks, status, held] = await Promise.all([
      openLocks(store.db, userId),
      unlessFault(parts.lock.epochStatus, (err) => parts.log.info({ err }, "Locks are listed without the epoch")),
      parts.holdings.locksOf(person),
    ]);
    return locksCard(locks, page, status, parts.clock.now(), view, held);
  };

  const taps = [
    onTap(buttons.unlock, async (ctx, asset) =>
      replyOpened(parts, ctx, await openRead(parts, ctx.userId, await readLine(parts, "unlock", asset, ctx))),
    ),
    onTap(buttons.locksPage, async (ctx, page) => editTapped(ctx, await pageFor(ctx, page))),
  ];

  const commands: Commands = {
    lock: (ctx, typed) => answerCommand(parts, ctx, lock, "lock", typed),
    unlock: (ctx, typed) => answerCommand(parts, ctx, unlock, "unlock", typed),
    locks: async (ctx) => replyCard(ctx, await pageFor(ctx, 0)),
  };

  return { name: "lock", commands, buttons: taps, forms: [lock, unlock] };
}
