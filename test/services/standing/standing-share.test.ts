import { describe, expect, it } from "vitest";
import { isFault } from "../../../src/fault.js";
import type { PriceOrderRequest } from "../../../src/services/standing/standing-request.js";
import { readLimit } from "../../../src/services/standing/standing-request.js";
import { percentTaken } from "../../../src/services/standing/standing-share.js";
import { alice } from "../samples.js";
import { createStandingWorld, OWNER } from "./standing-world.js";

const STRANGER = 700_000;

async function arrange(standingMax: number) {
  const world = createStandingWorld({ standingMax, everySeconds: 7200 });
  const process = world.start();
  const isKnown = new Set<number>();
  /** Sets the person's order with this number. @returns the code of its refusal. */
  const sets = async (userId: number, n = 1): Promise<string | undefined> => {
    if (!isKnown.has(userId))
      await world.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }), userId);
    isKnown.add(userId);
    const order = readLimit(`${n} KLV KFI for 1000000 366d`, world.tokens) as PriceOrderRequest;
    const setting = process.standing.create(userId, order, true);
    const error: unknown = await setting.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return isFault(error) ? error.code : undefined;
  };
  /** Has so many people set so many orders each. */
  const fill = async (people: number, each: number) => {
    for (let one = 1; one <= people; one += 1)
      for (let n = 1; n <= each; n += 1) expect(await sets(STRANGER + one, n)).toBeUndefined();
  };
  const setsUntilRefused = async (userId: number) => {
    for (let n = 1; ; n += 1) if ((await sets(userId, n)) !== undefined) return n - 1;
  };
  return { ...world, process, sets, fill, setsUntilRefused };
}

describe("orders that fill STANDING_MAX", () => {
  it("keep nobody else from having an equal share, and none of them ends", async () => {
    const { fill, sets, setsUntilRefused, process } = await arrange(100);
    await fill(5, 20);
    // A hundred between six, and then between seven.
    expect(await setsUntilRefused(OWNER)).toBe(16);
    expect(await setsUntilRefused(OWNER + 1)).toBe(14);
    expect(await sets(STRANGER + 1, 21)).toBe("standing-full");
    expect(await process.standing.counts()).toEqual({ limit: 130, stop: 0, dca: 0, exit: 0 });
    await process.stop();
  });

  it("leave everybody one, up to ten times as many", async () => {
    const { fill, sets, process } = await arrange(4);
    await fill(4, 1);
    for (let one = 0; one < 36; one += 1) {
      expect(await sets(OWNER + one)).toBeUndefined();
      expect(await sets(OWNER + one, 2)).toBe("standing-bot-full");
    }
    expect(await sets(OWNER + 36)).toBe("standing-bot-full");
    await process.stop();
  });

  it("take no place while their owner can't be reached, and are counted by percent", async () => {
    const { clock, fill, person, process, sets, disk } = await arrange(20);
    await fill(1, 20);
    expect(await sets(OWNER)).toBeUndefined();
    expect(await percentTaken(disk.open().db, 20)).toBe(105);
    await person(process, (one) => ({ ...one, restingSince: clock.now() }), STRANGER + 1);
    for (let n = 2; n <= 20; n += 1) expect(await sets(OWNER, n)).toBeUndefined();
    expect(await percentTaken(disk.open().db, 20)).toBe(100);
    await process.stop();
  });

  it("are off with 0", async () => {
    const { sets, process, disk } = await arrange(0);
    expect(await sets(OWNER)).toBe("standing-bot-full");
    expect(await percentTaken(disk.open().db, 0)).toBe(0);
    await process.stop();
  });
});
