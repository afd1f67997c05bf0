import type { StoreBasics, Transaction } from "../../store/store.js";
import { enqueueForEach, type Topic } from "../telegram/outbox.js";
import * as rows from "./price-alert-queries.js";
import type { PriceAlert } from "./price-alert-queries.js";
import { isMissing } from "./price-alert-request.js";

const BEGINNING_KEY = { topic: "price-missing", subject: "beginning" };
const END_KEY = { topic: BEGINNING_KEY.topic, subject: "end" };
/** For how long news of missing prices are gathered: each of them is asked for as often at least. */
const GATHER_MS = 300_000;
/** What has been missing for as long is told with what has been missing for a day. */
const TOLD_TOGETHER_MS = 3_600_000;

/** Call it after each request without an answer. */
export async function tellOfMissing(tx: Transaction, question: string, since: number, now: number): Promise<void> {
  if (!isMissing({ missingSince: since }, now)) return;
  await enqueueForEach(tx, rows.untoldOwners(tx, question), BEGINNING_KEY, null, now, now + GATHER_MS);
}

/** Call it after each answer. */
export async function tellOfReturn(tx: Transaction, question: string, now: number): Promise<void> {
  await enqueueForEach(tx, rows.toldOwners(tx, question), END_KEY, null, now, now + GATHER_MS);
}

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
      const own = await rows.alertsOf(db, userId);
      const alerts = kind === "missing" ? missingIn(own, clock.now()) : own.filter(isBack);
      if (alerts.length === 0) return undefined;
      const ids = alerts.map(({ id }) => id);
      const onSent = (tx: Transaction) => rows.noteMissingTold(tx, userId, ids, kind === "missing");
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

/** A price is missing for long if that time has passed, not if the clock was set ahead by it. */
export function moveMissingWithClock({ clock, log, store }: StoreBasics): () => void {
  return clock.onStep((step) => {
    const moved = store.write((tx) => rows.moveMissingPrices(tx, step));
    moved.catch((err: unknown) => log.error({ err, step }, "Missing prices not moved with the clock"));
  });
}
