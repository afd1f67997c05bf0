import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundled } from "../support/bundled.js";
import { listen } from "../support/listen.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run sandbox` as its own process: what it prints, and how it ends. */

interface Run {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<unknown>;
}

async function run(...options: string[]): Promise<Run> {
  // Node 22 and later warn of punycode unless a package in node_modules uses it; here the package is bundled.
  const command = ["--disable-warning=DEP0040", await bundled("sandbox/main.ts"), ...options];
  const child = spawn(process.execPath, command, { stdio: "pipe" });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (text: Buffer) => (output.stdout += text.toString()));
  child.stderr.on("data", (text: Buffer) => (output.stderr += text.toString()));
  return { child, output, ended: once(child, "close") };
}

describe("the sandbox's program", () => {
  it.each([
    ["a documented node", []],
    ["a real one and a wallet", ["--wallet"]],
  ])(
    "with %s prints one line with the address where users can write to the bot, and ends cleanly",
    async (_, options) => {
      const { child, output, ended } = await run("--port", "0", ...options);
      try {
        await expect.poll(() => output.stdout).toMatch(/^Swapdesk sandbox: \S+\n$/);
        const url = output.stdout.trim().split(" ").at(-1) ?? "";
        await fetch(`${url}/_sim/telegram/chats/1001/messages`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ text: "/start" }),
        });
        const senders = async () => {
          const chat = (await (await fetch(`${url}/_sim/telegram/chats/1001`)).json()) as { from: string }[];
          return chat.map(({ from }) => from);
        };
        await expect.poll(senders).toEqual(["person", "bot"]);
        child.kill("SIGTERM");
        await ended;
        expect(child.exitCode, output.stderr).toBe(0);
        expect(output.stdout.trim().split("\n")).toHaveLength(1);
        // A visitor needs only the address.
        expect(output.stderr).toBe("");
      } finally {
        child.kill("SIGKILL");
      }
    },
  );

  it("reads a world that begins with a byte order mark", async () => {
    const file = join(await temporaryFolder(), "world.json");
    await writeFile(file, `\uFEFF${await readFile("data/world.json", "utf8")}`);
    const { child, output, ended } = await run("--port", "0", "--world", file);
    await expect.poll(() => output.stdout + output.stderr).toMatch(/^Swapdesk sandbox: /);
    child.kill("SIGKILL");
    await ended;
  });

  it("says so if the port is taken", async () => {
    const other = createServer();
    const port = await listen(other);
    const { child, output, ended } = await run("--port", String(port));
    await ended;
    other.close();
    expect(child.exitCode).toBe(1);
    expect(output.stderr).toBe(
      `Port ${port} is taken by another program. Choose another one: npm run sandbox -- --port ${port + 1}\n`,
    );
    expect(output.stdout).toBe("");
  });

  it.each([
    [["--port", "many"], "Usage: npm run sandbox [-- --world FILE] [--port N] [--wallet]"],
    [["--moon"], "Usage: npm run sandbox [-- --world FILE] [--port N] [--wallet]"],
    [["--world", "nowhere.json"], "The world in nowhere.json cannot be read: ENOENT"],
    [["--world", "package.json"], "The world cannot be read:"],
  ])("explains what is wrong with %s", async (options, sentence) => {
    const { child, output, ended } = await run("--port", "0", ...options);
    await ended;
    expect(child.exitCode).toBe(1);
    expect(output.stderr).toContain(sentence);
    expect(output.stderr).not.toContain("    at ");
  });
});
