import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { changedLimit, withLimit } from "../../../src/services/intent/limits.js";
import * as people from "../../../src/services/person/person.js";
import type { Person } from "../../../src/services/person/person.js";
import { createTakeBacks } from "../../../src/services/operator/take-backs.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { often } from "../../support/property.js";
import { seededRandom } from "../../support/seed.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { alice, kfi, klv } from "../samples.js";

const OWNER = 1001;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const tokens = tokenListOf([klv, kfi]);

function setUp(clock = createVirtualClock(), disk = createMemoryDisk()) {
  const store = disk.open();
  let made = 0;
  /** What setting the clock adds to the time of day, while time goes on. */
  let shift = 0;
  const now = () => clock.now() + shift;
  const run = () => createTakeBacks({ clock: { ...clock, now }, store, newId: () => `id-${(made += 1)}` });
  const takeBacks = run();
  const change = (next: (person: Person) => Person): Promise<readonly [Person, Person]> =>
    store.write(async (tx) => {
      const before = await people.personIn(tx, OWNER);
      await people.putPerson(tx, OWNER, next(before));
      return [before, await people.personIn(tx, OWNER)] as const;
    });
  return {
    clock,
    store,
    run,
    takeBacks,
    change,
    setClock: (milliseconds: number) => (shift += milliseconds),
    person: () => people.personIn(store.db, OWNER),
    set: async (line: string, kept = takeBacks) => {
      const [before, after] = await change((person) =>
        people.withChange(withLimit(person, line, tokens, now()), "limit", now()),
      );
      return kept.keep(OWNER, before, after) ?? "none";
    },
  };
}

describe("a change of limits", () => {
  it.each([
    ["no limit before", [], "KLV 100 / 150"],
    ["a lower one", ["KLV 500 / 1000"], "KLV 100 / 150"],
    ["one that waits to be raised", ["KLV 500 / 1000", "KLV 700 / 9000"], "KLV 100 / 150"],
    ["one that waits to be removed", ["KLV 500 / 1000", "KLV - / -"], "KLV 600 / 1000"],
    ["a raise", ["KLV 500 / 1000"], "KLV 5000 / 9000"],
    ["others beside it", ["KFI 1 / 2", "KLV 500 / 1000"], "KLV 1 / 1"],
  ])("is taken back to exactly what was before: %s", async (_, earlier, line) => {
    const { set, takeBacks, person, clock } = setUp();
    for (const each of earlier) {
      await set(each);
      await clock.advance(HOUR);
    }
    const { limits: before } = await person();
    const id = await set(line);
    expect((await person()).limits).not.toEqual(before);
    await clock.advance(59_999);
    expect((await takeBacks.takeBack(OWNER, id))?.limits).toEqual(before);
    expect((await person()).limits).toEqual(before);
    // The list of changes says so.
    expect((await person()).changes?.slice(0, 2).map(({ guard }) => guard)).toEqual(["limit", "limit"]);
  });

  it("is taken back once, however often the tap arrives, and not by the button of another change", async () => {
    const { set, takeBacks, person } = setUp();
    await set("KLV 500 / 1000");
    const first = await set("KLV 100 / 150");
    expect(await takeBacks.takeBack(OWNER, first)).toBeDefined();
    const second = await set("KLV 50 / 60");
    const both = [takeBacks.takeBack(OWNER, first), takeBacks.takeBack(OWNER, "id"), takeBacks.takeBack(2, second)];
    expect(await Promise.all(both)).toEqual([undefined, undefined, undefined]);
    const taps = await Promise.all([1, 2, 3].map(() => takeBacks.takeBack(OWNER, second)));
    expect(taps.filter((taken) => taken !== undefined)).toHaveLength(1);
    const { limits } = await person();
    expect(limits?.["KLV"]).toEqual(changedLimit(undefined, limits!["KLV"]!.most, 0));
    expect(limits?.["KLV"]?.most.perDay).toEqual(amountOf(klv, 1_000_000_000n));
  });

  it("can't be taken back beyond the last one, so no chain of changes leads up", async () => {
    const { set, takeBacks, person } = setUp();
    await set("KLV 500 / 1000");
    const older = await set("KLV 100 / 150");
    const newer = await set("KLV 50 / 60");
    expect(await takeBacks.takeBack(OWNER, older)).toBeUndefined();
    // A wrong button costs nothing.
    expect(await takeBacks.takeBack(OWNER, newer)).toBeDefined();
    expect(await takeBacks.takeBack(OWNER, older)).toBeUndefined();
    expect((await person()).limits?.["KLV"]?.most.perDay).toEqual(amountOf(klv, 150_000_000n));
  });

  it("can't be taken back after a minute, also if the clock was set back meanwhile, or ahead", async () => {
    for (const [elapsed, shift] of [
      [60_000, 0],
      [HOUR, -HOUR + 30_000],
      [DAY, -DAY + 1],
      [1_000, -2_000],
      [1_000, HOUR],
      [1_000, DAY],
    ] as const) {
      const { set, takeBacks, person, clock, setClock } = setUp();
      await set("KLV 500 / 1000");
      const id = await set("KLV 100 / 150");
      await clock.advance(elapsed);
      setClock(shift);
      expect(await takeBacks.takeBack(OWNER, id)).toBeUndefined();
      // Nor once the clock is right again.
      setClock(-shift);
      expect(await takeBacks.takeBack(OWNER, id)).toBeUndefined();
      expect((await person()).limits?.["KLV"]?.most.perDay).toEqual(amountOf(klv, 150_000_000n));
    }
  });

  const later = { guard: "unfreeze", from: 9e12 } as const;
  it.each<[string, (person: Person) => Person]>([
    ["a freeze", (person) => people.withChange({ ...person, frozenSince: 1 }, "freeze", 1)],
    ["a request to unfreeze", (person) => people.withLater(person, later)],
    ["another limit", (person) => people.withChange(withLimit(person, "KFI 1 / 2", tokens, 1), "limit", 1)],
    ["the same limit again", (person) => people.withChange(person, "limit", 1)],
    ["a new address", (person) => people.withChange({ ...person, wallet: { address: alice, since: 1 } }, "wallet", 1)],
    ["another time zone", (person) => ({ ...person, timeZone: "Pacific/Kiritimati" })],
    ["another slippage", (person) => ({ ...person, slippageBps: 900 })],
    ["a phrase", (person) => ({ ...person, phrase: "blue heron" })],
  ])("can't be taken back after %s", async (_, next) => {
    const { set, takeBacks, person, change } = setUp();
    await set("KLV 500 / 1000");
    const id = await set("KLV 100 / 150");
    await change(next);
    const before = await person();
    expect(await takeBacks.takeBack(OWNER, id)).toBeUndefined();
    expect(await person()).toEqual(before);
  });

  it("can be taken back after what guards nothing, such as another language or a trade's token", async () => {
    const { set, takeBacks, change, person } = setUp();
    await set("KLV 500 / 1000");
    const id = await set("KLV 100 / 150");
    await change((now) => ({ ...now, language: "pt", recentTokens: ["KLV"], presets: ["5"] }));
    expect(await takeBacks.takeBack(OWNER, id)).toBeDefined();
    expect(await person()).toMatchObject({ language: "pt", recentTokens: ["KLV"], presets: ["5"] });
  });

  it("can't be taken back by another run, nor once the user is forgotten", async () => {
    const { set, run, takeBacks, store, person } = setUp();
    await set("KLV 500 / 1000");
    const id = await set("KLV 100 / 150");
    expect(await run().takeBack(OWNER, id)).toBeUndefined();
    await store.write((tx) => people.removePerson(tx, OWNER));
    expect(await takeBacks.takeBack(OWNER, id)).toBeUndefined();
    expect((await person()).limits).toBeUndefined();
  });

  it("that changes nothing has nothing to take back, and ends what could be", async () => {
    const { set, takeBacks } = setUp();
    const id = await set("KLV 100 / 150");
    expect(await set("KLV 100 / 150")).toBe("none");
    expect(await takeBacks.takeBack(OWNER, id)).toBeUndefined();
  });

  it("can still be taken back if the store failed the first time", async () => {
    const { set, takeBacks, store, person } = setUp();
    await set("KLV 500 / 1000");
    const id = await set("KLV 100 / 150");
    store.beforeWrite = () => {
      throw new Error("disk full");
    };
    await expect(takeBacks.takeBack(OWNER, id)).rejects.toThrow();
    store.beforeWrite = () => undefined;
    expect(await takeBacks.takeBack(OWNER, id)).toBeDefined();
    expect((await person()).limits?.["KLV"]?.most.perDay).toEqual(amountOf(klv, 1_000_000_000n));
  });

  it("is kept of 10,000 users at most: the oldest goes first", async () => {
    const { takeBacks, store, person } = setUp();
    const before = await person();
    const after = withLimit(before, "KLV 1 / 2", tokens, 0);
    await store.write(async (tx) => {
      for (const userId of [1, 2]) await people.putPerson(tx, userId, after);
    });
    const stored = await people.personIn(store.db, 1);
    const ids = Array.from({ length: 10_001 }, (_, index) => takeBacks.keep(index + 1, before, stored)!);
    expect(await takeBacks.takeBack(1, ids[0]!)).toBeUndefined();
    expect(await takeBacks.takeBack(2, ids[1]!)).toMatchObject({ chatId: before.chatId });
  });

  it("lets no limit rise within a day of any changes, but to what it was before the last of them", async () => {
    const random = seededRandom("take-backs");
    const pick = (count: number) => Math.floor(random() * count);
    for (let tries = 0; tries < often(50); tries += 1) {
      const { set, takeBacks, person, clock } = setUp();
      const ids: string[] = [];
      const perDay = async () => (await person()).limits?.["KLV"]?.most.perDay?.units ?? 10n ** 30n;
      /** What was in effect, before the last change and since. */
      let [before, now] = [await perDay(), await perDay()];
      for (let step = 0; step < 20; step += 1) {
        const isTap = ids.length > 0 && pick(2) === 0;
        if (isTap) await takeBacks.takeBack(OWNER, ids[pick(ids.length)]!);
        else ids.push(await set(`KLV - / ${1 + pick(9)}`));
        const next = await perDay();
        expect(next <= now || (isTap && next === before)).toBe(true);
        if (!isTap) before = now;
        else if (next !== now) before = next;
        now = next;
        await clock.advance(pick(3) * 25_000);
      }
    }
  });
});
