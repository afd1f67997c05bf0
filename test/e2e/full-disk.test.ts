import { execFileSync, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { accepted } from "../support/as-read.js";
import { type Desk, testDesk } from "../support/desk.js";
import { project } from "../support/process.js";
import { carriedOut } from "../support/stub-services.js";
import { until } from "../support/until.js";

const hasLimits = spawnSync("prlimit", ["--version"]).status === 0;

/** Makes every write of the program to a file fail, or allows writes again. */
function setFull(desk: Desk, isFull: boolean): void {
  execFileSync("prlimit", ["--pid", String(desk.program().pid), `--fsize=${isFull ? 0 : "unlimited"}:unlimited`]);
}

/** A call was executed and SENT is on disk, but the outcome can't be written. */
async function fullAfterSent() {
  const desk = await testDesk();
  const { person, card } = await desk.swapCard("213");
  desk.services.onCall = () => {
    setFull(desk, true);
    return carriedOut;
  };
  person.taps(card, "✅ Confirm");
  await until(() => desk.program().output().includes("Outcome not recorded; retrying"));
  return { desk, person, card };
}

describe.runIf(hasLimits)("a full disk", () => {
  it("leads to a refused confirm that sends nothing; commands without writes work, and so does the card once there is space", async () => {
    const desk = await testDesk();
    const { person, card } = await desk.swapCard("213");
    setFull(desk, true);
    person.taps(card, "✅ Confirm");
    await person.reads(/couldn't save this, so nothing was done/);
    await person.asks("/help", /\/swap/);
    await person.asks("/wallet", /klv1usdny/);
    expect(desk.services.calls()).toEqual([]);
    expect(card.text).toMatch(/You pay: 213 KLV/);
    setFull(desk, false);
    await person.confirms(card);
    expect(desk.services.calls()).toHaveLength(1);
  });

  it("delays writing a call's outcome until there is space, even if the bot is then stopped", async () => {
    const { desk, person, card } = await fullAfterSent();
    // The user sees the outcome meanwhile.
    await person.sees(card, accepted);
    setFull(desk, false);
    desk.program().kill("SIGTERM");
    expect(await desk.program().ended).toBe(0);
    desk.start();
    await person.asks("/history", /213 KLV[^]*accepted, not confirmed/);
    expect(desk.services.calls()).toHaveLength(1);
  });

  it("leaves nothing half-written if the program is killed", async () => {
    const { desk, person } = await fullAfterSent();
    await desk.crash();
    desk.start();
    await person.reads(/Outcome unknown/);
    await person.asks("/history", /213 KLV/);
    expect(desk.services.calls()).toHaveLength(1);
  });
});

describe.runIf(hasLimits)("a start on a full disk", () => {
  const full = ["prlimit", "--fsize=0:unlimited"] as const;

  it("waits for space, and then is as any other", async () => {
    const desk = await testDesk();
    const { person, card } = await desk.swapCard("213");
    await desk.crash();
    desk.start({}, full);
    await until(() => desk.program().output().includes("waiting a minute for space"));
    setFull(desk, false);
    await person.confirms(card);
    expect(desk.services.calls()).toHaveLength(1);
  });

  it.runIf(process.env["FULL"] !== undefined)(
    "ends with 1 after a minute, so that systemd starts it again",
    async () => {
      const desk = await testDesk();
      await desk.trader();
      await desk.crash();
      desk.start({}, full);
      expect(await desk.program().ended).toBe(1);
      expect(desk.program().output()).toMatch(/can't be written/);
      expect(desk.program().output()).not.toMatch(/The configuration has faults|\n {4}at /);
    },
  );
});

it("a failed sync ends the program; after the next start a call in progress is of unknown outcome and isn't sent again", async () => {
  const desk = await testDesk();
  const failing = join(desk.folder, "failing");
  await desk.crash();
  desk.start({ NODE_OPTIONS: `--import ${join(project, "test/support/broken-sync.mjs")}`, FAIL_SYNCS: failing });
  const { person, card } = await desk.swapCard("213");
  desk.services.onCall = () => {
    writeFileSync(failing, "");
    return carriedOut;
  };
  person.taps(card, "✅ Confirm");
  expect(await desk.program().ended).toBe(1);
  expect(desk.program().output()).toMatch(/store-lost/);
  rmSync(failing);
  desk.start();
  await person.reads(/Outcome unknown/);
  expect(desk.services.calls()).toHaveLength(1);
});
