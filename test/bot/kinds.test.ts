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
