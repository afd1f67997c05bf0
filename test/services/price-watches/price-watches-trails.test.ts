import { expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { watch, watchOf } from "../../../src/services/price-watches/price-watch-queries.js";
import { createPriceWatches } from "../../../src/services/price-watches/price-watches.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { seededRandom } from "../../support/seed.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { kfi, klv, silent } from "../samples.js";

/** Fifteen percent below the highest. */
const TRAIL = { bps: 1500n, from: 0n };

interface Answer {
  readonly at: number;
  readonly units: bigint;
}

/**
 * A second computation: answers fall into stretches that begin ten seconds apart at least, and what the worst answer of a
 * stretch and the first one after it have both reached is a high.
 */
function followed(answers: readonly Answer[], { bps, from }: typeof TRAIL) {
  let [high, armed] = [0n, true];
  let stretch: readonly Answer[] = [];
  const reached: bigint[] = [];
  for (const answer of answers) {
    const first = stretch[0];
    const isNext = first !== undefined && answer.at - first.at >= 10_000;
    const both = isNext ? [...stretch, answer].map(({ units }) => units).sort((a, b) => (a < b ? -1 : 1))[0]! : 0n;
    stretch = first === undefined || isNext ? [answer] : [...stretch, answer];
    if (armed && both > high && both >= from) high = both;
    if (high === 0n) continue;
    const line = (high * (10_000n - bps)) / 10_000n;
    if (armed && answer.units <= line) {
      reached.push(answer.units);
      armed = false;
    } else if (!armed && answer.units * 10_000n >= line * 10_100n) armed = true;
  }
  return { high, reached };
}

async function trailing(seed: string, steps: number, more: number) {
  const random = seededRandom(`trail-${seed}`);
  const clock = createVirtualClock(1_700_000_000_000);
  const disk = createMemoryDisk();
  let price = 1_000_000_000n;
  const answers: Answer[] = [];
  const reached: bigint[] = [];
  const start = () => {
    const store = disk.open();
    const watches = createPriceWatches({
      ...{ store, clock, log: silent, pace: { requestsPerSecond: 2, everySeconds: random() < 0.5 ? 4 : 15 } },
      polled: {
        quote: async (_amount, out) => {
          await clock.sleep(20);
          answers.push({ at: clock.now(), units: price });
          return amountOf(out, price);
        },
      },
      tokens: { byId: (id) => [klv, kfi].find((token) => token.id === id) },
      prices: { noteQuote: () => true },
      noteError: (error) => {
        throw error;
      },
    });
    watches.subscribe({
      kind: "trail",
      onCrossed: async (_tx, { subject }, { units }) => void (subject === "0" && reached.push(units)),
      onUnlisted: async () => undefined,
      wake: () => undefined,
    });
    const stopping = new AbortController();
    const done = watches.run(stopping.signal);
    const stop = async () => {
      stopping.abort();
      // A question that is under way has its answer first.
      await clock.advance(20);
      await done;
    };
    return { store, watches, stop };
  };
  let running = start();
  const rule = { way: "trail", bps: TRAIL.bps, from: random() < 0.4 ? 1_050_000_000n : 0n } as const;
  // More than one batch of them are on one question.
  const wanted = (subject: string) =>
    ({ kind: "trail", subject, userId: 1, amount: amountOf(kfi, 10_000_000n), out: klv, rule, anchor: 0n }) as const;
  await running.store.write(async (tx) => {
    for (let at = 0; at <= more; at += 1) await watch(tx, wanted(`${at}`), clock.now());
  });
  running.watches.wake();
  for (let step = 0; step < steps; step += 1) {
    const isOdd = random() < 0.08;
    const was = price;
    const change = isOdd ? 14_000 : 9_800 + Math.floor(random() * 402);
    price = (price * BigInt(change)) / 10_000n;
    await clock.advance(isOdd ? 4_050 : 15_500);
    if (isOdd) price = was;
    if (random() < 0.05) {
      await running.stop();
      await clock.advance(random() < 0.3 ? 3_600_000 : 100);
      running = start();
      running.watches.wake();
    }
  }
  const found = await watchOf(running.store.db, wanted("0"));
  const last = await watchOf(running.store.db, wanted(`${more}`));
  await running.stop();
  return { found, last, answers, reached, rule };
}

it.each(["a", "b", "c", "d"])("trails follow the highs as they are computed again, seed %s", async (seed) => {
  const { found, last, answers, reached, rule } = await trailing(seed, 90, seed === "a" ? 60 : 0);
  const again = followed(answers, rule);
  expect(answers.length).toBeGreaterThan(60);
  // Where it begins at a price, that may never be there.
  if (rule.from === 0n) expect(again.high).toBeGreaterThan(0n);
  expect([found?.anchor, last?.anchor]).toEqual([again.high, again.high]);
  expect(reached).toEqual(again.reached);
});
