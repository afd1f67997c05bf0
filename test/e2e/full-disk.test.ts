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

/** From now on the program can write to no file, or can again. */
function setFull(desk: Desk, isFull: boolean): void {
  execFileSync("prlimit", ["--pid", String(desk.program().pid), `--fsize=${isFull ? 0 : "unlimited"}:unlimited`]);
}

/** A call that was carried out: SENT is on the disk; what comes after it can't be. */
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

describe.runIf(hasLimits)("a disk on which nothing more can be written", () => {
  it("refuses a confirm in words and sends nothing; what needs no disk goes on; the same card works once there is room", async () => {
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

  it("keeps a call's end until it can be written, however it is interrupted then", async () => {
    const { desk, person, card } = await fullAfterSent();
    // The person learns of it in the meantime.
    await person.sees(card, accepted);
    setFull(desk, false);
    desk.program().kill("SIGTERM");
    expect(await desk.program().ended).toBe(0);
    desk.start();
    await person.asks("/history", /213 KLV[^]*accepted, not confirmed/);
    expect(desk.services.calls()).toHaveLength(1);
  });

  it("leaves nothing half-written when the program dies on it", async () => {
    const { desk, person } = await fullAfterSent();
    await desk.crash();
    desk.start();
    await person.reads(/Outcome unknown/);
    await person.asks("/history", /213 KLV/);
    expect(desk.services.calls()).toHaveLength(1);
  });
});

it("a disk that fails to sync ends the program: what was in progress is unknown after the next start, and nothing is sent again", async () => {
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
