import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock, type Clock } from "../../src/clock.js";
import { type Desk, testDesk } from "../support/desk.js";
import { onPostgres } from "../support/engine.js";
import { project } from "../support/process.js";
import { comparedCard, tradingDesk } from "../support/sandbox-desk.js";
import { carriedOut } from "../support/stub-services.js";
import { until } from "../support/until.js";
import { accepted } from "../support/as-read.js";
import { stopwatch } from "../support/stopwatch.js";

/** Confirms a card whose call the node answers after `delay` milliseconds. */
async function confirmed(desk: Desk, delay: number) {
  const { person, card } = await desk.swapCard("213");
  desk.services.onCall = () => ({ ...(carriedOut as object), delay });
  person.taps(card, "✅ Confirm");
  await until(() => desk.services.callsOf("KLV=213000000").length === 1);
  return card;
}

describe("a stop", () => {
  it.each([["SIGTERM", "SIGTERM"] as const, ["SIGINT", "SIGTERM"] as const])(
    "by %s and then %s, as npm passes signals on to its process group, waits for a call like a single signal",
    async (...signals) => {
      const desk = await testDesk();
      const card = await confirmed(desk, 700);
      for (const signal of signals) {
        desk.program().kill(signal);
        // Two at the same moment would arrive as one.
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(await desk.program().ended).toBe(0);
      expect(card.text).toMatch(accepted);
    },
  );

  it("by a signal to npm's whole process group, as from a terminal, waits for a call", async () => {
    const desk = await testDesk();
    const person = await desk.trader();
    await desk.crash();
    const npm = spawn("npm", ["start"], {
      cwd: project,
      detached: true,
      stdio: "ignore",
      env: { ...process.env, ...desk.environment, STORE_DIR: join(desk.folder, "store") },
    });
    const ended = once(npm, "exit");
    onTestFinished(() => void npm.kill("SIGKILL"));
    const card = await person.asks("/swap 214 KLV KFI", /KLV → KFI/);
    desk.services.onCall = () => ({ ...(carriedOut as object), delay: 700 });
    person.taps(card, "✅ Confirm");
    await until(() => desk.services.callsOf("KLV=214000000").length === 1);
    process.kill(-npm.pid!, "SIGINT");
    await ended;
    await person.sees(card, accepted);
  });

  it("by a third signal doesn't wait", async () => {
    const desk = await testDesk();
    await confirmed(desk, 8_000);
    const program = desk.program();
    const took = stopwatch(program.pid);
    const over = new AbortController();
    void program.ended.then(() => over.abort());
    // On a busy machine several signals can arrive as one, so keep sending.
    while (!over.signal.aborted) {
      program.kill("SIGINT");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await program.ended).toBe(1);
    expect(took()).toBeLessThan(6_000);
  });

  it("waits for a call for longer than for everything else, and stores its outcome", async () => {
    // After the stop timers run ten times as fast, so the node seems to answer half a minute after the confirm.
    let times = 1;
    const timer: Clock["timer"] = (milliseconds, run) => systemClock.timer(milliseconds / times, run);
    const { desk, alice } = await tradingDesk({ clock: { ...systemClock, timer } });
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    desk.sandbox.faults.set("node", "slow");
    const before = alice.holds()["KLV"]!;
    await alice.taps(card, "✅ Confirm");
    // The node has executed the call, and is slow to answer.
    await until(() => alice.holds()["KLV"]! < before);
    expect(desk.callsSent()).toEqual([]);
    times = 10;
    await desk.restart({}, () => {
      times = 1;
      desk.sandbox.faults.set("node", undefined);
    });
    await alice.sees(card, accepted);
    expect((await alice.asks("/history")).text).toMatch(/accepted, not confirmed/);
    expect(desk.callsSent()).toHaveLength(1);
  });
});

// PostgreSQL has no lock file that shows this moment.
it.skipIf(onPostgres)("SIGTERM in the first moments of a start ends the bot with 0", async () => {
  const desk = await testDesk();
  await desk.trader();
  await desk.crash();
  const lock = join(desk.folder, "store", "owner.lock");
  await rm(lock);
  desk.start();
  await until(() => existsSync(lock));
  desk.program().kill("SIGTERM");
  expect(await desk.program().ended).toBe(0);
});

describe("the store", () => {
  it("is one complete file after a stop", async () => {
    const desk = await testDesk();
    await desk.trader();
    desk.program().kill("SIGTERM");
    expect(await desk.program().ended).toBe(0);
    // The WAL was checkpointed, so a plain copy of the file is complete.
    const ahead = await stat(join(desk.folder, "store", "swapdesk.sqlite-wal")).catch(() => undefined);
    expect(ahead?.size ?? 0).toBe(0);
  });
});
