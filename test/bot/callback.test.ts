import { expect, test } from "vitest";
import { parseButton } from "../../src/bot/callback.js";

test.each([
  ["v1:c:AAAAAAAAAAAAAAAAAAAAAA", { verb: "c", id: "AAAAAAAAAAAAAAAAAAAAAA" }],
  ["v1:u:LKTOK-1A2B/7", { verb: "u", id: "LKTOK-1A2B/7" }],
  ["v1:ox:1989652f-be77-4179-924e-b71c03a4198a.0", { verb: "ox", id: "1989652f-be77-4179-924e-b71c03a4198a.0" }],
  ["v1:set:custom-slippage", { verb: "set", id: "custom-slippage" }],
])("%s is read", (data, button) => {
  expect(parseButton(data)).toEqual(button);
});

test.each([
  "",
  "c",
  "v2:c:A",
  "v1:c:",
  "v1::A",
  "v1:C:A",
  "v1:c:A:B",
  "v1:c:A B",
  "v1:c:A\n",
  `v1:c:${"A".repeat(49)}`,
  "v1:__proto__:A",
])("%j is nothing that this bot put there", (data) => {
  expect(parseButton(data)).toBeUndefined();
});
