import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BotError, GrammyError, HttpError } from "grammy";
import { describe, expect, it } from "vitest";
import { createLog, hideSecrets } from "../src/log.js";
import { bundled } from "./support/bundled.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const token = "123456:AA-planted_Token/x";
const key = 'planted "key"\\with +odd &signs';

function lines(secrets: readonly string[]) {
  const written: string[] = [];
  const log = createLog("trace", hideSecrets(secrets), { write: (line) => void written.push(line) });
  return { log, written };
}

describe("the log", () => {
  it("writes one JSON line per event", () => {
    const { log, written } = lines([]);
    log.info({ update: 7 }, "handled");
    expect(JSON.parse(written[0] ?? "")).toMatchObject({ level: 30, update: 7, msg: "handled" });
  });

  it("never shows a secret, wherever it appears", () => {
    const { log, written } = lines([token, key]);
    const url = `https://host/bot${token}/getMe?key=${encodeURIComponent(key)}&again=${encodeURIComponent(token).toLowerCase()}`;
    log.info(`calling ${url}`);
    log.warn({ url, nested: { deep: [token, { [key]: key }] } }, "fields");
    log.error({ err: new Error(`failed for ${token}`, { cause: new Error(`because of ${key}`) }) });
    log.error({ err: Object.assign(new Error("request failed"), { headers: { apikey: key }, url }) });
    log.info({ body: JSON.stringify({ apikey: key, more: JSON.stringify({ token }) }) });
    log.child({ token }).debug(encodeURI(key));
    log.info(new URLSearchParams({ key }).toString());
    expect(written).toHaveLength(7);
    for (const line of written) {
      expect(line).toContain("[secret]");
      expect(line.toLowerCase()).not.toContain("planted");
      expect(() => JSON.parse(line) as unknown).not.toThrow();
    }
  });

  it("writes neither the payload of Telegram's errors nor updates", () => {
    const { log, written } = lines([]);
    const refused = { ok: false, error_code: 400, description: "Bad Request: chat not found" } as const;
    const error = new GrammyError("refused", { ...refused, parameters: {} }, "sendMessage", { text: "private" });
    const unanswered = new HttpError(
      "Network request failed!",
      Object.assign(new Error("private"), { code: "ECONNRESET" }),
    );
    for (const err of [error, unanswered]) log.warn({ err });
    log.warn({ err: new BotError(error, { update: "private" } as never) });
    expect(written.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { err: { type: "GrammyError", message: "sendMessage: 400 Bad Request: chat not found" } },
      { err: { type: "HttpError", message: "Network request failed! ECONNRESET" } },
      { err: { message: "sendMessage: 400 Bad Request: chat not found" } },
    ]);
    expect(written.join("")).not.toContain("private");
  });

  it("writes nothing below its level", () => {
    const written: string[] = [];
    const log = createLog("warn", (line) => line, { write: (line) => void written.push(line) });
    log.info("no");
    log.warn("yes");
    expect(written).toHaveLength(1);
  });
});

describe("hideSecrets", () => {
  it("replaces a whole secret even if another one is part of it", () => {
    expect(hideSecrets(["abcd", "abcdefgh"])("x abcdefgh y abcd z")).toBe("x [secret] y [secret] z");
  });

  it("hides no text that is too short to be a secret", () => {
    expect(hideSecrets(["", "a", "abc"])("abc abc")).toBe("abc abc");
  });

  it("treats a secret as text, not as a pattern", () => {
    const hide = hideSecrets(["a.c$(x)|[y]"]);
    expect(hide("a.c$(x)|[y] abc$(x)")).toBe("[secret] abc$(x)");
  });
});

describe("the log of a program", () => {
  const run = async (command: string) => {
    const script = await bundled("test/children/log.ts");
    return spawnSync("sh", ["-c", command], {
      env: { ...process.env, RUN: `${process.execPath} ${script}` },
      encoding: "utf8",
      timeout: 20_000,
    });
  };

  it.runIf(existsSync("/dev/full"))("does not end it if the disk is full", async () => {
    const { status, stderr } = await run("$RUN 3000 >/dev/full");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "alive\n" });
  });

  it.runIf(existsSync("/dev/full"))("says how many lines were dropped, once there is room again", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "log");
    expect((await run(`$RUN 3000 ${file} >/dev/full`)).stderr).toBe("alive\n");
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    const told = lines.map((line) => JSON.parse(line) as { msg?: string; lines?: number });
    const dropped = told.filter(({ msg }) => msg === "Log lines dropped");
    expect(dropped).toHaveLength(1);
    expect(dropped[0]!.lines).toBeGreaterThan(1000);
    // Kept lines and dropped lines add up to all 3000 and the last one.
    expect(lines.length - 1 + dropped[0]!.lines!).toBe(3001);
  });

  it("does not end it if its reader has gone", async () => {
    expect((await run("$RUN 3000 | head -n 1")).stderr).toBe("alive\n");
  });

  it("is complete if nothing blocks it", async () => {
    const { stdout } = await run("$RUN 300 | cat");
    expect(stdout.trim().split("\n")).toHaveLength(300);
  });
});
