import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { verify } from "../../src/store/copies.js";
import { DATA_FILE } from "../../src/store/database.js";
import { accepted } from "../support/as-read.js";
import { testDesk, type Desk } from "../support/desk.js";
import { newDatabase, onPostgres } from "../support/engine.js";
import { wholeHistory } from "../support/history.js";
import { startPostgres } from "../support/postgres.js";
import { seededRandom } from "../support/seed.js";
import { startExchangeStub, type ExchangeStub } from "../support/stub-exchange.js";
import { carriedOut, quoted } from "../support/stub-services.js";
import type { BotMessage, Person } from "../support/stub-telegram.js";
import { isSameState, readAlert, type ToldAlert, type ToldState } from "../support/read-alert.js";
import { until } from "../support/until.js";

/** 300 in `npm run test:full`. On PostgreSQL each takes seconds, until the previous lease has expired. */
const KILLS = Number(process.env["KILLS"] ?? (onPostgres ? 4 : 6));
/** Kills of PostgreSQL itself. */
const SERVER_KILLS = onPostgres ? Number(process.env["SERVER_KILLS"] ?? 2) : 0;
/** Milliseconds for which the bot tries to look up a commit whose answer was lost; then it ends. */
const DOUBT_MS = 6_000;
/** With few kills, a tenth of the 180 traders and keepers of `npm run test:full` is enough. */
const SHARE = KILLS <= 10 ? 10 : 1;
const TRADERS = 140 / SHARE;
const KEEPERS = 40 / SHARE;
const WATCHERS = 20;
const ORDERS = 12;
const WATCHERS_OF_AN_ORDER = 3;
/** Large enough that no order is filled before the last kill. */
const QUANTITY = 1_000_000n;
/** A kill strikes at one of this many occurrences of its moment, at random. */
const CHANCES = 12;
const MAX_LIFE_MS = 1500;
/** Slower than in `npm run test:full`: at that rate, a short run would do little else than poll. */
const polls =
  SHARE === 1
    ? { ORDER_POLL_MIN_SECONDS: "0.1", ORDER_POLL_RPS: "100" }
    : { ORDER_POLL_MIN_SECONDS: "0.4", ORDER_POLL_RPS: "30" };
/** Maximum pause of a user between two walks. */
const MAX_REST_MS = 4000;

/** Kills the program. @returns false if it isn't time yet. */
type Strike = () => boolean;

/** Payments whose call arrived and was never answered. */
const unanswered = new Set<string>();

const moments: Readonly<Record<string, (desk: Desk, strike: Strike) => void>> = {
  "the call arrives": ({ services }, strike) => {
    services.onCall = ({ json }) => {
      if (!strike()) return carriedOut;
      unanswered.add(String(json?.["value"]));
      return "hang";
    };
  },
  "an alert was taken": onCall("sendMessage", isAlert, undefined),
  "the price is asked": ({ services }, strike) => {
    services.onQuotation = () => (strike() ? "hang" : quoted);
  },
  "a dialog asks": onCall("sendMessage", ({ text }) => /Which token|How much|Send up to/.test(String(text)), "drop"),
  "the call is answered": ({ services }, strike) => {
    services.onCall = () => {
      strike();
      return carriedOut;
    };
  },
  "a dialog has asked": onCall(
    "sendMessage",
    ({ text }) => /Which token|How much|Send up to/.test(String(text)),
    undefined,
  ),
  "a tap is answered": onCall("answerCallbackQuery", () => true, "drop"),
  "a card says how it ended": onCall("editMessageText", ({ text }) => accepted.test(String(text)), "drop"),
  "updates are fetched": onCall("getUpdates", () => true, undefined),
  "an alert leaves": onCall("sendMessage", isAlert, "drop"),
  "the price is answered": ({ services }, strike) => {
    services.onQuotation = () => {
      strike();
      return quoted;
    };
  },
  "a card was shown": onCall("sendMessage", ({ text }) => /You pay/.test(String(text)), undefined),
  "a card says that it is being sent": onCall("editMessageText", ({ text }) => /⏳/.test(String(text)), undefined),
};

type Parameters = Readonly<Record<string, unknown>>;

/** Strikes at a request to Telegram: `"drop"` loses it, and `undefined` has it executed. */
function onCall(method: string, isMeant: (parameters: Parameters) => boolean, answer: "drop" | undefined) {
  return ({ telegram }: Desk, strike: Strike) => {
    telegram.intercept = (call) =>
      call.method === method && isMeant(call.parameters) && strike() ? answer : undefined;
  };
}

function isAlert({ text }: Parameters): boolean {
  return /^(?:<b>)?(?:🟡|✅ Filled|✖️)/.test(String(text));
}

/** An alert that Telegram accepted. */
interface Taken extends ToldAlert {
  readonly userId: number;
  /** The run of the program that sent it, counted from 0. */
  readonly life: number;
}

it(
  `keeps what it said through ${KILLS} kills, and ${SERVER_KILLS} of its server, with ${TRADERS + KEEPERS + WATCHERS} people walking: one call at most for a confirm, every change of an order told`,
  async () => {
    const random = seededRandom("kills");
    const below = (limit: number) => Math.floor(random() * limit);
    const exchange = await startExchangeStub();
    onTestFinished(() => exchange.close());
    const server = onPostgres ? await startPostgres() : undefined;
    onTestFinished(() => server?.close());
    const desk = await testDesk({
      ...(server !== undefined && { DATABASE_URL: await newDatabase(server.url) }),
      ORDER_URL: exchange.url,
      ...polls,
      QUOTE_TTL_SECONDS: "600",
      LOG_LEVEL: "warn",
    });
    const traders = await Promise.all(Array.from({ length: TRADERS }, () => desk.trader()));
    const watches = await watchOrders(desk, exchange);

    // Users go on until the storm is over, and then finish what they have begun.
    let isOver = false;
    const walking = async (walk: () => Promise<void>) => {
      while (!isOver) {
        await walk();
        await sleep(random() * MAX_REST_MS);
      }
    };
    let amounts = 100_000;
    /** A different amount for each card, to identify its calls. */
    const nextAmount = () => `1.${String(++amounts).slice(1)}1`;
    const ended = new Map<Person, { readonly amount: string; readonly card: BotMessage }[]>();
    const trade = async (person: Person) => {
      const amount = nextAmount();
      const shown = new RegExp(`You pay: ${amount} KLV`);
      const card =
        below(2) === 0
          ? await asks(person, [[`/swap ${amount} KLV KFI`, shown]])
          : await asks(person, [
              ["/swap", /Which token do you pay with/],
              ["KLV", /Which token do you want/],
              ["KFI", /How much/],
              [amount, shown],
            ]);
      person.taps(card, "✅ Confirm");
      person.taps(card, "✅ Confirm");
      await ends(person, card);
      ended.set(person, [...(ended.get(person) ?? []), { amount, card }]);
    };
    const saved = new Map<Person, string>();
    const change = async (person: Person) => {
      const menu = await asks(person, [["/settings", /Quick amounts/]]);
      expect(menu.text).toContain(`Quick amounts: ${saved.get(person) ?? ""}`);
      person.taps(menu, "Quick amounts");
      if (TROUBLE.test((await person.reads(orTrouble(/Send up to four amounts/))).text)) return;
      const amount = nextAmount();
      const done = await says(person, amount, new RegExp(`Quick amounts: ${amount}`));
      if (done === undefined) return;
      saved.set(person, amount);
    };
    const histories = new Map([...watches.keys()].map((id) => [id, [stateOf(exchange, id)]]));
    const fill = async () => {
      const id = [...watches.keys()][below(ORDERS)]!;
      exchange.fill(id, BigInt(1 + below(100)), BigInt(600_000 + below(200_000)));
      histories.get(id)!.push(stateOf(exchange, id));
      await sleep(20 + below(140));
    };

    const taken: Taken[] = [];
    let life = 0;
    let heardAt = -1;
    const polled = () => Promise.race([until(() => heardAt === life), desk.program().ended]);
    /** Last output of programs that exited on their own, as without the lease. They are restarted, as by systemd. */
    const lastWords: string[] = [];
    /** Resets all stubs to normal, then applies `more`. */
    const arm = (more: (desk: Desk) => void = () => undefined) => {
      desk.services.onCall = () => carriedOut;
      desk.services.onQuotation = () => quoted;
      desk.telegram.intercept = () => undefined;
      more(desk);
      const { intercept } = desk.telegram;
      desk.telegram.intercept = (call) => {
        const answer = intercept(call);
        const { method, parameters } = call;
        if (method === "getUpdates") heardAt = life;
        if (answer === undefined && method === "sendMessage" && isAlert(parameters))
          taken.push({ ...readAlert(String(parameters["text"])), userId: Number(parameters["chat_id"]), life });
        return answer;
      };
    };
    arm();
    const keepers = Array.from({ length: KEEPERS }, () => desk.stranger());
    const walks = Promise.all([
      ...traders.map((person) => walking(() => trade(person))),
      ...keepers.map((person) => walking(() => change(person))),
      walking(fill),
    ]);
    walks.catch(() => undefined);
    onTestFinished(() => {
      isOver = true;
    });

    const names = Object.keys(moments);
    let lostAnswers = 0;
    for (; life < KILLS; life += 1) {
      if (life > 0 && life % 50 === 0) process.stdout.write(`${life} of ${KILLS} kills\n`);
      // An update that ended two runs is handled alone before the third one polls, and given up if it ends that too.
      await polled();
      const name = names[life % (names.length + 2)];
      if (name === undefined) {
        await sleep(random() * MAX_LIFE_MS);
        desk.program().kill("SIGKILL");
      } else {
        let chances = below(CHANCES);
        let isStruck = false;
        arm((desk) =>
          moments[name]!(desk, () => {
            if (isStruck || chances-- > 0) return false;
            desk.program().kill("SIGKILL");
            return (isStruck = true);
          }),
        );
        const struck = until(
          () => isStruck,
          () => `nothing happened of the kind: ${name}`,
        );
        const wasKilled = await Promise.race([
          struck.then(() => true),
          desk.program().ended.then(() => isStruck),
          walks.then(() => true),
        ]);
        if (!wasKilled) lastWords.push(desk.program().output().slice(-500));
        else if (name === "an alert was taken") lostAnswers += 1;
      }
      await desk.program().ended;
      // Requests that it sent before it died may still arrive.
      await desk.telegram.hungUp();
      arm();
      desk.start();
    }
    for (let kill = 0; kill < SERVER_KILLS; kill += 1) {
      await polled();
      await sleep(random() * MAX_LIFE_MS);
      life += 1;
      await server?.kill();
      await sleep(random() * MAX_LIFE_MS);
      life += 1;
      await server?.start();
      const { ended } = desk.program();
      const isOver = await Promise.race([ended.then(() => true), sleep(DOUBT_MS, false)]);
      if (isOver) desk.start();
    }
    isOver = true;
    await walks;

    // Each confirmed card led to at most one call, and shows its outcome.
    const calls = new Map<string, number>();
    for (const { json } of desk.services.calls()) {
      const payment = String(json?.["value"]);
      calls.set(payment, (calls.get(payment) ?? 0) + 1);
    }
    const endings = { ok: 0, unknown: 0, "not sent": 0 };
    for (const { amount, card } of [...ended.values()].flat()) {
      const payment = `KLV=${amount.replace(".", "")}`;
      const left = calls.get(payment) ?? 0;
      expect(left, amount).toBeLessThanOrEqual(1);
      const ending = accepted.test(card.text) ? "ok" : /Outcome unknown/.test(card.text) ? "unknown" : "not sent";
      if (ending !== "unknown") expect(left, `${amount} ${card.text}`).toBe(ending === "ok" ? 1 : 0);
      if (unanswered.has(payment)) expect(ending).toBe("unknown");
      endings[ending] += 1;
    }
    expect(calls.size).toBeLessThanOrEqual([...ended.values()].flat().length);
    // Otherwise the test would prove nothing.
    expect(endings.ok).toBeGreaterThan(KILLS);
    expect(unanswered.size).toBeGreaterThan(0);
    expect(lastWords.filter((said) => !onPostgres || !said.includes("PostgreSQL"))).toEqual([]);
    process.stdout.write(
      `${KILLS} kills, ${lastWords.length} ends by itself, ${JSON.stringify(endings)}, ${taken.length} alerts\n`,
    );

    // Interrupted calls were announced in separate messages; the history has each card once, with its outcome.
    await Promise.all(
      [...ended].map(async ([person, cards]) => {
        const unknown = cards.filter(({ card }) => /Outcome unknown/.test(card.text)).length;
        const told = () => person.transcript().filter((text) => /^⚠️ Outcome unknown/.test(text)).length;
        await until(() => told() >= unknown);
        const history = await wholeHistory(person);
        for (const { amount, card } of cards) {
          if (!accepted.test(card.text) && !/Outcome unknown/.test(card.text)) continue;
          const rows = history.filter((row) => row.includes(` ${amount} KLV →`));
          expect(rows, amount).toHaveLength(1);
          expect(rows[0]).toContain(accepted.test(card.text) ? "accepted" : "unknown");
        }
      }),
    );
    for (const [person, amount] of saved) {
      person.says("/settings");
      expect((await person.reads(/Quick amounts/)).text).toContain(`Quick amounts: ${amount}`);
    }

    // The remaining orders end; every watcher learned of every change, in order.
    for (const id of [...watches.keys()].slice(4)) {
      if (below(3) === 0) exchange.cancel(id);
      else exchange.fill(id, exchange.order(id).quantity - exchange.order(id).filled, 700_000n);
      histories.get(id)!.push(stateOf(exchange, id));
    }
    const pairs = [...watches].flatMap(([id, watchers]) => watchers.map(({ id: userId }) => ({ userId, id })));
    const toldOf = ({ userId, id }: { userId: number; id: string }) =>
      taken.filter((alert) => alert.userId === userId && alert.orderId === id);
    const untold = () =>
      pairs.filter(
        (pair) => !isSameState(toldOf(pair).at(-1)?.to ?? histories.get(pair.id)![0]!, stateOf(exchange, pair.id)),
      );
    await until(
      () => untold().length === 0,
      () => `not told to the end: ${JSON.stringify(untold())}`,
    );
    const repeated: Taken[] = [];
    for (const pair of pairs) {
      const history = histories.get(pair.id)!;
      const position = (state: ToldState) => history.findIndex((one) => isSameState(one, state));
      const told = toldOf(pair);
      let [known, sum] = [history[0]!, 0n];
      for (const [index, alert] of told.entries()) {
        const previous = told[index - 1];
        if (previous !== undefined && !isSameState(alert.from, previous.to)) {
          // The alert includes the previous change again, because that alert isn't known to have been delivered.
          repeated.push(previous);
          known = previous.from;
          sum -= previous.since;
        }
        expect(alert.from, nameOf(alert)).toEqual(known);
        expect(position(alert.to), nameOf(alert)).toBeGreaterThan(position(alert.from));
        known = alert.to;
        sum += alert.since;
      }
      expect(known).toEqual(history.at(-1));
      expect(sum).toBe(exchange.order(pair.id).filled);
    }
    // A change is repeated only if a kill struck before the answer to its alert could be recorded.
    for (const one of repeated) {
      const ofItsLife = taken.filter(({ userId, life }) => userId === one.userId && life === one.life);
      expect(nameOf(one)).toBe(nameOf(ofItsLife.at(-1)!));
      expect(one.life).toBeLessThan(life);
    }
    expect(repeated.length).toBeGreaterThanOrEqual(lostAnswers);

    desk.program().kill("SIGTERM");
    expect(await desk.program().ended).toBe(0);
    if (!onPostgres) expect(verify(join(desk.folder, "store", DATA_FILE))).toBeGreaterThan(0);
  },
  300_000 + (KILLS + SERVER_KILLS) * 15_000,
);

const ENDED = /not yet confirmed|Outcome unknown|Not sent/;

/** Answers while the database is down, or if a price is late on a busy machine. */
const TROUBLE =
  /so nothing was done|can't read your saved data|nothing was sent\. Try|I have to restart|Something went wrong|did not respond in time/;

function orTrouble(pattern: RegExp): RegExp {
  return new RegExp(`${pattern.source}|${TROUBLE.source}`);
}

/** Sends a text. @returns the answer; undefined if it reports trouble. */
async function says(person: Person, line: string, pattern: RegExp): Promise<BotMessage | undefined> {
  person.says(line);
  const answer = await person.reads(orTrouble(pattern));
  return TROUBLE.test(answer.text) ? undefined : answer;
}

/** Sends one line after another, and starts over after trouble: the dialog may not have been saved. */
async function asks(person: Person, talk: readonly (readonly [line: string, pattern: RegExp])[]): Promise<BotMessage> {
  for (;;) {
    let answer: BotMessage | undefined;
    for (const [line, pattern] of talk) {
      answer = await says(person, line, pattern);
      if (answer === undefined) break;
    }
    if (answer !== undefined) return answer;
    await sleep(MAX_LIFE_MS);
  }
}

/** Waits for the outcome of a confirmed card, and confirms it again if that was refused. */
async function ends(person: Person, card: BotMessage): Promise<void> {
  const refusals = () => person.transcript().filter((text) => TROUBLE.test(text)).length;
  let known = 0;
  const ended = () => {
    if (refusals() > known && card.buttons.some(({ text }) => text.startsWith("✅ Confirm"))) {
      known = refusals();
      person.taps(card, "✅ Confirm");
    }
    return ENDED.test(card.text);
  };
  await until(
    ended,
    () => `${card.text}\ndid not end:\n${[...person.transcript(), person.tapAnswers()].join("\n---\n")}`,
  );
}

/** Makes users watch orders. @returns the watchers of each order. */
async function watchOrders(desk: Desk, exchange: ExchangeStub): Promise<ReadonlyMap<string, readonly Person[]>> {
  const watchers = Array.from({ length: WATCHERS }, () => desk.stranger());
  const watches = new Map<string, Person[]>();
  for (let index = 0; index < ORDERS; index += 1) {
    const { id } = exchange.add(QUANTITY);
    const people = Array.from({ length: WATCHERS_OF_AN_ORDER }, (_, turn) => watchers[(3 * index + turn) % WATCHERS]!);
    watches.set(id, people);
    await Promise.all(
      people.map(async (person) => {
        person.says(`/order ${id}`);
        const card = await person.reads(new RegExp(id));
        person.taps(card, "🔔");
        await person.sees(card, /You're watching this order/);
      }),
    );
  }
  return watches;
}

function stateOf(exchange: ExchangeStub, id: string): ToldState {
  const { status, filled } = exchange.order(id);
  return { status, filled };
}

function nameOf({ userId, orderId, from, to, life }: Taken): string {
  return `${userId} ${orderId} ${from.status} ${from.filled} → ${to.status} ${to.filled} in life ${life}`;
}
