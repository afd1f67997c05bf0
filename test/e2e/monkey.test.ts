import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { botEnvironment } from "../../sandbox/bot-environment.js";
import { serviceFaults } from "../../sandbox/faults.js";
import { startSandbox, type Sandbox } from "../../sandbox/sandbox.js";
import { bundled } from "../support/bundled.js";
import { dropDatabase, onPostgres, storeEnvironment } from "../support/engine.js";
import { OUTCOME, paymentOf, paymentOn } from "../support/payment-on.js";
import { project } from "../support/process.js";
import { seededRandom } from "../support/seed.js";
import { stopwatch } from "../support/stopwatch.js";
import { until } from "../support/until.js";

/** 60 in `npm run test:full`; `MONKEY_SECONDS=3600 npx vitest run test/e2e/monkey.test.ts` runs longer. */
const SECONDS = Number(process.env["MONKEY_SECONDS"] ?? 10);
const MAX_EXTRA_MS = 240_000;
/** With no more calls than this, the test would prove nothing. */
const FEW = 5;
/** While all is well, before the next trouble. */
const REPLIES_AT_ONCE = 12;
/** So many that the p95 is not the longest of them: a single pause of a busy machine. */
const REPLIES = 40;
const PEOPLE = 60;
/** The first of the users only watch orders, and one only sends /help while all is well. */
const WATCHERS = 10;
const WATCHERS_OF_AN_ORDER = 3;
const ORDERS = 12;
/** Times that a rest may take on a busy machine. */
const SLOWEST = 20;
const MEGABYTES = 400;
/** Telegram's limit. */
const CALLS_IN_A_SECOND = 30;
const FIRST_ID = 2001;
const ids = Array.from({ length: PEOPLE }, (_, index) => FIRST_ID + index);
const watchers = ids.slice(0, WATCHERS);
const [polite = 0, ...monkeys] = ids.slice(WATCHERS);

const random = seededRandom("monkey");
const below = (limit: number) => Math.floor(random() * limit);
const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;

type Message = ReturnType<Sandbox["telegram"]["chat"]>[number];

/** One run of the program. */
interface Life {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves with the exit code or the signal. */
  readonly ended: Promise<number | string>;
}

/** What was done to the program and its services, to find out why something failed. */
const diary: string[] = [];
const note = (what: string) => diary.push(`${new Date().toISOString().slice(11, 23)} ${what}`);

it(
  "calls, cards and alerts stay correct, whatever users, services, clocks and signals do",
  async () => {
    const main = await bundled("src/main.ts");
    const people = ids.map((id) => ({ id, firstName: `Person ${id}`, languageCode: id % 5 === 0 ? "pt" : "en" }));
    const sandbox = await startSandbox({ people });
    const folder = await mkdtemp(join(tmpdir(), "swapdesk-monkey-"));
    const stored = await storeEnvironment();
    const { telegram, market, faults } = sandbox;
    const lives: Life[] = [];
    onTestFinished(async () => {
      for (const { child } of lives) child.kill("SIGKILL");
      await Promise.all(lives.map(({ ended }) => ended));
      if (stored.DATABASE_URL !== undefined) await dropDatabase(stored.DATABASE_URL);
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    });
    const tokensFile = join(folder, "tokens.json");
    await writeFile(tokensFile, JSON.stringify(sandbox.world.tokens));
    const start = (): Life => {
      const life = startLife(main, {
        ...botEnvironment(sandbox, { storeDir: join(folder, "store"), tokensFile }),
        ...stored,
        HTTP_TIMEOUT_SECONDS: "2",
        QUOTE_TTL_SECONDS: "8",
        ORDER_POLL_MIN_SECONDS: "0.3",
        ORDER_POLL_MAX_SECONDS: "3",
        ORDER_POLL_RPS: "20",
        CLOCK_AHEAD_MS: String(ahead),
      });
      lives.push(life);
      return life;
    };
    let ahead = 0;
    let life = start();
    const calm = await startCalm(main, tokensFile);

    /** Number of calls for each payment of a swap, whatever their outcome. */
    const calls = new Map<string, number>();
    sandbox.wireLog.subscribe(({ path, requestBody }) => {
      if (path !== "/vm/query" || !requestBody.includes('"swap"')) return;
      const { funcName, value } = JSON.parse(requestBody) as { funcName: string; value: string };
      if (funcName !== "swap") return;
      const [id, units = ""] = value.split("=");
      const token = sandbox.world.tokens.find((one) => one.id === id)!;
      const payment = paymentOf({ token, units: BigInt(units) });
      calls.set(payment, (calls.get(payment) ?? 0) + 1);
    });
    /** Ids of the cards whose confirm was tapped, by payment. */
    const confirmed = new Map<string, Set<string>>();

    /** Number of answered polls: if there is always an update, no poll ever waits. */
    let polls = 0;
    /** Number of all other calls to Telegram. */
    let calledTelegram = 0;
    sandbox.wireLog.subscribe(({ service, path, status }) => {
      if (!path.endsWith("/getUpdates")) calledTelegram += service === "telegram" ? 1 : 0;
      else if (status === 200) polls += 1;
    });
    const untilPolled = (): Promise<void> => {
      const before = polls;
      return until(
        () => telegram.isPolled() || polls > before,
        () => `nobody polls\n${diary.join("\n")}\n${life.output().slice(-2000)}`,
      );
    };
    const botSaid = (id: number) => telegram.chat(id).filter(({ from }) => from === "bot");
    const reads = async (id: number, pattern: RegExp) => {
      const found = () => botSaid(id).find(({ text }) => pattern.test(text));
      await until(
        () => found() !== undefined,
        () =>
          `${id} did not read ${String(pattern)}:\n${botSaid(id)
            .map(({ text }) => text)
            .join("\n---\n")}`,
      );
      return found()!;
    };

    // Before the storm: set payout addresses, and watch orders.
    const address = sandbox.world.accounts.find(({ telegramId }) => telegramId !== undefined)!.address;
    await untilPolled();
    for (const id of monkeys) telegram.sendText(id, `/wallet ${address}`);
    const orders = Array.from({ length: ORDERS }, () => market.add({ quantity: "100", price: "0.007" }).orderId);
    const watchersOf = new Map<string, number[]>();
    for (const [index, order] of orders.entries()) {
      const chosen = Array.from({ length: WATCHERS_OF_AN_ORDER }, (_, turn) => watchers[(index + turn) % WATCHERS]!);
      watchersOf.set(order, chosen);
      for (const id of chosen) {
        telegram.sendText(id, `/order ${order}`);
        const card = await reads(id, new RegExp(order));
        telegram.press(id, card.messageId, `v1:ow:${order}`);
        // The card now offers to stop watching.
        const isWatched = ({ keyboard }: Message) =>
          keyboard?.flat().some(({ data }) => data === `v1:ou:${order}`) === true;
        await until(
          () => botSaid(id).some(isWatched),
          () => `${id} cannot watch ${order}`,
        );
      }
    }
    await Promise.all(monkeys.map((id) => reads(id, /klv1/)));

    const end = performance.now() + SECONDS * 1000;
    /** Milliseconds that each answer took longer than one that nobody else delays, asked for at the same moment. */
    const delays: number[] = [];
    /** Calls to Telegram before each answer: unlike its time, this doesn't depend on how busy the machine is. */
    const overtaken: number[] = [];
    /** A slow machine gets extra time, until there is enough to check. */
    const isOver = () => {
      const isEnough = delays.length >= REPLIES && calls.size > FEW;
      return performance.now() > end + (isEnough ? 0 : MAX_EXTRA_MS);
    };
    const seen: number[] = [];
    let lastUnits = 1_000_000;

    /** Each swap has a different payment, which identifies its calls and cards. */
    const swapText = () => {
      lastUnits += 1;
      return `/swap 1.${String(lastUnits).slice(1)} KLV KFI`;
    };

    function tap(id: number, { messageId, text, keyboard }: Message): void {
      const buttons = keyboard?.flat().filter(({ data }) => data !== undefined && !data.startsWith("v1:am")) ?? [];
      const confirm = buttons.find((one) => one.text.startsWith("✅"));
      const button = below(2) === 0 && confirm !== undefined ? confirm : buttons[below(buttons.length)];
      if (button?.data === undefined) return;
      const payment = paymentOn(text);
      const id64 = button.data.split(":")[2] ?? "";
      if (button.text.startsWith("✅") && payment !== undefined) {
        confirmed.set(payment, (confirmed.get(payment) ?? new Set()).add(id64));
      }
      for (let times = oneOf([1, 1, 1, 2, 5]); times > 0; times -= 1) {
        seen.push(telegram.press(id, messageId, button.data).updateId);
      }
    }

    function act(id: number): void {
      const said = botSaid(id);
      const withButtons = said.filter(({ keyboard }) => keyboard !== undefined);
      const say = (text: string) => seen.push(telegram.sendText(id, text).updateId);
      const choice = below(10);
      if (choice < 4) {
        say(swapText());
        // Users tap after a random time, without waiting for the card.
        void sleep(below(2_000)).then(() => {
          const card = botSaid(id).at(-1);
          if (card?.keyboard !== undefined && !isOver()) tap(id, card);
        });
      } else if (choice < 6 && withButtons.length > 0) tap(id, withButtons.at(-1)!);
      else if (choice === 6 && withButtons.length > 0) tap(id, oneOf(withButtons));
      else if (choice === 7 && seen.length > 0) telegram.redeliver([oneOf(seen.slice(-50))]);
      else say(oneOf(lines));
    }

    /** Longer by what the machine has no processor for: else it would be the monkeys that nobody could keep up with. */
    async function rest(milliseconds: number): Promise<void> {
      const [took, latest] = [stopwatch(life.child.pid), performance.now() + SLOWEST * milliseconds];
      while (took() < milliseconds && performance.now() < latest) await sleep(5);
    }

    async function behaveBadly(): Promise<void> {
      while (!isOver()) {
        act(oneOf(monkeys));
        await rest(20 + below(180));
      }
    }

    /** Measures how much longer than alone a user who behaves well waits while all is well. */
    async function askPolitely(): Promise<void> {
      for (let replies = 0; replies < REPLIES_AT_ONCE; replies += 1) {
        const calledBefore = calledTelegram;
        const [crowded, alone] = await Promise.all([
          answerTime(telegram, life).finally(() => overtaken.push(calledTelegram - calledBefore)),
          answerTime(calm.telegram, calm.life),
        ]);
        delays.push(crowded - alone);
        await sleep(200);
      }
    }

    /** Fills and cancels orders all the while, each to its end. */
    async function trade(): Promise<void> {
      const steps = orders.flatMap((order) => [order, order, order]);
      while (steps.length > 0 && !isOver()) {
        const [order = ""] = steps.splice(below(steps.length), 1);
        if (!steps.includes(order)) {
          if (below(2) === 0) market.cancel(order);
          else market.fill(order, "50");
        } else market.fill(order, "25");
        await sleep((SECONDS * 900) / (3 * ORDERS));
      }
      for (const order of steps) if (market.order(order)?.status !== "DONE") market.cancel(order);
    }

    const fates: Readonly<Record<string, () => Promise<void>>> = {
      kill: async () => {
        life.child.kill("SIGKILL");
        await life.ended;
        life = start();
      },
      terminate: async () => {
        // A program that hasn't started yet can't stop cleanly.
        await untilPolled();
        life.child.kill("SIGTERM");
        expect(await life.ended, "the exit code after SIGTERM").toBe(0);
        life = start();
      },
      contend: async () => {
        const other = start();
        // If two start at about the same time, either may win.
        const first = life;
        if (onPostgres) {
          // The other one is a standby, and takes over.
          first.child.kill("SIGKILL");
          await first.ended;
          life = other;
          return;
        }
        const [loser, winner] = await Promise.race([
          other.ended.then(() => [other, first] as const),
          first.ended.then(() => [first, other] as const),
        ]);
        life = winner;
        expect(await loser.ended, `${diary.join("\n")}\n${loser.output()}\n${winner.output().slice(-2000)}`).toBe(1);
      },
      clock: async () => {
        const step = oneOf([-3_600_000, -60_000, -5_000, 5_000, 60_000, 3_600_000]);
        note(`clock ${step}`);
        ahead += step;
        life.child.send(step);
      },
      services: async () => {
        for (const service of ["node", "quotation", "exchange"] as const)
          faults.next(service, oneOf(serviceFaults), 1 + below(3));
        faults.next("telegram", oneOf(serviceFaults.filter((fault) => fault !== "hang")), 1 + below(3));
        telegram.faultNext(
          oneOf(["sendMessage", "editMessageText", "answerCallbackQuery"]),
          oneOf(["hang", "drop-after", "500"]),
          1,
        );
      },
    };

    const heal = () => {
      for (const service of ["node", "quotation", "exchange", "telegram"] as const) faults.set(service, undefined);
      telegram.clearFaults();
    };

    async function storm(): Promise<void> {
      while (!isOver()) {
        for (let turn = 0; turn < 3; turn += 1) {
          const fate = oneOf([...Object.keys(fates), "services", "services"]);
          note(fate);
          await fates[fate]!();
          // Trouble comes at random times, whatever is in progress.
          await sleep(below(1500));
        }
        heal();
        await untilPolled();
        await askPolitely();
      }
    }

    await Promise.all([storm(), behaveBadly(), trade()]);

    // After the storm: a restart shows what couldn't be shown.
    const memory = await residentMegabytes(life.child.pid);
    heal();
    await fates["terminate"]!();
    await untilPolled();

    for (const order of orders) {
      for (const id of watchersOf.get(order)!)
        await reads(id, new RegExp(`(filled|cancelled|executada|cancelada)[^]*${order}`, "i"));
    }
    const cards = () => monkeys.flatMap((id) => botSaid(id).filter(({ text }) => paymentOn(text) !== undefined));
    const untold = () => {
      const outcomes = new Map<string, number>();
      const settled = new Set<string>();
      for (const { text } of cards()) {
        const payment = paymentOn(text)!;
        if (OUTCOME.test(text)) outcomes.set(payment, (outcomes.get(payment) ?? 0) + 1);
        if (!text.includes("⏳")) settled.add(payment);
      }
      return [...new Set(cards().map(({ text }) => paymentOn(text)!))].filter(
        (payment) => !settled.has(payment) || (calls.get(payment) ?? 0) > (outcomes.get(payment) ?? 0),
      );
    };
    await until(
      () => untold().length === 0,
      () => `these payments were not told of: ${untold().join(", ")}\n${diary.join("\n")}`,
    );
    const doubled = [...calls].filter(([payment, times]) => times > (confirmed.get(payment)?.size ?? 0));
    expect(doubled, diary.join("\n")).toEqual([]);

    const output = lives.map(({ output }) => output()).join("");
    expect(output).not.toMatch(/unhandled|uncaught|MaxListeners|TypeError|RangeError|ReferenceError|"level":60/i);
    expect(memory).toBeLessThan(MEGABYTES);

    const p95 = (values: readonly number[]) =>
      values.toSorted((left, right) => left - right)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;
    process.stdout.write(
      `monkey: ${lives.length} starts, ${[...confirmed.values()].reduce((sum, { size }) => sum + size, 0)} cards confirmed, ` +
        `${[...calls.values()].reduce((sum, times) => sum + times, 0)} calls, ${memory.toFixed(0)} MB, ` +
        `${delays.length} replies with a p95 of ${p95(delays).toFixed(0)} ms more than alone, behind ${p95(overtaken)} calls\n`,
    );
    expect(delays.length).toBeGreaterThanOrEqual(REPLIES);
    const each = delays.map((delay, reply) => `${delay.toFixed(0)} ms, behind ${overtaken[reply]} calls`).join("\n");
    expect(p95(delays), each).toBeLessThan(1_000);
    expect(p95(overtaken)).toBeLessThan(CALLS_IN_A_SECOND);
    expect(calls.size).toBeGreaterThan(FEW);
  },
  SECONDS * 1000 + MAX_EXTRA_MS + 120_000,
);

const lines = [
  "/help",
  "/quote 1 KLV KFI",
  "/multihop 1 KLV DVK-34ZH KFI",
  "/multihop",
  "/lock 1 KFI 30d",
  "/lock",
  "/locks",
  "/orders",
  "/order 1989652f-be77-4179-924e-b71c03a4198a",
  "/swap",
  "/launch",
  "/settings",
  "/history",
  "/fees",
  "/freeze",
  "/unfreeze",
  "/unfreeze",
  "/unfreeze",
  "/cancel",
  "/testalert",
  "/nonsense",
  "KLV",
  "KFI",
  "1.5",
  "12:00-13:00",
  "\u202E\u200B💥",
];

/**
 * Starts the same program once more, in a world of its own with nobody but the user who behaves well. The machine delays
 * its answers as much: by its processors, its disk and whatever else runs there.
 */
async function startCalm(main: string, tokensFile: string) {
  const sandbox = await startSandbox({ people: [{ id: polite, firstName: "Calm", languageCode: "en" }] });
  const folder = await mkdtemp(join(tmpdir(), "swapdesk-calm-"));
  const stored = await storeEnvironment();
  const life = startLife(main, {
    ...botEnvironment(sandbox, { storeDir: join(folder, "store"), tokensFile }),
    ...stored,
  });
  onTestFinished(async () => {
    life.child.kill("SIGKILL");
    await life.ended;
    if (stored.DATABASE_URL !== undefined) await dropDatabase(stored.DATABASE_URL);
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { telegram } = sandbox;
  await until(
    () => telegram.isPolled(),
    () => `nobody polls\n${life.output()}`,
  );
  return { telegram, life };
}

/** Milliseconds until the user who behaves well has an answer. */
async function answerTime(telegram: Sandbox["telegram"], life: Life): Promise<number> {
  const answers = () => telegram.chat(polite).filter(({ from }) => from === "bot").length;
  const [before, askedAt] = [answers(), performance.now()];
  telegram.sendText(polite, "/help");
  await until(
    () => answers() > before,
    () => `/help was not answered; the program ${ending(life)}\n${diary.join("\n")}\n${life.output().slice(-2000)}`,
  );
  return performance.now() - askedAt;
}

function startLife(main: string, environment: Readonly<Record<string, string>>): Life {
  const preload = join(project, "test/support/stepped-clock.mjs");
  const child = spawn(process.execPath, ["--import", preload, main], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = once(child, "close").then(([code, signal]: (number | string | null)[]) => code ?? signal ?? "unknown");
  return { child, output: () => Buffer.concat(chunks).toString("utf8"), ended };
}

function ending({ child }: Life): string {
  return child.exitCode === null ? "runs" : `ended with ${child.exitCode}`;
}

async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
