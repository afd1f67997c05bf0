import type { StoreBasics, Transaction } from "../../store/store.js";
import { isMissing } from "../price-watches/price-rule.js";
import { noteMissingTold } from "../price-watches/price-watch-queries.js";
import type { PriceSubscriber } from "../price-watches/price-watches.js";
import { enqueueForEach, type Topic } from "../telegram/outbox.js";
import { alertsOf, KIND, type PriceAlert } from "./price-alert-queries.js";

const BEGINNING_KEY = { topic: "price-missing", subject: "beginning" };
const END_KEY = { topic: BEGINNING_KEY.topic, subject: "end" };
/** For how long news of missing prices are gathered: each of them is asked for as often at least. */
const GATHER_MS = 300_000;
/** What has been missing for as long is told with what has been missing for a day. */
const TOLD_TOGETHER_MS = 3_600_000;

/** Tells of prices that can't be had, and of those that can again. */
export const missingPriceNews = {
  onMissing: (tx, owners, now) => enqueueForEach(tx, owners, BEGINNING_KEY, null, now, now + GATHER_MS),
  onReturn: (tx, owners, now) => enqueueForEach(tx, owners, END_KEY, null, now, now + GATHER_MS),
} satisfies Partial<PriceSubscriber>;

/** The alerts of a user for whose prices nothing was answered, or for which there is one again. */
export interface PriceNews {
  readonly kind: "missing" | "back";
  readonly alerts: readonly PriceAlert[];
}

/** Reports once that prices can't be had, and once that they can again. */
export function missingPriceTopic({ clock }: Pick<StoreBasics, "clock">): Topic<PriceNews> {
  return {
    name: BEGINNING_KEY.topic,
    render: async (db, { userId, subject }) => {
      const kind = subject === BEGINNING_KEY.subject ? "missing" : "back";
      const own = await alertsOf(db, userId);
      const alerts = kind === "missing" ? missingIn(own, clock.now()) : own.filter(isBack);
      if (alerts.length === 0) return undefined;
      const ids = alerts.map(({ id }) => id);
      const onSent = (tx: Transaction) => noteMissingTold(tx, { user_id: userId, kind: KIND }, ids, kind === "missing");
      return { message: { kind, alerts }, kind: "service", isLast: true, onSent };
    },
  };
}

/** Once one price has been missing for long, all that are missing, so that an outage makes one message. */
function missingIn(own: readonly PriceAlert[], now: number): readonly PriceAlert[] {
  const untold = own.filter(({ isPaused, ended, isMissingTold }) => !isPaused && ended === null && !isMissingTold);
  if (!untold.some((alert) => isMissing(alert, now))) return [];
  return untold.filter(({ missingSince = now }) => now - missingSince >= TOLD_TOGETHER_MS);
}

function isBack({ isMissingTold, missingSince }: PriceAlert): boolean {
  return isMissingTold && missingSince === undefined;
}
