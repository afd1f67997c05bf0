import { stdout } from "node:process";
import { expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import type { Rule } from "../../../src/services/price-watches/price-rule.js";
import { putAlert, type PriceAlert } from "../../../src/services/alerts/price-alert-queries.js";
import { changePerson } from "../../../src/services/person/person.js";
import { klv } from "../samples.js";
import type { VirtualClock } from "../../support/virtual-clock.js";
import { createWorld, NOW, priceAlert, type Process } from "./price-alerts-world.js";

const DAY = 86_400_000;
const isWhole = process.env["FULL"] !== undefined;
/**
 * Alerts, 50 per user, over these questions. In five more hours with still prices, one more than are quiet, waiting
 * alerts arrive.
 */
const size = isWhole
  ? { alerts: 10_000, questions: 20, days: 365, everySeconds: 7200, kills: 200, downAt: 180, down: 7 }
  : { alerts: 400, questions: 5, days: 0.3, everySeconds: 120, kills: 6, downAt: 0.15, down: 0.05 };
const REQUESTS_PER_SECOND = 2;
/** Duration of each price. */
const STEP = isWhole ? DAY / 2 : 450_000;

/** Returns a function that gives the same numbers in every run. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Watching = Pick<PriceAlert, "amount" | "id" | "out" | "rule" | "userId">;

/** Stops a process, letting its pending work end in virtual time. */
async function stop(process: Process, clock: VirtualClock): Promise<void> {
  const end = process.stop();
  await clock.advance(20_000);
  await end;
}

/** The answers to report, by another reading of the rules: it compares fractions and keeps no line. */
function expected({ rule, amount }: Watching, first: bigint, answers: readonly { at: number; units: bigint }[]) {
  let anchor = first;
  const [whole, decimals = ""] = rule.way === "move" ? ["0"] : rule.price.split(".");
  const line = BigInt(`${whole}${decimals.padEnd(6, "0")}`) * amount.units;
  const isBeyond = (units: bigint) => (rule.way === "above" ? units * 1_000_000n >= line : units * 1_000_000n <= line);
  let isArmed = !isBeyond(first);
  return answers.filter(({ units }) => {
    if (rule.way === "move") {
      const distance = units > anchor ? units - anchor : anchor - units;
      const isFar = distance * 10_000n >= anchor * rule.bps;
      if (isFar) anchor = units;
      return isFar;
    }
    if (isArmed && isBeyond(units)) {
      isArmed = false;
      return true;
    }
    const [far, near] = [units * 100_000_000n, line];
    if (!isArmed && (rule.way === "above" ? far <= near * 99n : far >= near * 101n)) isArmed = true;
    return false;
  });
}

it(`reports each crossing that a polled price shows exactly once in ${size.days} days of ${size.alerts} alerts`, {
  timeout: isWhole ? 7_200_000 : 300_000,
}, async () => {
  const random = createRandom(7);
  const tokens = Array.from({ length: size.questions }, (_, index) => ({ ...klv, id: `TOK-${1000 + index}` }));
  const world = createWorld({
    everySeconds: size.everySeconds,
    requestsPerSecond: REQUESTS_PER_SECOND,
    tokens: [klv, ...tokens],
  });
  const { clock, asked, told } = world;
  // A walk of about a percent per step, the same for every request; it stands still at the end.
  const steps = Math.ceil((size.days * DAY) / STEP);
  const walks = new Map(
    tokens.map(({ id }) => {
      const walk = [1_000_000_000n];
      for (let step = 1; step <= steps; step += 1) {
        const last = walk[step - 1]!;
        const back = last > 1_300_000_000n ? -60 : last < 700_000_000n ? 60 : 0;
        walk.push((last * BigInt(10_000 + random(301) - 150 + back)) / 10_000n);
      }
      return [id, walk] as const;
    }),
  );
  const stepAt = (at: number) => Math.min(steps, Math.floor((at - NOW) / STEP));
  world.price = ({ token }) => walks.get(token.id)![stepAt(clock.now())]!;

  const watching = Array.from({ length: size.alerts }, (_, index): Watching => {
    const way = (["above", "below", "move"] as const)[index % 3]!;
    const rule: Rule =
      way === "move" ? { way, bps: BigInt(300 + random(700)) } : { way, price: `${80 + random(40)}.${random(100)}` };
    const token = tokens[index % size.questions]!;
    const userId = 1 + Math.floor(index / 50);
    return { id: `alert-${index}`, userId, rule, amount: amountOf(token, 10_000_000n), out: klv };
  });
  const first = 1_000_000_000n;
  const setting = world.start();
  for (let userId = 1; userId <= size.alerts / 50; userId += 1) {
    await setting.store.write(async (tx) => {
      const quiet = { modes: {}, quiet: { from: "22:00", to: "02:00" } };
      if (userId % 4 === 0) await changePerson(tx, userId, (person) => ({ ...person, alerts: quiet }));
      for (const [index, alert] of watching.filter((one) => one.userId === userId).entries()) {
        const comesInQuietHours = index % 2 === 0;
        await putAlert(tx, priceAlert({ ...alert, anchor: first, endsAt: NOW + 400 * DAY, comesInQuietHours }), NOW);
      }
    });
  }
  await stop(setting, clock);

  let process = world.start();
  let kills = 0;
  let lastKill = Number.NEGATIVE_INFINITY;
  /** Crossings reported so shortly before a kill that it may not be noted. */
  const uncertain = new Set<string>();
  const answers = new Map<string, { at: number; units: bigint }[]>();
  let taken = 0;
  /** Collects the answers; of a killed process, only those it had written. */
  const take = async (isKilled: boolean): Promise<void> => {
    const rows = await process.store.db.selectFrom("price_questions").select(["id", "seen_at"]).execute();
    const seen = new Map(rows.map(({ id, seen_at }) => [id, seen_at ?? 0]));
    for (const { question, at, units } of asked.slice(taken)) {
      if (isKilled && at > seen.get(question)!) continue;
      answers.set(question, [...(answers.get(question) ?? []), { at, units }]);
    }
    taken = asked.length;
  };
  const revive = async (): Promise<void> => {
    await take(true);
    for (const { at, alert } of told.slice(-200)) {
      if (at > lastKill - 5_000) for (const { n } of alert.untold) uncertain.add(`${alert.id} ${n}`);
    }
    process = world.start();
  };
  const chunk = (size.days * DAY) / (size.kills * 2);
  const downFrom = NOW + size.downAt * DAY;
  for (let passed = 0, round = 0; passed < size.days * DAY; passed += chunk, round += 1) {
    if (round % 2 === 1) {
      let writes = 1 + random(40);
      const victim = process;
      victim.store.afterWrite = async () => {
        writes -= 1;
        if (writes > 0) return;
        lastKill = clock.now();
        victim.kill();
        await new Promise(() => undefined);
      };
    }
    for (let step = 0; step < 10; step += 1) {
      await clock.advance(chunk / 10);
      if (process.isAlive()) continue;
      await revive();
      kills += 1;
    }
    if (isWhole && round % 10 === 0) {
      const day = Math.round((clock.now() - NOW) / DAY);
      stdout.write(`day ${day}: ${asked.length} requests, ${told.length} messages\n`);
    }
    process.store.afterWrite = () => Promise.resolve();
    if (clock.now() >= downFrom && clock.now() - chunk < downFrom) {
      await stop(process, clock);
      await take(false);
      await clock.advance(size.down * DAY);
      passed += size.down * DAY;
      process = world.start();
    }
  }
  // Alerts that wait for the end of quiet hours arrive.
  await clock.advance((5 * DAY) / 24);
  await stop(process, clock);
  await take(false);

  const heard = new Map<string, { n: number; at: number; units: bigint; toldAt: number }[]>();
  for (const { at: toldAt, alert } of told) {
    expect(alert.ended).toBeNull();
    const before = heard.get(alert.id) ?? [];
    for (const crossing of alert.untold) {
      const again = before.some(({ n }) => n === crossing.n);
      if (again) expect(uncertain).toContain(`${alert.id} ${crossing.n}`);
      else before.push({ ...crossing, toldAt });
    }
    heard.set(alert.id, before);
  }
  const delays = { bot: 0, crossings: 0 };
  // For comparison, one timer per alert: with the whole budget, and with as many requests as were made here.
  const timers = [REQUESTS_PER_SECOND * 86_400 * size.days, asked.length].map((requests) => ({
    requests: Math.round(requests),
    round: (size.alerts * size.days * DAY) / requests,
    seen: 0,
    delay: 0,
  }));
  for (const [index, alert] of watching.entries()) {
    const own = answers.get(`${alert.amount.token.id}/KLV/${alert.amount.units}`) ?? [];
    const due = expected(alert, first, own);
    const got = (heard.get(alert.id) ?? []).toSorted((one, other) => one.n - other.n);
    expect(
      got.map(({ at, units }) => ({ at, units })),
      alert.id,
    ).toEqual(due);
    for (const { at, toldAt } of got) {
      const began = NOW + stepAt(at) * STEP;
      delays.crossings += 1;
      delays.bot += at - began;
      expect(toldAt).toBeGreaterThanOrEqual(at);
      for (const timer of timers) {
        const phase = (timer.round * index) / size.alerts;
        const next = Math.ceil((began - NOW - phase) / timer.round) * timer.round + phase + NOW;
        if (stepAt(next) !== stepAt(began)) continue;
        timer.seen += 1;
        timer.delay += next - began;
      }
    }
  }
  expect(delays.crossings).toBeGreaterThan(size.alerts / 4);
  expect(kills).toBeGreaterThanOrEqual(size.kills / 2);
  expect(timers[1]!.seen).toBeLessThan(delays.crossings / 2);
  const times = asked.map(({ at }) => at);
  const tooMany = times.filter((at, index) => (times[index + REQUESTS_PER_SECOND] ?? Infinity) - at < 1000);
  expect(tooMany).toEqual([]);
  const seconds = (sum: number, count: number) => `${(sum / 1000 / count).toFixed(1)} s`;
  const lines = [
    `${kills} kills; ${asked.length} requests, ${delays.crossings} crossings told after ${seconds(delays.bot, delays.crossings)}`,
    ...timers.map(
      ({ requests, seen, delay }) =>
        `with a timer for each alert and ${requests} requests: ${seen} of them seen, after ${seconds(delay, seen)}`,
    ),
  ];
  stdout.write(`${lines.join("\n")}\n`);
});
