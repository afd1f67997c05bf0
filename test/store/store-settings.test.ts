import { expect, it } from "vitest";
import * as z from "zod";
import { readSetting, writeSetting, type StoredSetting } from "../../src/store/store.js";
import { temporaryStore } from "../support/engine.js";

const counted: StoredSetting<{ readonly count: bigint }> = {
  name: "counted",
  schema: z.object({ count: z.bigint() }),
  initial: { count: 0n },
};

it("a setting holds its initial value until another one is written", async () => {
  const { db, write } = await temporaryStore();
  expect(await readSetting(db, counted)).toEqual({ count: 0n });
  for (const count of [1n, 2n ** 64n]) {
    await write((tx) => writeSetting(tx, counted, { count }));
    expect(await readSetting(db, counted)).toEqual({ count });
  }
});

it.each(["{", "null", '{"count":1}'])(
  "a setting that can't be read (%s) is an error, not the initial value",
  async (value) => {
    const { db, write } = await temporaryStore();
    await write((tx) => tx.insertInto("settings").values({ name: "counted", value }).execute());
    await expect(readSetting(db, counted)).rejects.toMatchObject({
      code: "store-unreadable",
      parameters: { document: "settings/counted" },
    });
    await write((tx) => writeSetting(tx, counted, { count: 1n }));
    expect(await readSetting(db, counted)).toEqual({ count: 1n });
  },
);
