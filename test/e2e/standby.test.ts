import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { accepted } from "../support/as-read.js";
import { testDesk, type Desk } from "../support/desk.js";
import { wholeHistory } from "../support/history.js";
import { freePort } from "../support/listen.js";
import { seededRandom } from "../support/seed.js";
import { quoted } from "../support/stub-services.js";
import { until } from "../support/until.js";
import { stopwatch } from "../support/stopwatch.js";

/** How often the leader is killed; in `npm run test:full`, for two minutes. */
const TAKEOVERS = Number(process.env["TAKEOVERS"] ?? 2);

/** A desk whose bot uses PostgreSQL, to which standbys can be added. */
async function deskWithStandby() {
  const desk = await testDesk({ LOG_LEVEL: "info" });
  // Wait for an answer: before it, another instance could take the lease first.
  await desk.trader();
  const addStandby = async () => {
    const port = await freePort();
    desk.start({ PORT: String(port) });
    const program = desk.program();
    // During a takeover, the port is free for a moment.
    const statusOf = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        ({ status }) => status,
        () => 0,
      );
    await until(async () => (await statusOf("/health")) === 200);
    return { program, statusOf };
  };
  return { desk, active: desk.program(), addStandby };
}

async function trades(desk: Desk, amount: number): Promise<void> {
  const person = await desk.trader();
  person.says(`/swap ${amount} KLV KFI`);
  const card = await person.reads(new RegExp(`You pay: ${amount} KLV`));
  person.taps(card, "✅ Confirm");
  await person.sees(card, accepted);
}

it(
  "a standby takes over from a killed leader, repeatedly, and no data is lost",
  async () => {
    const { desk, active, addStandby } = await deskWithStandby();
    const person = await desk.trader();
    const random = seededRandom("kills of the active instance");
    let running = active;
    for (let turn = 1; turn <= TAKEOVERS; turn += 1) {
      const { program, statusOf } = await addStandby();
      const asked = ["/health", "/active", "/ready", "/telegram", "/propose/x"].map((path) => statusOf(path));
      expect(await Promise.all(asked)).toEqual([200, 503, 503, 503, 503]);
      const amount = 100 + turn;
      person.says(`/swap ${amount} KLV KFI`);
      const card = await person.reads(new RegExp(`You pay: ${amount} KLV`));
      const took = stopwatch(program.pid);
      person.taps(card, "✅ Confirm");
      await sleep(random() * 40);
      running.kill("SIGKILL");
      await running.ended;
      // A call that the killed one may have begun gets a truthful outcome, and is sent once at most.
      await person.sees(card, /not yet confirmed|Outcome unknown/);
      expect(took()).toBeLessThan(15_000);
      expect(desk.services.callsOf(`KLV=${amount}000000`).length).toBeLessThanOrEqual(1);
      await until(async () => (await statusOf("/active")) === 200);
      running = program;
    }
    const history = await wholeHistory(person);
    for (let turn = 1; turn <= TAKEOVERS; turn += 1) {
      expect(history.filter((row) => row.includes(`${100 + turn} KLV →`))).toHaveLength(1);
    }
  },
  60_000 + TAKEOVERS * 30_000,
);

it("a leader that was stopped for longer than its lease writes nothing once it wakes, and exits", async () => {
  const { desk, active, addStandby } = await deskWithStandby();
  await trades(desk, 7);
  const { program, statusOf } = await addStandby();
  active.kill("SIGSTOP");
  await until(async () => (await statusOf("/ready")) === 200);
  await trades(desk, 8);
  active.kill("SIGCONT");
  expect(await active.ended).not.toBe(0);
  expect(active.output()).toContain("store-lost");
  await trades(desk, 9);
  expect(program.output()).not.toContain("store-lost");
}, 120_000);

it("stopping the leader hands over to a standby at once, and stopping a standby ends it with 0", async () => {
  const { desk, active, addStandby } = await deskWithStandby();
  const { program } = await addStandby();
  const other = await addStandby();
  other.program.kill("SIGTERM");
  expect(await other.program.ended).toBe(0);
  const took = stopwatch(active.pid, program.pid);
  active.kill("SIGTERM");
  expect(await active.ended).toBe(0);
  await trades(desk, 5);
  expect(took()).toBeLessThan(12_000);
  program.kill("SIGTERM");
  expect(await program.ended).toBe(0);
}, 120_000);

it("what the leader took of a program becomes one card of the standby that takes over", async () => {
  const serving = (port: number) => ({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
  const [first, second] = [await freePort(), await freePort()];
  const desk = await testDesk({ LOG_LEVEL: "info", ...serving(first) });
  const person = await desk.trader();
  const { text } = await person.asks("/signals script", /Link for script/);
  const [, secret = ""] = /\/propose\/([\w-]{43})/.exec(text) ?? [];
  const proposal = { method: "POST", body: '{"trade": "swap 77 KLV KFI", "id": "one"}' };
  const post = (port: number) =>
    fetch(`http://127.0.0.1:${port}/propose/${secret}`, proposal).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      () => ({ status: 0, text: "" }),
    );
  desk.services.onQuotation = () => "hang";
  const taken = await post(first);
  expect(taken.status).toBe(202);
  const leader = desk.program();
  desk.start(serving(second));
  await until(async () => (await post(second)).status === 503);
  desk.services.onQuotation = () => quoted;
  leader.kill("SIGKILL");
  await leader.ended;
  await until(async () => (await post(second)).status === 200);
  expect((await post(second)).text).toBe(taken.text);
  await person.reads(/^📨 Proposed by script\.[^]*You pay: 77 KLV/);
  const { id } = JSON.parse(taken.text) as { id: string };
  const state = await fetch(`http://127.0.0.1:${second}/propose/${secret}/${id}`);
  expect(await state.json()).toEqual({ state: "waiting" });
  expect(person.transcript().filter((shown) => shown.includes("Proposed by"))).toHaveLength(1);
});
