import { describe, expect, test } from "vitest";
import { buttons, button } from "../../src/cards/buttons.js";
import type { Card } from "../../src/cards/card.js";
import { intentCard } from "../../src/cards/intent.js";
import { Fault, type FaultCode } from "../../src/fault.js";
import { messages, errorMessage } from "../../src/locales/messages.js";
import { terms as launchTerms } from "../services/trade/launch-samples.js";
import { assertSendable, en, intent, lockTerms, pt, routeTerms, swapTerms, unlockTerms } from "./arrange.js";
import { gallery } from "./card-samples.js";

/** Right-to-left override, zero-width space, Hangul filler, Braille blank, variation selector, tag. */
const HOSTILE = "\u202E\u200B\u3164\u2800\uFE0F\u{E0041}";
/** Hebrew and Arabic around a figure, which they would reorder. */
const RIGHT_TO_LEFT = " \u05E9\u05DC 12 \u0645";
let poison = HOSTILE;
/** Keys whose texts decide what is shown but are never shown themselves. */
const DECISIVE = /^(kind|function|step|state|code|pair|payout|scAddress|about|service|guard)$/;

/** The value with `poison` appended to every text that cards show as it is. */
function poisoned<Value>(value: Value, key = ""): Value {
  const hurt = (): unknown => {
    if (typeof value === "string") return DECISIVE.test(key) || /^[0-9.-]+$/.test(value) ? value : `${value}${poison}`;
    if (Array.isArray(value)) return value.map((each: unknown) => poisoned(each, key));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poisoned<unknown>(inner, name)]));
  };
  return hurt() as Value;
}

const outcomes: readonly (readonly [string, (view: typeof en) => Card])[] = [
  swapTerms,
  routeTerms,
  lockTerms,
  unlockTerms,
  launchTerms.createPair,
].flatMap((terms) => [
  [
    `a ${terms.kind} that failed`,
    (view) => intentCard(intent(terms, "FAILED", poisoned({ kind: "failed", text: "no" })), view, { notice: poison }),
  ],
  [
    `a ${terms.kind} and its raw answer`,
    (view) => intentCard(intent(terms, "OK", poisoned({ kind: "ok", returnData: ["zz"] })), view),
  ],
]);
const cards = [
  ...Object.entries(gallery).flatMap(([kind, samples]) =>
    samples.map(({ name, draw }) => [`${kind}: ${name}`, (view: typeof en) => draw(view, poisoned)] as const),
  ),
  ...outcomes,
];

describe("invisible or direction-changing characters never appear", () => {
  const hidden = /(?!\n)[\p{Cc}\p{Cf}\u3164\u2800\u{E0000}-\u{E0FFF}]|(?<!\p{Extended_Pictographic})\uFE0F/u;

  test.each(cards)("in %s", (_, draw) => {
    for (const view of [en, pt]) {
      const { text, keyboard = [] } = draw(view);
      expect([text, ...keyboard.flat().map((each) => each.text)].join("\n")).not.toMatch(hidden);
    }
  });

  test.each(cards)("in %s, and right-to-left text reorders nothing around it", (_, draw) => {
    for (const view of [en, pt]) {
      poison = RIGHT_TO_LEFT;
      const drawn = draw(view);
      poison = HOSTILE;
      assertSendable(drawn);
      const texts = [drawn.text, ...(drawn.keyboard ?? []).flat().map((each) => each.text)];
      // All of it is inside isolates, whose marks come in pairs.
      const unmarked = texts.map((text) => text.replace(/\u2068[^\u2068\u2069\n]*\u2069/g, "")).join("\n");
      expect(unmarked).not.toMatch(/[\u0590-\u08FF\u2066-\u2069]/);
      const torn = drawn.entities.filter(({ type, offset, length }) => {
        const marked = drawn.text.slice(offset, offset + length);
        const isPaired = marked.split("\u2068").length === marked.split("\u2069").length;
        return !isPaired || (type === "code" ? /^\s|\s$/ : /^\n|\n$/).test(marked);
      });
      expect(torn).toEqual([]);
    }
  });

  test("on a button", () => {
    expect(button(`name${HOSTILE}`, buttons.pick, "1")).not.toMatchObject({
      text: expect.stringMatching(hidden) as string,
    });
  });

  const codes = Object.keys(messages.en.faults) as FaultCode[];
  test.each(codes)("in the sentence for %s", (code) => {
    const figures = { service: "node", status: 500, precision: 6, maximum: 7, minimum: 1, retryAfterSeconds: 3 };
    const ids = [`typed${HOSTILE}`];
    const parameters = new Proxy(
      { ...figures, ids, meant: ids },
      {
        get: (known, name) => (name in known ? known[name as keyof typeof known] : `typed${HOSTILE}`),
      },
    ) as never;
    for (const words of [messages.en, messages.pt]) {
      expect(errorMessage(new Fault(code, parameters), words)).not.toMatch(hidden);
    }
  });
});
