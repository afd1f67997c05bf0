import { expect, it } from "vitest";
import { storeWithSwaps } from "../support/past-swaps.js";
import { nextFile, people, sandboxDesk } from "../support/sandbox-desk.js";

it("/history exports every call since the beginning, even with a filter that matches none", async () => {
  const desk = await sandboxDesk({}, await storeWithSwaps(people.alice, 3_000));
  const alice = desk.person(people.alice);
  const menu = await alice.asks("/history");
  expect(menu.text.match(/0\.982076 KFI/g)).toHaveLength(8);
  await alice.taps(menu, "Locks");
  await alice.sees(menu, /Nothing of this kind/);
  const answer = await nextFile(desk, alice, () => alice.taps(menu, "📄"));
  expect(answer.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''history.csv");
  const lines = (await answer.text()).trimEnd().split("\r\n");
  expect(lines).toHaveLength(3_001);
  expect(lines[1]).toBe(
    "1970-01-01T00:00:00Z,1970-01-01T05:30:00+05:30,swap,100 KLV → 0.982076 KFI,100,KLV,0.982076,KFI,0.009919,KFI,0.00991995,,accepted by the node,,",
  );
  expect(lines.at(-1)).toMatch(/^1970-01-03T01:59:00Z,/);
  expect(new Set(lines).size).toBe(lines.length);
});
