import { expect, it } from "vitest";
import { Fault } from "../../src/fault.js";
import { untilSpace } from "../../src/store/until-space.js";
import { silent, testClock } from "../services/samples.js";

const failed = (cause: object) =>
  new Fault("store-write-failed", { document: "a" }, { cause: Object.assign(new Error("no"), cause) });
const parts = () => ({ clock: testClock(), log: silent, signal: new AbortController().signal });

it.each([{ errcode: 13 }, { errcode: 778 }, { code: "ENOSPC" }, {}])("a start waits for space: %o", async (cause) => {
  const waiting = parts();
  const begun = waiting.clock.monotonic();
  let tries = 0;
  const open = () => {
    tries += 1;
    if (tries < 20) throw failed(cause);
    return "open";
  };
  expect(await untilSpace(open, waiting)).toBe("open");
  expect(waiting.clock.monotonic() - begun).toBe(19_000);
});

it("a start gives up after a minute, and at once what can't pass by itself", async () => {
  for (const [cause, waited] of [
    [{ errcode: 13 }, 60_000],
    [{ errcode: 14 }, 0],
    [{ errcode: 8 }, 0],
    [{ code: "ENOTDIR" }, 0],
    [{ code: "EACCES" }, 0],
  ] as const) {
    const waiting = parts();
    const begun = waiting.clock.monotonic();
    const open = () => {
      throw failed(cause);
    };
    await expect(untilSpace(open, waiting)).rejects.toMatchObject({ code: "store-write-failed" });
    expect(waiting.clock.monotonic() - begun).toBe(waited);
  }
});
