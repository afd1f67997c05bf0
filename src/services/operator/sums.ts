import { addAmounts, type Amount } from "../../encoding/amount.js";
import type { IntentState } from "../../model/intent.js";
import { collectionOf } from "../../store/defaults.js";
import type { CommonParts } from "../common-parts.js";
import { dayOf, type Counted } from "./counted.js";

/** What came together in some time. */
export interface Sums {
  /** How many intents came to each state. */
  readonly reached: Readonly<Partial<Record<IntentState, number>>>;
  /** What the operator earned, by token, as far as the node's answers prove it. */
  readonly fees: Readonly<Record<string, Amount>>;
  /** How many people asked for a card. */
  readonly people: number;
}

const nothing: Sums = { reached: {}, fees: {}, people: 0 };
const none = { today: nothing, total: nothing };
const sums = collectionOf("sums", { version: 1, day: "", ...none });
const ALL = "all";
/** Anybody can issue tokens: of more than these no sum is kept. */
const MAX_TOKENS = 500;
const TRY_AGAIN_MILLISECONDS = 5_000;

/**
 * Sums over everybody, kept up as things happen. What comes while a write is under way goes into the next one, so that the sums
 * cost a busy bot no more than a few writes per second. A crash loses from them what was not written yet, a matter of
 * milliseconds; people's own documents lose nothing.
 */
export function createSums(parts: CommonParts) {
  const { store, clock, log } = parts;
  let waiting = none;
  let work: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    while (waiting !== none) {
      const news = waiting;
      waiting = none;
      const day = dayOf(clock.now());
      try {
        await store.update(sums, ALL, (now) => {
          const before = now.day === day ? now : { ...now, today: nothing };
          return [{ ...now, day, ...bothAdded(before, news) }, undefined];
        });
      } catch (error) {
        log.error({ err: error }, "The operator's sums were not written yet");
        waiting = bothAdded(news, waiting);
        clock.timer(TRY_AGAIN_MILLISECONDS, start);
        return;
      }
    }
  };
  const start = (): void => {
    work ??= write().finally(() => {
      work = undefined;
    });
  };

  return {
    /** @param earned what the operator earned by it. */
    note: ({ steps, isFirstToday, isFirst }: Counted, earned: readonly Amount[]): void => {
      const reached: Partial<Record<IntentState, number>> = {};
      for (const { intent } of steps) reached[intent.state] = (reached[intent.state] ?? 0) + 1;
      const fees = withFees({}, earned);
      const today = { reached, fees, people: isFirstToday ? 1 : 0 };
      waiting = bothAdded(waiting, { today, total: { reached, fees, people: isFirst ? 1 : 0 } });
      start();
    },
    /** What was noted so far, written down. */
    read: async (): Promise<typeof none> => {
      await work;
      const { day, today, total } = (await store.read(sums, ALL)) ?? sums.create(ALL);
      return { today: day === dayOf(clock.now()) ? today : nothing, total };
    },
    /** Ends when everything noted is written, or could not be. */
    settled: async (): Promise<void> => work,
  };
}

function bothAdded(one: typeof none, other: typeof none): typeof none {
  return { today: added(one.today, other.today), total: added(one.total, other.total) };
}

function added(one: Sums, other: Sums): Sums {
  const reached = { ...one.reached };
  for (const [state, count] of Object.entries(other.reached) as [IntentState, number][]) {
    reached[state] = (reached[state] ?? 0) + count;
  }
  return { reached, fees: withFees(one.fees, Object.values(other.fees)), people: one.people + other.people };
}

function withFees(before: Sums["fees"], more: readonly Amount[]): Sums["fees"] {
  const fees: Record<string, Amount> = { ...before };
  for (const fee of more) {
    const known = fees[fee.token.id];
    if (known !== undefined) fees[fee.token.id] = addAmounts(known, fee);
    else if (Object.keys(fees).length < MAX_TOKENS) fees[fee.token.id] = fee;
  }
  return fees;
}
