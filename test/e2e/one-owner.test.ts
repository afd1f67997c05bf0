import { spawnSync } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { bundled } from "../support/bundled.js";
import { testDesk } from "../support/desk.js";
import { startProgram } from "../support/process.js";
import { until } from "../support/until.js";

/** A namespace of process numbers of its own, as a container has: the program is number 1 there. */
const CONTAINER = ["--pid", "--fork", "--kill-child", "--mount-proc"];
const hasContainers = spawnSync("unshare", [...CONTAINER, "true"]).status === 0;

/** The bot over the desk's folder, in a container. */
async function arrange() {
  const desk = await testDesk();
  await desk.trader();
  await desk.crash();
  const main = await bundled("src/main.ts");
  const start = () => {
    const command = ["unshare", ...CONTAINER, process.execPath, main] as const;
    const program = startProgram(command, desk);
    onTestFinished(() => program.kill("SIGKILL"));
    return program;
  };
  return { desk, start };
}

describe.runIf(hasContainers)("two containers over one folder", () => {
  it("are never both at work: the second is refused as long as the first lives", async () => {
    const { start } = await arrange();
    const first = start();
    // The lock of the crashed one is of another namespace: it is watched before it is replaced.
    await until(() => first.output().includes("Bot started (long polling)"));
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/Another instance of this bot is already running/);
    expect(first.output()).not.toMatch(/taken over/);
  });
});
