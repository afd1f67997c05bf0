import { describe, expect, it } from "vitest";
import { newPerson, putPerson } from "../../../src/services/person/person.js";
import { unknownZones } from "../../../src/services/person/unknown-zones.js";
import type { Database, Tables } from "../../../src/store/store.js";
import { temporaryStore } from "../../support/engine.js";

describe("people's time zones", () => {
  /** A store that notes which tables are read. */
  const noting = ({ db, write }: Database) => {
    const read: string[] = [];
    const selectFrom = ((table: keyof Tables) => {
      read.push(table);
      return db.selectFrom(table);
    }) as typeof db.selectFrom;
    return { read, db: { selectFrom }, write };
  };
  const withZones = async (zones: readonly string[]) => {
    const store = await temporaryStore();
    const rows = zones.map((zone, at) => ({ id: at + 1, time_zone: zone }));
    await store.write((tx) => tx.insertInto("users").values(rows).execute());
    return store;
  };

  it("are read once for each table of zones, however many people there are", async () => {
    const many = Array.from({ length: 1_100 }, (_, at) => (at % 2 === 0 ? "Europe/Lisbon" : "UTC"));
    const store = noting(await withZones(many));
    expect(await unknownZones(store)).toEqual([]);
    expect(store.read).toContain("users");
    store.read.splice(0);
    expect(await unknownZones(store)).toEqual([]);
    expect(store.read).toEqual(["settings"]);
    await store.write(async (tx) => {
      await putPerson(tx, 1, { ...newPerson(1), timeZone: "Europe/Atlantis" });
      await tx.updateTable("settings").set({ value: '"0.0.1"' }).where("name", "=", "zones-checked").execute();
    });
    expect(await unknownZones(store)).toEqual(["Europe/Atlantis"]);
  });

  it("are told at each start while one isn't known, wherever in a lot of people it is", async () => {
    const zones = Array.from({ length: 1_002 }, (_, at) => ({ 999: "Mars/North", 1001: "Mars/South" })[at] ?? "UTC");
    const store = await withZones(zones);
    expect(await unknownZones(store)).toEqual(["Mars/North", "Mars/South"]);
    expect(await unknownZones(store)).toEqual(["Mars/North", "Mars/South"]);
    await store.write((tx) => tx.updateTable("users").set({ time_zone: "UTC" }).execute());
    expect(await unknownZones(store)).toEqual([]);
  });
});
