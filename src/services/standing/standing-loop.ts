import * as z from "zod";
import { DAY_MS } from "../../clock.js";
import type { Config } from "../../config.js";
import { isFault, type Fault } from "../../fault.js";
import { createLoop, type LoopRunner } from "../../loop.js";
import { readSetting, setting, unlessRowFails, writeSetting } from "../../store/store.js";
import type { StoreBasics, Transaction } from "../../store/store.js";
import { createMoves } from "../base/moves.js";
import type { Person } from "../person/person.js";
import type { PriceWatches } from "../price-watches/price-watches.js";
import { enqueue } from "../telegram/outbox.js";
import { standingFacts, type StandingFacts } from "./standing-facts.js";
import { pausedByAddress, standingLook, type StandingLook } from "./standing-look.js";
import { createOffers, type OfferParts } from "./standing-offer.js";
import * as rows from "./standing-queries.js";
import { ADDRESS, STANDING, type StandingOrder } from "./standing-queries.js";
import { stillTold, tellOfOrder } from "./standing-told.js";
import { rearmWatches, withWatches } from "./watched-lines.js";

export interface StandingLoopParts extends StoreBasics, Omit<OfferParts, "store" | "wake"> {
  readonly settings: OfferParts["settings"] & Pick<Config, "referralPercentage">;
  readonly watches: Pick<PriceWatches, "turn" | "wake">;
  readonly noteError: (error: unknown) => void;
}

/** Maximum number of orders that are looked at, or offered, at a time. */
const MAX_CONCURRENT = 8;
/** After each of them: while many are due, others need not wait for all of them. */
const REST_MS = 80;
/** The fee with which prices were watched last. */
const watchedFee = setting("standing-fee", z.number(), 0);

/** Looks at each order when it is due, and offers a card when its time has come. Carries nothing out. */
export function createStandingLoop(parts: StandingLoopParts) {
  const { store, clock } = parts;
  const offer = createOffers({ ...parts, wake: () => loop.wake() });
  const loop: LoopRunner = createLoop(parts, {
    name: "standing-orders",
    width: MAX_CONCURRENT,
    ...rows.standingInTurn(store.db),
    run: async ({ id }, signal) => {
      const look = await lookAtDue(parts, id);
      if (look?.offers === true) await offer(look.order, look.person, signal);
      await clock.sleep(REST_MS, signal).catch(() => undefined);
    },
  });
  const moves = createMoves({
    ...parts,
    what: "standing orders",
    move: (tx, step, since) => rows.moveStanding(tx, { step, since, now: clock.now() }),
    wake: loop.wake,
  });
  return {
    wake: loop.wake,
    wakeBy: loop.wakeBy,
    run: async (signal: AbortSignal): Promise<void> => {
      const endMoves = moves.begin(signal);
      // With another fee, other answers leave what people get.
      const fee = parts.settings.referralPercentage;
      const isSame = (await readSetting(store.db, watchedFee)) === fee;
      await store.write(async (tx) => {
        if (!isSame) {
          await rows.makeStandingDue(tx, {}, clock.now());
          await writeSetting(tx, watchedFee, fee);
        }
        // What held an order may have ended without anybody's noting it.
        await rows.makeHeldDue(tx, undefined, clock.now());
      });
      await loop.run(signal);
      endMoves();
    },
  };
}

async function lookAtDue(p: StandingLoopParts, id: string) {
  const look = await p.store.write((tx) => unlessDamaged(p, tx, id, () => lookIn(p, tx, id)));
  p.outbox.wake();
  p.watches.wake();
  return look;
}

/** One that can't be read is put aside, and operators are told. */
async function unlessDamaged<Value>(p: StandingLoopParts, tx: Transaction, id: string, work: () => Promise<Value>) {
  let fault: Fault | undefined;
  const done = await unlessRowFails(`standing_orders/${id}`, work, (err) => (fault = err));
  if (fault === undefined) return done;
  const { cause = fault } = fault;
  const told = isFault(cause, "store-unreadable") ? cause : undefined;
  p.log.error({ order: id, err: fault }, "A standing order can't be handled: it is put aside");
  // What else is unreadable, such as its owner's record, can be put right.
  const isOwn = told === undefined || told.parameters.document.startsWith("standing_orders/");
  await rows.setStandingAside(tx, id, isOwn ? null : p.clock.now() + DAY_MS);
  p.noteError(told ?? fault);
  return undefined;
}

type LookedAt = StandingLook & { readonly person: Person };

/** Looks at an order, and writes what was found. */
async function lookIn(p: StandingLoopParts, tx: Transaction, id: string): Promise<LookedAt | undefined> {
  const order = await rows.standingOrder(tx, id);
  if (order === undefined || order.ended !== null) return undefined;
  const facts = await standingFacts(p, tx, order);
  const { person, now } = facts;
  const current = pausedByAddress(order, person);
  const looked = standingLook(current, facts);
  const told = { ...looked.order, heldTold: stillTold(looked.order, facts) };
  const look = { ...looked, order: await withWatches(tx, told, facts, p.settings.referralPercentage) };
  if (looked.rearms === true) await rearmWatches(tx, id, now);
  await rows.putStandingOrder(tx, look.order, now, look.dueAt);
  if (current !== order) await pauseOthers(tx, order, facts);
  await tellOfOrder(tx, look.order, now);
  return { ...look, person };
}

/** All of a user's orders are paused together, so that one message says so. */
async function pauseOthers(
  tx: Transaction,
  { id, userId }: StandingOrder,
  { person, now }: StandingFacts,
): Promise<void> {
  for (const other of await rows.standingOrdersOf(tx, userId)) {
    if (other.id !== id) await rows.putStandingOrder(tx, pausedByAddress(other, person), now, now);
  }
  await enqueue(tx, { user_id: userId, topic: STANDING, subject: ADDRESS }, null, now);
}
