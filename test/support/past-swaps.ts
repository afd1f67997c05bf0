import { insertIntent } from "../../src/services/intent/intent-row.js";
import { intent, swapTerms } from "../cards/arrange.js";
import { people as collection } from "./documents.js";
import { temporaryPlace } from "./engine.js";

/** Creates a store in which a user has made `count` swaps, one a minute. */
export async function storeWithSwaps(userId: number, count: number): Promise<Readonly<Record<string, string>>> {
  const place = await temporaryPlace();
  const store = await place.open();
  const done = intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] });
  const swaps = Array.from({ length: count }, (_, index) => {
    const at = index * 60_000;
    return {
      ...done,
      id: `past-${index}`,
      owner: userId,
      quotedAt: at,
      times: { CLAIMED: at, OK: at },
    } as const;
  });
  for (let from = 0; from < count; from += 100) {
    await store.write(async (tx) => {
      for (const swap of swaps.slice(from, from + 100)) await insertIntent(tx, swap);
    });
  }
  await store.update(collection, String(userId), (person) => [{ ...person, timeZone: "Asia/Kolkata" }, undefined]);
  await store.close();
  return place.environment;
}
