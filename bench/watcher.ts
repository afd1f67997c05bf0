// How soon a change of a watched order is seen with a limited request budget: the bot's schedule on a virtual clock,
// compared with one timer per subscription and the same budget.
// Run from the root of the project: npx tsx bench/watcher.ts
import { createRandom } from "../sandbox/exchange/random.js";
import { secondsToNext } from "../src/services/alerts/orders.js";
import { createRateLimit } from "../src/services/base/rate.js";

const ORDERS = 10_000;
const PER_SECOND = 25;
const SUBSCRIBERS = 3;
const HOURS = 12;
/** Changes in these first hours aren't counted. */
const WARM_UP_HOURS = 4;
const BOUNDS = { minSeconds: 2, maxSeconds: 60 };
const HOUR = 3_600_000;
const END = HOURS * HOUR;

interface Market {
  readonly name: string;
  /** How often an order changes. */
  readonly changesPerDay: (index: number) => number;
}

const markets: Market[] = [
  { name: "all alike: 4 changes a day each", changesPerDay: () => 4 },
  { name: "all alike: 24 changes a day each", changesPerDay: () => 24 },
  { name: "5 % change 100 times as often (100 a day, the rest once)", changesPerDay: (i) => (i % 20 === 0 ? 100 : 1) },
];

/** Draws the times of all orders' changes, once, so that every method sees the same changes. */
function draw({ changesPerDay }: Market): number[][] {
  const random = createRandom(20_261_120);
  return Array.from({ length: ORDERS }, (_, index) => {
    const times: number[] = [];
    const mean = (24 * HOUR) / changesPerDay(index);
    for (let at = -Math.log(1 - random()) * mean; at < END; at -= Math.log(1 - random()) * mean) times.push(at);
    return times;
  });
}

interface Figures {
  readonly delays: number[];
  /** Maximum number of requests in any second, including both of its ends. */
  readonly most: number;
  readonly requestsPerSecond: number;
}

function scheduled(changes: readonly number[][]): Figures {
  const random = createRandom(1);
  /** Earliest first. In the bot, this is an index of the database. */
  const due: { readonly index: number; readonly at: number }[] = [];
  const plan = (index: number, at: number) => {
    // Search from the end, as a new one is usually due later than the others.
    let place = due.length;
    while (place > 0 && (due[place - 1]?.at ?? at) > at) place -= 1;
    due.splice(place, 0, { index, at });
  };
  const rate = createRateLimit(PER_SECOND);
  const changedAt = changes.map(() => -24 * HOUR);
  const seen = changes.map(() => 0);
  const starts: number[] = [];
  const delays: number[] = [];
  for (const index of changes.keys()) plan(index, random() * BOUNDS.maxSeconds * 1000);
  for (let now = 0; ; ) {
    const at = Math.max(due[0]?.at ?? END, rate.earliest());
    if (at >= END) break;
    if (at > now) {
      now = at;
      continue;
    }
    const { index = 0 } = due.shift() ?? {};
    rate.take(now);
    starts.push(now);
    const times = changes[index] ?? [];
    let next = seen[index] ?? 0;
    const first = next;
    while ((times[next] ?? END) <= now) {
      if (now > WARM_UP_HOURS * HOUR) delays.push(now - (times[next] ?? now));
      next += 1;
    }
    seen[index] = next;
    if (next > first) changedAt[index] = now;
    const secondsSinceChange = (now - (changedAt[index] ?? now)) / 1000;
    plan(index, now + 1000 * secondsToNext(secondsSinceChange, 0, BOUNDS));
  }
  return { delays, most: mostInASecond(starts), requestsPerSecond: (starts.length * 1000) / END };
}

/** Each subscription polls on its own, evenly, as often as the budget allows for all of them together. */
function timers(changes: readonly number[][], isShared: boolean): Figures {
  const random = createRandom(2);
  const period = (ORDERS * SUBSCRIBERS * 1000) / PER_SECOND;
  const starts: number[] = [];
  const delays: number[] = [];
  for (const times of changes) {
    const phases = Array.from({ length: SUBSCRIBERS }, () => random() * period);
    for (const phase of phases) for (let at = phase; at < END; at += period) starts.push(at);
    for (const at of times) {
      if (at <= WARM_UP_HOURS * HOUR) continue;
      const own = phases.map((phase) => (((phase - at) % period) + period) % period);
      if (isShared) delays.push(Math.min(...own));
      else delays.push(...own);
    }
  }
  starts.sort((left, right) => left - right);
  return { delays, most: mostInASecond(starts), requestsPerSecond: (starts.length * 1000) / END };
}

function mostInASecond(starts: readonly number[]): number {
  let first = 0;
  let most = 0;
  for (const [last, at] of starts.entries()) {
    while (at - (starts[first] ?? at) > 1000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);

function print(name: string, { delays, most, requestsPerSecond }: Figures): number {
  delays.sort((left, right) => left - right);
  const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
  const at = (share: number): string => seconds(delays[Math.floor(delays.length * share)] ?? Number.NaN);
  const uniform = (ORDERS / (2 * PER_SECOND)) * 1000;
  console.log(
    `  ${name}: mean ${seconds(mean)} s = ${(mean / uniform).toFixed(3)} x M/2R, p50 ${at(0.5)}, p99 ${at(0.99)}; ` +
      `${requestsPerSecond.toFixed(2)} requests/s, ${most} at most in any second`,
  );
  return mean;
}

console.log(
  `${ORDERS} orders, ${PER_SECOND} requests/s, ${SUBSCRIBERS} subscribers each; M/2R = ${ORDERS / (2 * PER_SECOND)} s; ` +
    `${HOURS - WARM_UP_HOURS} h after the first ${WARM_UP_HOURS} h`,
);
for (const market of markets) {
  const changes = draw(market);
  console.log(market.name);
  const ours = print("the bot                      ", scheduled(changes));
  const alone = print("one timer per subscription   ", timers(changes, false));
  const shared = print("the same, first one tells all", timers(changes, true));
  console.log(`  sooner by ${(alone / ours).toFixed(2)} and ${(shared / ours).toFixed(2)} times`);
}
