import { expect, it } from "vitest";
import { createLinks } from "../../../src/services/wallet-gateway/links.js";
import { memoryStore } from "../intents/memory-store.js";

it("lead from a token to its request, over restarts too, and the oldest are forgotten", async () => {
  const store = memoryStore();
  const links = createLinks(store);
  const token = (number: number) => `A${number}`;
  for (let number = 0; number < 161; number += 1) await links.note(token(number), { owner: 1001, id: `id ${number}` });
  await links.note(token(160), { owner: 1001, id: "id 160" });
  await links.note("B0", { owner: 1002, id: "another" });
  const after = createLinks(store);
  expect(await after.find(token(160))).toEqual({ owner: 1001, id: "id 160" });
  expect(await after.find(token(1))).toEqual({ owner: 1001, id: "id 1" });
  expect(await after.find("B0")).toEqual({ owner: 1002, id: "another" });
  expect(await after.find(token(0))).toBeUndefined();
  expect(await after.find("C0")).toBeUndefined();
});
