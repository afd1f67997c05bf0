import { locksCard, unlockableCard } from "../../cards/lock.js";
import { lockForm, unlockForm } from "../../conversations/lock.js";
import type { Outbox } from "../../services/telegram/outbox-sender.js";
import type { Kinds } from "../../services/trade/kinds.js";
import type { LockContract } from "../../services/trade/lock-contract.js";
import { lockTopic, remindOfLocks } from "../../services/trade/lock-record.js";
import { personIn } from "../../services/person/person.js";
import type { BotBase, BotContext } from "../context.js";
import { answering, type Feature, onCards } from "../feature.js";
import type { Forms } from "../forms.js";
import type { UserHoldings } from "../holdings.js";
import type { IntentCards } from "../intents/intent-cards.js";
import { editTapped, replyCard } from "../reply.js";

interface LockParts {
  readonly base: BotBase;
  readonly cards: IntentCards;
  readonly forms: Forms;
  readonly holdings: UserHoldings;
  readonly lock: LockContract;
  readonly outbox: Outbox;
  readonly trades: Kinds;
}

export function lockFeature({ base, cards, forms, holdings, lock, outbox, trades }: LockParts): Feature {
  const { store, clock, log } = base;
  const toLock = lockForm(forms);
  const toUnlock = unlockForm({
    ...forms,
    locksOf: async (userId) => {
      const held = await holdings.locksOf(await personIn(store.db, userId));
      return [...(await lock.open(userId)), ...(held?.locks ?? [])];
    },
  });

  const pageFor = async ({ person, userId, view }: BotContext, page: number) => {
    const [locks, status, held] = await Promise.all([lock.open(userId), lock.statusIfTold(), holdings.locksOf(person)]);
    return locksCard(locks, page, view, status, held);
  };

  return {
    commands: {
      lock: (ctx, typed) => cards.answerCommand(ctx, toLock, "lock", typed),
      locks: async (ctx) => replyCard(ctx, await pageFor(ctx, 0)),
    },
    unlisted: { unlock: (ctx, typed) => cards.answerCommand(ctx, toUnlock, "unlock", typed) },
    buttons: {
      unlock: answering(async (ctx, asset) => {
        const read = await trades.read("unlock", asset, ctx);
        return cards.reply(ctx, await cards.openRead(ctx, "unlock", asset, read));
      }),
      locksPage: answering(async (ctx, page) => editTapped(ctx, await pageFor(ctx, page))),
    },
    forms: [toLock, toUnlock],
    topics: [onCards(base, lockTopic, unlockableCard)],
    loops: [(signal) => remindOfLocks({ store, clock, log, lock, outbox }, signal)],
  };
}
