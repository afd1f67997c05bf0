import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { kinds } from "../../src/bot/kinds.js";
import type { IntentKind } from "../../src/model/terms.js";
import { en, intent, lockTerms, routeTerms, swapTerms, unlockTerms } from "../cards/arrange.js";

const examples = { swap: swapTerms, multihop: routeTerms, lock: lockTerms, unlock: unlockTerms };
const names = Object.keys(kinds) as IntentKind[];

test.each(Object.entries(examples))("the entry of a %s takes what is of its kind, and nothing else", (name, terms) => {
  for (const each of names) {
    const summary = () => kinds[each].summary(intent(terms), en);
    if (each === name) expect(summary()).not.toBe("");
    else expect(summary).toThrow(TypeError);
  }
});

test("no kind is known by name where cards are confirmed, shown and remembered", () => {
  const folder = new URL("../../src/", import.meta.url);
  const files = [
    ...readdirSync(new URL("bot/intents", folder)).map((name) => `bot/intents/${name}`),
    ...readdirSync(new URL("services/intents", folder)).map((name) => `services/intents/${name}`),
    "bot/features/history.ts",
    "cards/subject.ts",
    "cards/history.ts",
  ];
  const named = new RegExp(`"(?:${names.join("|")})"`);
  expect(files.filter((file) => named.test(readFileSync(new URL(file, folder), "utf8")))).toEqual([]);
});
