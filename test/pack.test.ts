import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildWhenNeeded, project } from "./support/process.js";
import { temporaryFolder } from "./support/temporary-folder.js";

it("the package starts the bot and the sandbox, and has only what they need", async () => {
  await buildWhenNeeded();
  const folder = await temporaryFolder();
  const run = (command: string, ...rest: string[]) => {
    const { status, stdout, stderr } = spawnSync(command, rest, { cwd: project, encoding: "utf8" });
    if (status !== 0) throw new Error(`${command} ${rest.join(" ")}\n${stderr}`);
    return stdout;
  };
  run(process.execPath, "--import", "tsx", "scripts/build-sandbox.ts");
  run("npm", "pack", "--ignore-scripts", "--pack-destination", folder);
  const archive = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  run("tar", "--extract", "--gzip", "--file", join(folder, archive ?? ""), "--directory", folder);
  const packed = join(folder, "package");
  expect(readdirSync(packed).toSorted()).toEqual(
    [
      ".env.example",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "bin",
      "deploy",
      "dist",
      "docs",
      "package.json",
    ].toSorted(),
  );
  // As after an install, apart from the packages that only development needs.
  symlinkSync(join(project, "node_modules"), join(packed, "node_modules"));

  const bin = join(packed, "bin/swapdesk.js");
  const unconfigured = spawnSync(process.execPath, [bin], { cwd: folder, env: {}, encoding: "utf8" });
  expect(unconfigured.stderr).toContain("BOT_TOKEN is missing");
  expect(unconfigured.status).toBe(78);
  expect(spawnSync(process.execPath, [bin, "moon"], { encoding: "utf8" }).status).toBe(64);

  const sandbox = spawn(process.execPath, [bin, "sandbox", "--port", "0"], { cwd: folder, stdio: "pipe" });
  onTestFinished(() => void sandbox.kill("SIGKILL"));
  const [line] = (await once(sandbox.stdout, "data")) as [Buffer];
  const url = line.toString().trim().split(" ").at(-1) ?? "";
  const page = await (await fetch(url)).text();
  expect(page).toContain("<html");
  expect(existsSync(join(packed, "dist/sandbox/NOTICES.txt"))).toBe(true);
  sandbox.kill("SIGTERM");
  expect(await once(sandbox, "close")).toEqual([0, null]);
});
