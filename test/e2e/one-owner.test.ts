import { spawnSync } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { bundled } from "../support/bundled.js";
import { testDesk } from "../support/desk.js";
import { startProgram } from "../support/process.js";
import { until } from "../support/until.js";

/** A separate PID namespace, as in a container: the program's process id is 1 there. */
const CONTAINER = ["--pid", "--fork", "--kill-child", "--mount-proc"];
const hasContainers = spawnSync("unshare", [...CONTAINER, "true"]).status === 0;

/** Starts the bot in a container, with the desk's folder. */
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

describe.runIf(hasContainers)("two containers that share a folder", () => {
  it("never run the bot twice: the second is refused while the first is alive", async () => {
    const { start } = await arrange();
    const first = start();
    // The crashed bot's lock is from another namespace, so the bot watches it for a while before it replaces it.
    await until(() => first.output().includes("Bot started (long polling)"));
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/Another instance of this bot is already running/);
    expect(first.output()).not.toMatch(/taken over/);
  });
});
