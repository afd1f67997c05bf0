import type { Amount } from "../../encoding/amount.js";
import { doubtedUntil } from "../../clock.js";
import { Fault } from "../../fault.js";
import { createLoop } from "../../loop.js";
import type { StoreBasics, Transaction } from "../../store/store.js";
import { unlessUnreadable } from "../../store/store.js";
import { changeInBatches } from "../base/batches.js";
import { createMoves } from "../base/moves.js";
import type { Quotation } from "../market/quotation.js";
import type { TokenList } from "../market/token-list.js";
import { changePerson, personIn } from "../person/person.js";
import { quietUntil } from "../person/quiet-hours.js";
import { ruleText, type PriceQuestion } from "../price-watches/price-rule.js";
import { questionId } from "../price-watches/price-question-queries.js";
import type { PriceWatch } from "../price-watches/price-watch-queries.js";
import { areListed, type Crossing, type PriceWatches } from "../price-watches/price-watches.js";
import { enqueue, type Topic } from "../telegram/outbox.js";
import type { Storm } from "../telegram/storms.js";
import { enoughOf, fineQuote } from "./alert-amount.js";
import { missingPriceNews } from "./alerts-without-price.js";
import * as rows from "./price-alert-queries.js";
import type { AlertRow, PriceAlert } from "./price-alert-queries.js";
import { alertEndOf, type AlertRequest } from "./price-alert-request.js";

interface PriceAlertParts extends StoreBasics {
  /** For users who set an alert, and wait for the answer. */
  readonly quotation: Quotation;
  readonly watches: Pick<PriceWatches, "subscribe" | "wake">;
  readonly tokens: Pick<TokenList, "byId">;
  readonly newId: () => string;
  readonly outbox: { readonly wake: () => void };
  /** Called when an alert is put aside. */
  readonly noteError: (error: unknown) => void;
}

/** Enough for a user, but too few to use up the request budget alone. */
const MAX_ALERTS = 50;
const TOPIC = "price-alert";
/** Maximum number of crossings kept for an alert that is waiting to be sent. */
const MAX_UNTOLD = 5;

/** Users' price alerts. Each method but `set` does nothing if the user has no such alert. */
export interface PriceAlerts {
  /**
   * Sets an alert at the current price, or changes the one with this id; without an id, one that asks for the same.
   * @throws Fault `alerts-full`, `alert-too-long`, `alert-too-fine`, `amount-…`, `quote-…`, `service-…`.
   */
  readonly set: (
    userId: number,
    request: PriceQuestion & Pick<AlertRequest, "rule" | "until">,
    id?: string,
  ) => Promise<PriceAlert>;
  /** See {@link enoughOf}. @throws Fault `quote-…`, `service-…`. */
  readonly enough: (
    asked: Pick<AlertRequest, "out" | "rule">,
    offered: readonly [Amount, ...Amount[]],
  ) => Promise<Amount>;
  /** Looks for what is due at once: call it when alerts may be due sooner. */
  readonly wake: () => void;
  readonly list: (userId: number) => Promise<readonly PriceAlert[]>;
  readonly find: (userId: number, id: string) => Promise<PriceAlert | undefined>;
  readonly pause: (userId: number, id: string, isPaused: boolean) => Promise<void>;
  readonly comeInQuietHours: (userId: number, id: string, comesInQuietHours: boolean) => Promise<void>;
  readonly remove: (userId: number, id: string) => Promise<void>;
  /** Ends alerts, and sends those that quiet hours held back, until the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Tells users of prices that they watch. */
export function createPriceAlerts(parts: PriceAlertParts): PriceAlerts {
  const { store, clock, newId, quotation, watches, outbox } = parts;
  const { db } = store;
  watches.subscribe({
    kind: rows.KIND,
    onCrossed: (tx, watch, crossing) => cross(parts, tx, watch, crossing),
    onUnlisted: async (tx, watch) => endDue(parts, tx, await alertOn(tx, watch)),
    ...missingPriceNews,
    wake: outbox.wake,
  });
  const ends = createLoop(parts, {
    name: "price-alert-ends",
    // Whatever is due is looked at together.
    width: 1,
    ...rows.alertsInTurn(db),
    run: () => lookAtEnds(parts),
  });
  const moves = createMoves({
    ...parts,
    what: "ends of price alerts",
    move: (tx, step, since) => rows.moveAlertEnds(tx, { step, since, now: clock.now() }),
    wake: ends.wake,
  });
  const wake = (): void => {
    watches.wake();
    ends.wake();
  };

  const change = async <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> => {
    const result = await store.write(work);
    wake();
    return result;
  };

  return {
    set: async (userId: number, request: PriceQuestion & Pick<AlertRequest, "rule" | "until">, id?: string) => {
      const { amount, out, rule } = request;
      const { timeZone } = await personIn(db, userId);
      const endsAt = alertEndOf(request, timeZone, clock.now());
      const { units } = await fineQuote(quotation, request);
      const endsFromNow = request.until === undefined || "count" in request.until;
      const fresh = { amount, out, rule, endsAt, endsFromNow, anchor: units };
      return change(async (tx) => {
        const own = await rows.alertsOf(tx, userId);
        const before = own.find((one) =>
          id === undefined ? questionKey(one) === questionKey(request) : one.id === id,
        );
        if (before === undefined && own.length >= MAX_ALERTS) throw new Fault("alerts-full", { maximum: MAX_ALERTS });
        const begun = { id: newId(), comesInQuietHours: false, crossings: 0, told: 0, untold: [], ...before };
        // Everybody with an alert gets a record, so that `/forget` finds them.
        await changePerson(tx, userId, (person) => ({ ...person }));
        const alert = { ...begun, ...fresh, userId, ended: null };
        await rows.putAlert(tx, alert, clock.now());
        const set = await rows.alertOf(tx, userId, alert.id);
        if (set === undefined) throw new TypeError("an alert that was just set is gone");
        return { ...set, last: { units, at: clock.now() }, asked: before?.asked, missingSince: undefined };
      });
    },
    enough: (asked: Pick<AlertRequest, "out" | "rule">, offered: readonly [Amount, ...Amount[]]) =>
      enoughOf(quotation, asked, offered),
    wake,
    list: (userId: number) => rows.alertsOf(db, userId),
    find: (userId: number, id: string) => rows.alertOf(db, userId, id),
    pause: (userId: number, id: string, isPaused: boolean) =>
      change((tx) => rows.pauseAlert(tx, { user_id: userId, id }, isPaused, clock.now())),
    comeInQuietHours: (userId: number, id: string, comesInQuietHours: boolean) =>
      change(async (tx) => {
        const alert = await rows.alertOf(tx, userId, id);
        if (alert !== undefined) await rows.changeAlert(tx, { ...alert, comesInQuietHours });
      }),
    remove: (userId: number, id: string) => change((tx) => rows.deleteAlert(tx, { user_id: userId, id }, clock.now())),
    run: async (signal: AbortSignal): Promise<void> => {
      const endMoves = moves.begin(signal);
      await ends.run(signal);
      endMoves();
    },
  };
}

/** Equal for alerts that ask for the same. */
function questionKey(asked: PriceQuestion & Pick<AlertRequest, "rule">): string {
  return `${questionId(asked)} ${ruleText(asked.rule)}`;
}

/** An alert as its user is told of it. */
export type ToldAlert = PriceAlert & { readonly storm?: Storm };

/** Reports the crossings since the last message, or the end of an alert. */
export const priceAlertTopic: Topic<ToldAlert> = {
  name: TOPIC,
  onReach: rows.noteReachOfAlerts,
  render: async (db, { userId, subject: id, storm }) => {
    const alert = await rows.alertOf(db, userId, id);
    const isNews = alert !== undefined && (alert.untold.length > 0 || alert.ended !== null);
    if (alert === undefined || (!isNews && storm === undefined)) return undefined;
    const onSent = async (tx: Transaction, now: number) => {
      if (alert.ended !== null) return rows.deleteAlert(tx, { user_id: userId, id }, now);
      const fresh = await rows.alertOf(tx, userId, id);
      // Later crossings stay.
      const untold = fresh?.untold.filter(({ n }) => n > alert.crossings) ?? [];
      if (fresh !== undefined) await rows.changeAlert(tx, { ...fresh, told: alert.crossings, untold });
    };
    return { message: storm === undefined ? alert : { ...alert, storm }, onSent };
  },
};

async function cross(p: PriceAlertParts, tx: Transaction, watch: PriceWatch, { at, from, units }: Crossing) {
  const alert = await alertOn(tx, watch);
  const crossings = alert.crossings + 1;
  const untold = [...alert.untold, { n: crossings, at, from, units }].slice(-MAX_UNTOLD);
  const until = await heldBackUntil(p, tx, alert);
  await rows.changeAlert(tx, { ...alert, crossings, untold }, until);
  if (until === undefined) await tellOf(p, tx, alert);
}

async function alertOn(tx: Transaction, watch: PriceWatch): Promise<PriceAlert> {
  const alert = await rows.alertOn(tx, watch);
  if (alert === undefined) throw new TypeError("a watch without its alert");
  return alert;
}

function lookAtEnds(p: PriceAlertParts): Promise<void> {
  const now = p.clock.now();
  return changeInBatches<AlertRow>(
    { ...p, wake: p.outbox.wake },
    {
      select: (tx, limit) => rows.dueAlerts(tx, now, limit),
      documentOf: ({ user_id, id }) => `price_alerts/${user_id}/${id}`,
      act: async (tx, { user_id, id }) => {
        const alert = await rows.alertOf(tx, user_id, id);
        if (alert === undefined) throw new TypeError("an alert without its watch");
        await endDue(p, tx, alert);
      },
      putAside: rows.putAlertAside,
    },
  );
}

/** Sends an alert whose quiet hours are over; ends one whose time is over, or whose tokens are no longer listed. */
async function endDue(p: PriceAlertParts, tx: Transaction, alert: PriceAlert): Promise<void> {
  const now = p.clock.now();
  const until = await heldBackUntil(p, tx, alert);
  const doubted = doubtedUntil(p.clock);
  const isOver = alert.endsAt <= now;
  if (isOver && until === undefined && doubted === undefined) return end(p, tx, alert, "time");
  if (!areListed(p.tokens, alert)) return end(p, tx, alert, "unlisted");
  await rows.changeAlert(tx, alert, until ?? (isOver ? doubted : rows.nextLookAt(alert, now)));
  if (until === undefined && alert.untold.length > 0) await tellOf(p, tx, alert);
}

async function end(p: PriceAlertParts, tx: Transaction, alert: PriceAlert, why: NonNullable<PriceAlert["ended"]>) {
  await rows.endAlert(tx, alert, why);
  await tellOf(p, tx, alert);
}

function tellOf({ clock }: PriceAlertParts, tx: Transaction, { userId, id }: PriceAlert): Promise<void> {
  return enqueue(tx, { user_id: userId, topic: TOPIC, subject: id }, null, clock.now(), { mayStorm: true });
}

/** The end of the quiet hours that hold an alert back now, if any. */
async function heldBackUntil({ clock }: PriceAlertParts, tx: Transaction, { userId, comesInQuietHours }: PriceAlert) {
  if (comesInQuietHours) return undefined;
  const person = await unlessUnreadable(() => personIn(tx, userId));
  return person && quietUntil(person, clock.now());
}
