import { locksCard, unlockableCard } from "../../cards/lock.js";
import { lockForm, unlockForm } from "../../conversations/lock.js";
import { replyCard } from "../../conversations/reply-card.js";
import { lockTopic, remindOfLocks } from "../../services/trade/lock-record.js";
import { personIn } from "../../services/person/person.js";
import type { BotContext } from "../context.js";
import { answering, type Feature, onCards } from "../feature.js";
import { answerCommand, openRead, replyOpened, type OpenCardParts } from "../intents/open.js";
import { editTapped } from "../reply.js";
import type { Needs } from "../shared.js";

export function lockFeature(parts: OpenCardParts & Needs<"forms" | "holdings" | "lock" | "outbox">): Feature {
  const { store } = parts;
  const lock = lockForm(parts.forms);
  const unlock = unlockForm({
    ...parts.forms,
    locksOf: async (userId) => {
      const held = await parts.holdings.locksOf(await personIn(store.db, userId));
      return [...(await parts.lock.open(userId)), ...(held?.locks ?? [])];
    },
  });

  const pageFor = async ({ person, userId, view }: BotContext, page: number) => {
    const [locks, status, held] = await Promise.all([
      parts.lock.open(userId),
      parts.lock.statusIfTold(),
      parts.holdings.locksOf(person),
    ]);
    return locksCard(locks, page, view, status, held);
  };

  return {
    commands: {
      lock: (ctx, typed) => answerCommand(parts, ctx, lock, "lock", typed),
      unlock: (ctx, typed) => answerCommand(parts, ctx, unlock, "unlock", typed),
      locks: async (ctx) => replyCard(ctx, await pageFor(ctx, 0)),
    },
    buttons: {
      unlock: answering(async (ctx, asset) => {
        const read = await parts.trades.read("unlock", asset, ctx);
        return replyOpened(parts, ctx, await openRead(parts, ctx, "unlock", asset, read));
      }),
      locksPage: answering(async (ctx, page) => editTapped(ctx, await pageFor(ctx, page))),
    },
    forms: [lock, unlock],
    topics: [onCards(parts, lockTopic, unlockableCard)],
    loops: [(signal) => remindOfLocks(parts, signal)],
  };
}
