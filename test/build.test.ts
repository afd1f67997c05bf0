import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { project } from "./support/process.js";
import { seededRandom } from "./support/seed.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const KILLS = process.env["FULL"] === undefined ? 5 : 40;
const HOUR = 3_600_000;

/** What `npm start` runs before the bot. */
const PRESTART = "scripts/build-when-needed.mjs";

/** A copy of the sources, beside the installed packages, with a build. */
async function checkout() {
  const folder = await temporaryFolder();
  for (const part of ["src", "scripts", "package.json"]) {
    cpSync(join(project, part), join(folder, part), { recursive: true });
  }
  mkdirSync(join(folder, "node_modules"));
  for (const entry of readdirSync(join(project, "node_modules"))) {
    symlinkSync(join(project, "node_modules", entry), join(folder, "node_modules", entry));
  }
  /** Runs a script or program as its own process group. */
  const start = (script: string, ...prefix: readonly string[]) => {
    const [command, ...rest] = [...prefix, process.execPath, script];
    const child = spawn(command, rest, {
      cwd: folder,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
    });
    let [isOver, output] = [false, ""];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
    const ended = once(child, "close").then(([code]: (number | null)[]) => {
      isOver = true;
      return { code, output };
    });
    const kill = () => {
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch (error) {
        // It has just ended.
        expect((error as NodeJS.ErrnoException).code).toBe("ESRCH");
      }
    };
    onTestFinished(() => (isOver ? undefined : kill()));
    return { ended, kill, isOver: () => isOver };
  };
  const dist = join(folder, "dist");
  const built = {
    folder,
    start,
    dist,
    changeSources: () => utimesSync(join(folder, "src/main.ts"), new Date(), new Date()),
    /** The bot ends for want of a configuration once all its files are loaded. */
    startsBot: async () =>
      expect(await start("dist/main.js").ended).toMatchObject({
        code: 78,
        output: expect.stringContaining("BOT_TOKEN is missing") as string,
      }),
    /** The files of the build that is started now, with their sizes. */
    files: () => {
      const build = join(dist, currentOf(dist));
      const names = readdirSync(build, { recursive: true, encoding: "utf8" }).toSorted();
      return names.map((name) => `${name} ${statSync(join(build, name)).size}`);
    },
  };
  expect(await start(PRESTART).ended).toMatchObject({ code: 0 });
  return built;
}

function currentOf(dist: string): string {
  return /build-[\d-]+/.exec(readFileSync(join(dist, "current.js"), "utf8"))![0];
}

it(`a build that is killed leaves the one before it whole, and the next start makes a new one: ${KILLS} kills`, async () => {
  const random = seededRandom("kills of a build");
  const { start, startsBot, changeSources, files, dist } = await checkout();
  const whole = files();
  changeSources();
  const begun = performance.now();
  expect(await start(PRESTART).ended).toMatchObject({ code: 0 });
  const takes = performance.now() - begun;
  for (let kills = 0; kills < KILLS; kills += 1) {
    changeSources();
    const building = start(PRESTART);
    await sleep(random() * takes);
    building.kill();
    await building.ended;
    await startsBot();
    expect(files()).toEqual(whole);
  }
  changeSources();
  const before = currentOf(dist);
  expect(await start(PRESTART).ended).toMatchObject({ code: 0 });
  const after = currentOf(dist);
  expect(after).not.toBe(before);
  expect(files()).toEqual(whole);
  // Now there is nothing to do.
  expect(await start(PRESTART).ended).toEqual({ code: 0, output: "" });
  expect(currentOf(dist)).toBe(after);
}, 300_000);

it("starts during two builds, and both builds, end well; who runs the build before them keeps its files", async () => {
  const { start, startsBot, changeSources, dist } = await checkout();
  const [before, unfinished, old] = [currentOf(dist), "build-1-1", "build-2-2"];
  for (const build of [unfinished, old]) mkdirSync(join(dist, build));
  utimesSync(join(dist, old), new Date(), new Date(Date.now() - 2 * HOUR));
  changeSources();
  const builds = [start(PRESTART), start(PRESTART)];
  let starts = 0;
  while (builds.some(({ isOver }) => !isOver())) {
    await startsBot();
    starts += 1;
  }
  expect(starts).toBeGreaterThan(1);
  for (const { ended } of builds) expect(await ended).toMatchObject({ code: 0 });
  await startsBot();
  const kept = readdirSync(dist);
  expect(currentOf(dist)).not.toBe(before);
  // Somebody may just be making a build, or have started one.
  expect(kept).toEqual(expect.arrayContaining([before, unfinished]));
  expect(kept).not.toContain(old);
}, 120_000);

it("a build that can't be renewed is run, and standard error says so", async () => {
  const { start, startsBot, changeSources, folder, dist } = await checkout();
  const current = currentOf(dist);
  changeSources();
  chmodSync(dist, 0o555);
  // Root may write there, unless it lacks what allows that.
  const asOthers = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override"] : [];
  const readOnly = await start(PRESTART, ...asOthers).ended;
  expect(readOnly).toMatchObject({ code: 0 });
  expect(readOnly.output).toMatch(/EACCES[^]*newer than dist\/, and dist\/ can't be written: the earlier build runs/);
  chmodSync(dist, 0o755);

  rmSync(join(folder, "node_modules/esbuild"));
  const withoutBundler = await start(PRESTART).ended;
  expect(withoutBundler).toMatchObject({ code: 0 });
  expect(withoutBundler.output).toMatch(/newer than dist\/, and the bundler is not installed: the earlier build runs/);
  await startsBot();
  expect(currentOf(dist)).toBe(current);
  rmSync(dist, { recursive: true });
  expect(await start(PRESTART).ended).toMatchObject({ code: 1 });
}, 120_000);
