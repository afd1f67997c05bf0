import * as z from "zod";
import { type Database, inLots, readSetting, setting, writeSetting } from "../../store/store.js";
import { findZone, zonesVersion } from "./zone.js";

/** Version of the table of zones that had everybody's. */
const zonesChecked = setting("zones-checked", z.string(), "");
const ZONES_AT_ONCE = 1_000;

/**
 * Time zones that people have and that aren't known, so that they count as UTC. Everybody's is known when it is stored,
 * so people are read only if the table of zones has changed since.
 */
export async function unknownZones({ db, write }: Database): Promise<readonly string[]> {
  if ((await readSetting(db, zonesChecked)) === zonesVersion) return [];
  const people = db.selectFrom("users").select(["id", "time_zone as zone"]).orderBy("id").limit(ZONES_AT_ONCE);
  const zones = new Set<string>();
  const read = (last?: { readonly id: number }) => people.where("id", ">", last?.id ?? 0).execute();
  for await (const lot of inLots(Infinity, read, ZONES_AT_ONCE)) {
    for (const { zone } of lot) if (zone !== null) zones.add(zone);
  }
  const unknown = [...zones].filter((zone) => findZone(zone) === undefined);
  if (unknown.length === 0) await write((tx) => writeSetting(tx, zonesChecked, zonesVersion));
  return unknown;
}
