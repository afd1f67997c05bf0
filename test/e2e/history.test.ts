import { expect, it } from "vitest";
import { insertIntent } from "../../src/services/intent/queries.js";
import { people as collection } from "../support/documents.js";
import { temporaryPlace } from "../support/engine.js";
import { intent, swapTerms } from "../cards/arrange.js";
import { people, sandboxDesk } from "../support/sandbox-desk.js";
import { until } from "../support/until.js";

/** A store in which a person has made so many swaps, one a minute. */
async function storeWithSwaps(userId: number, count: number): Promise<Readonly<Record<string, string>>> {
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

it("leads in two taps to a file with every call since the beginning", async () => {
  const desk = await sandboxDesk({}, await storeWithSwaps(people.alice, 3_000));
  const alice = desk.person(people.alice);
  const menu = await alice.asks("/history");
  expect(menu.text.match(/0\.982076 KFI/g)).toHaveLength(8);
  await alice.taps(menu, "Locks");
  await alice.sees(menu, /Nothing of this kind/);
  await alice.taps(menu, "📄");
  const sent = () => desk.sandbox.telegram.chat(people.alice).find(({ fileId }) => fileId !== undefined);
  await until(() => sent() !== undefined);
  const answer = await fetch(`${desk.sandbox.url}/_sim/telegram/files/${sent()!.fileId!}`);
  expect(answer.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''history.csv");
  const lines = (await answer.text()).trimEnd().split("\r\n");
  expect(lines).toHaveLength(3_001);
  expect(lines[1]).toBe(
    "1970-01-01T00:00:00Z,1970-01-01T05:30:00+05:30,swap,100 KLV → 0.982076 KFI,100,KLV,0.982076,KFI,0.009919,KFI,0.00991995,,accepted by the node,,",
  );
  expect(lines.at(-1)).toMatch(/^1970-01-03T01:59:00Z,/);
  expect(new Set(lines).size).toBe(lines.length);
});
