import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { notifySystemd } from "../src/watchdog.js";
import { until } from "./support/until.js";
import { createVirtualClock } from "./support/virtual-clock.js";
import { temporaryFolder } from "./support/temporary-folder.js";

/** A stand-in for systemd-notify that records its arguments. */
async function fakeNotify(): Promise<() => string> {
  const folder = await temporaryFolder();
  const program = join(folder, "systemd-notify");
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$1" >> "${folder}/told"\n`);
  chmodSync(program, 0o755);
  const path = process.env["PATH"];
  process.env["PATH"] = `${folder}:${path}`;
  onTestFinished(() => {
    process.env["PATH"] = path;
  });
  return () => (existsSync(join(folder, "told")) ? readFileSync(join(folder, "told"), "utf8") : "");
}

it("tells systemd that the program is ready, then twice per period that it still runs", async () => {
  const told = await fakeNotify();
  const clock = createVirtualClock();
  notifySystemd({ NOTIFY_SOCKET: "/run/notify", WATCHDOG_USEC: "30000000" }, clock);
  await until(() => told().split("\n").toSorted().join() === ",READY=1,WATCHDOG=1");
  await clock.advance(14_999);
  expect(told()).toHaveLength("READY=1\nWATCHDOG=1\n".length);
  await clock.advance(1);
  await until(() => told().match(/WATCHDOG=1/g)?.length === 2);
});

it("says nothing without systemd", async () => {
  const told = await fakeNotify();
  const clock = createVirtualClock();
  notifySystemd({ WATCHDOG_USEC: "1000" }, clock);
  await clock.advance(10_000);
  expect(told()).toBe("");
});
