import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { stdout } from "node:process";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { textOf } from "../../sandbox/chain/address.js";
import type { ServiceFault } from "../../sandbox/faults.js";
import type { WorldJson } from "../../sandbox/world.js";
import { bob } from "../sandbox/node/real-node.js";
import { bundled } from "../support/bundled.js";
import { paidByBob } from "../support/paid-by-bob.js";
import { startProgram } from "../support/process.js";
import { defaultWorld, sandboxDesk, type SandboxDesk } from "../support/sandbox-desk.js";
import { createSwiftClock } from "../support/swift-clock.js";
import { until } from "../support/until.js";

const TIMES = 10;
const PEOPLE = 20;
const ALERTS = 24;
const [SECOND, MINUTE] = [1000, 60_000];

/** How Telegram is away: `refuses` connections, or as the sandbox does. */
const ways = ["hang", "drop-after", "refuses"] as const;
type Way = (typeof ways)[number];

const ids = Array.from({ length: PEOPLE }, (_, index) => 2001 + index);
const nameOf = (id: number) => `Person ${id}`;

/** Twenty people with an account each, and a pair that isn't open yet. */
const world: WorldJson = {
  ...defaultWorld,
  accounts: [
    ...(defaultWorld.accounts ?? []),
    ...ids.map((telegramId) => ({
      address: textOf(createHash("sha256").update(nameOf(telegramId)).digest()),
      name: nameOf(telegramId),
      telegramId,
      balances: { KLV: "10000000000", KFI: "500000000" },
    })),
  ],
  pairs: (defaultWorld.pairs ?? []).map((pair) =>
    pair.secondToken === "BTC-9K3F" ? { ...pair, state: "Inactive" as const } : pair,
  ),
};

/** Passes requests on to Telegram, unless connections are refused. */
async function gate() {
  let [port, to] = [0, ""];
  /** Messages whose answer the bot didn't get. */
  const lost: { readonly chat_id: number; readonly text: string }[] = [];
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: new URL(to).host };
    const passed = request(`${to}${incoming.url}`, { method: incoming.method!, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.on("error", () => outgoing.destroy()).pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    const sent: Buffer[] = [];
    incoming.on("data", (part: Buffer) => sent.push(part));
    outgoing.on("close", () => {
      passed.destroy();
      if (outgoing.writableFinished || incoming.url?.endsWith("/sendMessage") !== true) return;
      // One that didn't even get here whole isn't readable.
      if (incoming.complete) lost.push(JSON.parse(Buffer.concat(sent).toString()) as (typeof lost)[number]);
    });
    incoming.pipe(passed);
  });
  const open = async (): Promise<void> => {
    await once(server.listen(port, "127.0.0.1"), "listening");
    ({ port } = server.address() as AddressInfo);
  };
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  await open();
  return { url: `http://127.0.0.1:${port}`, open, close, passTo: (url: string) => (to = url), lost };
}

/** The whole program in its own process, with all its clocks ten times as fast, in a sandbox that is as fast. */
async function desk() {
  const telegram = await gate();
  onTestFinished(() => telegram.close());
  const from = Date.now();
  const clock = createSwiftClock(TIMES);
  const main = await bundled("src/main.ts");
  const preload = fileURLToPath(new URL("../support/fast-clock.mjs", import.meta.url));
  const made = await sandboxDesk(
    {
      ...{ wallet: true, clock, world },
      people: ids.map((id) => ({ id, firstName: nameOf(id), languageCode: "en" })),
      startBot: ({ TELEGRAM_API_ROOT: url, ...environment }) => {
        telegram.passTo(url!);
        const program = startProgram([process.execPath, "--import", preload, main], {
          environment: {
            ...environment,
            ...{ TELEGRAM_API_ROOT: telegram.url, CLOCK_TIMES: String(TIMES), CLOCK_FROM: String(from) },
          },
          folder: environment["STORE_DIR"]!.replace(/store$/, ""),
        });
        return {
          stop: async () => {
            program.kill("SIGKILL");
            await program.ended;
          },
        };
      },
    },
    { PRICE_POLL_RPS: "10", HTTP_TIMEOUT_SECONDS: "20", QUOTE_TTL_SECONDS: "600", LOG_LEVEL: "warn" },
  );
  return { ...made, telegram, clock, pass: (milliseconds: number) => sleep(milliseconds / TIMES) };
}

/** A few at a time: ten times as fast, nobody may wait for long. */
async function inLanes(work: (id: number) => Promise<void>): Promise<void> {
  const waiting = [...ids];
  const lane = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await work(id);
  };
  await Promise.all([lane(), lane(), lane()]);
}

const textsTo = ({ sandbox }: SandboxDesk, id: number): readonly string[] =>
  sandbox.telegram.chat(id).flatMap(({ from, text }) => (from === "bot" ? [text] : []));

const total = (counts: readonly number[]): number => counts.reduce((sum, each) => sum + each, 0);

it.each(ways)(
  "an hour in which Telegram's way of being away is %s: all is told, but what can't be known is counted",
  async (way) => {
    const made = await desk();
    const { sandbox, clock, telegram, pass } = made;
    const people = new Map(ids.map((id) => [id, made.person(id)]));
    const person = (id: number) => people.get(id)!;
    const quoted = async (line: string, out: string): Promise<number> => {
      const amount = new RegExp(`You get about: ([0-9.,]+) ${out}`);
      const { text } = await person(ids[0]!).asks(line, amount);
      return Number(amount.exec(text)![1]!.replaceAll(",", ""));
    };
    await person(ids[0]!).asks(`/wallet ${made.address(nameOf(ids[0]!))}`);
    const [kfiFor100, klvFor5] = [await quoted("/quote 100 KLV KFI", "KFI"), await quoted("/quote 5 KFI KLV", "KLV")];
    const klvFor1 = klvFor5 / 5;
    await inLanes(async (id) => {
      const one = person(id);
      await one.asks(`/wallet ${made.address(nameOf(id))}`);
      for (const line of [
        `/limit 100 KLV KFI for ${(kfiFor100 * 1.03).toFixed(4)}`,
        `/stoploss 5 KFI KLV for ${(klvFor5 * 0.97).toFixed(2)}`,
      ]) {
        const setUp = await one.asks(line, /I hold no key/);
        await one.taps(setUp, "👍 Set this order");
        await one.reads(/ set\n/);
      }
      for (let place = 0; place < ALERTS; place += 1)
        await one.asks(`/alert KFI below ${(klvFor1 * (0.98 - 0.001 * place)).toFixed(4)} KLV`, /^KFI below/);
      await one.asks("/newpairs 1 KLV", /On: /);
      await one.taps(await one.asks("/balance", /Reported by the node/), "📥 Tell me what arrives");
    });
    // Half an hour after Telegram is gone.
    const due = new Date(clock.now() + 36 * MINUTE).toISOString().slice(11, 16);
    await inLanes(async (id) => {
      const one = person(id);
      await one.taps(await one.asks(`/dca 50 KLV KFI daily ${due} x3 UTC`, /I hold no key/), "👍 Set this order");
      await one.reads(/ set\n/);
    });
    const before = new Map(ids.map((id) => [id, textsTo(made, id).length]));
    const told = (pattern: RegExp) =>
      ids.map(
        (id) =>
          textsTo(made, id)
            .slice(before.get(id))
            .filter((text) => pattern.test(text)).length,
      );

    const { node } = sandbox.real!;
    const heldBy = (id: number) => made.balancesOf(nameOf(id))["KLV"];
    /** Pays everybody; what came beside another of Bob's transactions is sent again. */
    const pay = async (units: number) => {
      const had = new Map(ids.map((id) => [id, heldBy(id)]));
      const unpaid = () => ids.filter((id) => heldBy(id) === had.get(id));
      while (unpaid().length > 0) {
        for (const id of unpaid()) await paidByBob(made, units, { payee: nameOf(id) });
        await until(() => {
          node.catchUp();
          return node.pool(bob).length === 0;
        });
      }
    };
    // A first one, which is on its way as Telegram goes.
    await pay(1_000_000);
    await pass(6 * SECOND);
    const from = clock.now();
    const goes: Record<Way, () => void> = {
      refuses: telegram.close,
      hang: () => sandbox.faults.set("telegram", "hang"),
      "drop-after": () => sandbox.faults.set("telegram", "drop-after" satisfies ServiceFault),
    };
    goes[way]();
    await pass(2 * MINUTE);
    for (const { address, firstToken, secondToken } of sandbox.chain.pools())
      if ([firstToken, secondToken].includes("KFI")) sandbox.chain.pushPrice(address, "KFI", -10);
    await pay(2_000_000);
    const { pairs, journal } = sandbox.chain.state;
    const [closed] = [...pairs.entries()].find(([, { state }]) => state === "Inactive")!;
    journal.atomically(() => pairs.set(closed, { ...pairs.get(closed)!, state: "Active" }));
    await pass(from + 60 * MINUTE - clock.now());
    if (way === "refuses") await telegram.open();
    else sandbox.faults.set("telegram", undefined);
    const back = clock.now();
    const cards = {
      limits: /^🎯 Your price is there: /,
      stops: /^🛑 Your stop is reached: /,
      purchases: /^🔁 Your purchase is due: /,
      pairs: /^🆕 /,
      second: /^📥[^]*\+2 KLV/,
    };
    const counts = () => ({
      ...Object.fromEntries(Object.entries(cards).map(([name, pattern]) => [name, told(pattern)])),
      alerts: ids.map((id) =>
        total(
          textsTo(made, id)
            .slice(before.get(id))
            .map(
              (text) => [...text.matchAll(/^📉 /gm)].length + Number(/and (\d+) more in \/alerts/.exec(text)?.[1] ?? 0),
            ),
        ),
      ),
    });
    const isTold = () =>
      Object.entries(counts()).every(([name, each]) =>
        each.every((count) => count >= (name === "alerts" ? ALERTS : 1)),
      );
    const deadline = Date.now() + (10 * MINUTE) / TIMES;
    // Not more often: it reads all messages, in the process that the sandbox runs in.
    while (!isTold() && Date.now() < deadline) await pass(5 * SECOND);
    const took = clock.now() - back;
    await pass(3 * MINUTE);
    const found: Record<string, readonly number[]> = counts();
    const first = told(/^📥[^]*\+1 KLV/);
    const unclear = new Map<number, number>();
    await inLanes(async (id) => {
      const { text } = await person(id).asks("/balance", /Reported by the node/);
      unclear.set(id, Number(/(\d+) may not have reached you/.exec(text)?.[1] ?? 0));
    });
    const summary = Object.entries(found).map(
      ([name, each]) => `${name} ${total(each)} (at most ${Math.max(...each)} each)`,
    );
    stdout.write(
      `${way}: ${summary.join(", ")}, all ${(took / 1000).toFixed(0)} s after the return; ` +
        `first payments told ${total(first)}, counted as unclear ${total([...unclear.values()])}; ` +
        `said to be held ${total(told(/^[🎯🛑🔁] Your .*, but /u))}\n`,
    );
    for (const [name, each] of Object.entries(found)) {
      const [one, pattern] = name === "alerts" ? [ALERTS, /^📉 /m] : [1, cards[name as keyof typeof cards]];
      for (const [place, count] of each.entries()) {
        const id = ids[place]!;
        expect(count, `${name} of ${id}`).toBeGreaterThanOrEqual(one);
        // Only what had no answer may have been sent again.
        const lost = telegram.lost.filter(({ chat_id, text }) => chat_id === id && pattern.test(text)).length;
        const came = sandbox.telegram.chat(id).filter(({ from, text }) => from === "bot" && pattern.test(text));
        const texts = came.map(({ date, editedAt = 0, text }) => `${date} ${editedAt} ${text}`);
        expect(count, `${name} of ${id}: ${texts.join("\n---\n")}`).toBeLessThanOrEqual(one * (1 + lost));
      }
    }
    for (const [place, count] of first.entries()) {
      expect(count, "once at most").toBeLessThanOrEqual(1);
      expect(count + unclear.get(ids[place]!)!, "told or counted").toBeGreaterThanOrEqual(1);
    }
  },
  1_200_000,
);
