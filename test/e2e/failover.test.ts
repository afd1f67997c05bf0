import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { bundled } from "../support/bundled.js";
import { ask, twoServers } from "../support/failover.js";
import { project, startProgram, type Program } from "../support/process.js";
import { people, sandboxDesk, type SandboxPerson } from "../support/sandbox-desk.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";

const LAG_MS = 12_000;
const OLD = /an old primary on timeline 1, while this bot has been on 2/;
const WAITS = "its commits wait for a replica of synchronous_standby_names";

/** A bot that is started again a moment after it ends, as by systemd. */
function supervised(main: string, environment: Readonly<Record<string, string>>) {
  const runs: { readonly program: Program; code?: number | string }[] = [];
  let isStopped = false;
  const run = async () => {
    while (!isStopped) {
      const program = startProgram([process.execPath, main], { environment, folder: project });
      const one: (typeof runs)[number] = { program };
      runs.push(one);
      one.code = await program.ended;
      await sleep(500);
    }
  };
  const running = run();
  return {
    runs,
    said: () => runs.map(({ program }) => program.output()).join(""),
    stop: async () => {
      isStopped = true;
      runs.at(-1)?.program.kill("SIGKILL");
      await running;
    },
  };
}

/** A supervised bot in the sandbox, on the primary of two servers. Bob has an address, and Carol is told what operators are. */
async function arrange(setup: Parameters<typeof twoServers>[0] = {}) {
  const servers = await twoServers(setup);
  const main = await bundled("src/main.ts");
  const bots: ReturnType<typeof supervised>[] = [];
  const patient = { HTTP_TIMEOUT_SECONDS: "100", PRICE_POLL_RPS: "20", ADMIN_USER_IDS: String(people.carol) };
  let variables: Readonly<Record<string, string>> = {};
  const addBot = (changed: Readonly<Record<string, string>> = {}) => {
    const bot = supervised(main, { ...variables, ...changed, LOG_LEVEL: "info" });
    bots.push(bot);
    onTestFinished(bot.stop);
    return bot;
  };
  const startBot = (environment: Readonly<Record<string, string>>) => {
    variables = environment;
    return addBot();
  };
  const desk = await sandboxDesk({ startBot }, { ...patient, DATABASE_URL: servers.url });
  const [bob, carol] = [desk.person(people.bob), desk.person(people.carol)];
  await carol.asks("/start", /./);
  await bob.asks(`/wallet ${desk.address("Bob")}`);
  return { desk, bob, carol, servers, bot: bots[0]!, addBot };
}

/** An order that is reached at once, and its card, confirmed. */
async function trades(bob: SandboxPerson): Promise<void> {
  const swap = await bob.reads(/Your limit order: at least[^]*Valid until/);
  await bob.confirms(swap, /✅|not yet confirmed/);
}

it("a replica 12 s behind is promoted, and the old primary comes back: nothing is carried out twice, and everyone is told", async () => {
  const { desk, bob, carol, servers, bot, addBot } = await arrange();
  const { first, second } = servers;
  const setUp = await bob.asks("/limit 5 KFI KLV for 1000", /I hold no key/);
  await bob.taps(setUp, "👍 Set this order");
  await bob.reads(/ set\n/);
  const rowsOf = (url: string) => ask(url, "SELECT id FROM standing_orders");
  await until(async () => (await rowsOf(second.url)).length === 1);
  await servers.cutOff();
  const cutAt = performance.now();
  const { address } = desk.sandbox.chain
    .pools()
    .find(({ firstToken, secondToken }) => [firstToken, secondToken].sort().join() === "KFI,KLV")!;
  const push = (percent: number) => desk.sandbox.chain.pushPrice(address, "KFI", percent);
  push(10_000);
  await trades(bob);
  const sent = desk.callsSent().length;
  expect(sent).toBe(1);
  await sleep(Math.max(0, LAG_MS - (performance.now() - cutAt)));

  await servers.failOver();
  const asked = await bob.reads(/^⚠️ I was restored to /);
  await carol.reads(/^⚠️ My data was restored, or lost its last changes/);
  const ended = bot.runs.find(({ code }) => code !== undefined);
  expect([ended?.code, ended?.program.output()]).toEqual([1, expect.stringContaining("store-lost")]);
  // The price is still there, and is looked at meanwhile: only time shows that nothing comes.
  await sleep(35_000);
  expect(desk.sandbox.telegram.chat(people.bob).filter(({ text }) => /^🎯/.test(text))).toHaveLength(1);
  expect(desk.callsSent()).toHaveLength(sent);
  await bob.taps(asked, "🏁 It happened, end it");
  await until(async () => (await ask(second.url, "SELECT * FROM standing_orders WHERE ended IS NULL")).length === 0);

  await first.start();
  const untouched = await ask(first.url, "SELECT * FROM lease");
  servers.leadTo(first);
  const from = bot.runs.length;
  await until(() => bot.runs.filter(({ program }) => OLD.test(program.output())).length >= 2);
  expect(bot.runs.slice(from - 1, -1).map(({ code }) => code)).toEqual(bot.runs.slice(from - 1, -1).map(() => 1));
  expect(await ask(first.url, "SELECT * FROM lease")).toEqual(untouched);
  servers.leadTo(second);
  await bob.asks("/help", /./);

  // One that only ever saw the old primary can't know.
  addBot({ DATABASE_URL: first.url, STORE_DIR: await temporaryFolder() });
  await until(async () => (await ask(first.url, "SELECT * FROM lease"))[0]?.["epoch"] !== untouched[0]?.["epoch"]);
  // Operators are told after a minute of polls that were taken; what is waited for below has no longer.
  await sleep(60_000);
  await carol.reads(/^⚠️ Another instance is polling/);
}, 300_000);

it("while the only synchronous replica is away nothing is called done, what waits is named, and it goes on once it is back", async () => {
  const { desk, bob, servers, bot } = await arrange({ isSynchronous: true });
  const card = await bob.asks("/swap 10 KLV KFI", /Valid until/);
  await servers.cutOff();
  bob.taps(card, "✅ Confirm").catch(() => undefined);
  await until(() => bot.runs.some(({ code }) => code === 1));
  await until(() => bot.runs.length > 1 && bot.said().split(WAITS).length > 2);
  expect(desk.callsSent()).toEqual([]);
  await servers.follow();
  await bob.asks("/help", /./);
  // The tap is handled once it is on disk; or that is unknown.
  await bob.sees(card, /not yet confirmed|expired|Not sent|unknown/i);
  expect(desk.callsSent().length).toBeLessThanOrEqual(1);
}, 300_000);
