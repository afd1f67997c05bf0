import { describe, expect, test } from "vitest";
import { Fault } from "../../src/fault.js";
import { languageOf, messages } from "../../src/locales/messages.js";
import { sentenceOf } from "../../src/locales/sentence.js";
import { launchSteps } from "../../src/model/launch.js";

/** Sentences that are chosen by a key, and the keys. */
const keyed: Readonly<Record<string, readonly string[]>> = {
  "launch.step": launchSteps,
  "launch.todo": launchSteps,
  "launch.stepTitle": launchSteps,
  "launch.confirm": launchSteps,
  "launch.doButton": launchSteps,
  "launch.undoButton": launchSteps,
  "launch.evidence": ["view", "answer", "word"],
  "orders.kind": ["fill", "done", "canceled", "other", "service"],
  "orders.mode": ["on", "silent", "off"],
  "orders.side": ["BUY", "SELL"],
  "orders.type": ["LIMIT", "MARKET"],
  "orders.trade": ["MAKER", "TAKER"],
  "orders.status": ["OPEN", "PARTIALLY", "DONE", "CANCELED"],
  "orders.outage": ["node", "quotation", "exchange", "telegram"],
  "orders.back": ["node", "quotation", "exchange", "telegram"],
};

/** What a fault carries: figures where the sentence computes with them, else the parameter's name in brackets. */
const carried = new Proxy(
  { service: "node", status: 500, precision: 6, maximum: 7, minimum: 1, retryAfterSeconds: 3, beginsAt: 0 },
  { get: (known, name) => (name in known ? known[name as keyof typeof known] : `<${String(name)}>`) },
);

/** Every sentence by its path; those with parameters are called with some. */
function sentencesOf(value: unknown, path = ""): [path: string, sentence: string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") {
    const say = value as (...parameters: unknown[]) => unknown;
    if (path.startsWith("faults.")) return [[path, String(say(carried))]];
    const keys = keyed[path];
    if (keys !== undefined) return keys.map((key) => [`${path} ${key}`, String(say(key, "8", "9"))]);
    return [[path, String(say("7", "8", "9"))]];
  }
  return Object.entries(value as object).flatMap(([key, inner]) =>
    sentencesOf(inner, path === "" ? key : `${path}.${key}`),
  );
}

const [english, portuguese] = [sentencesOf(messages.en), sentencesOf(messages.pt)];

describe("the two languages", () => {
  test("have the same keys, nested ones too", () => {
    expect(portuguese.map(([path]) => path).sort()).toEqual(english.map(([path]) => path).sort());
    expect(english.length).toBeGreaterThan(250);
  });

  test("leave no sentence empty or broken", () => {
    for (const [path, sentence] of [...english, ...portuguese]) {
      expect(sentence.trim(), path).not.toBe("");
      expect(sentence, path).not.toMatch(/undefined|\[object|NaN|\s{2}| $/);
    }
  });

  test("take the same parameters: what one shows the other shows", () => {
    const shown = (sentence: string) => (sentence.match(/<\w+>/g) ?? []).sort();
    const byPath = new Map(portuguese);
    for (const [path, sentence] of english) expect(shown(byPath.get(path)!), path).toEqual(shown(sentence));
  });

  test("differ, but for names, figures and words that are the same in both", () => {
    const other = new Map(portuguese);
    const same = english.filter(([path, sentence]) => other.get(path) === sentence).map(([path]) => path);
    expect(same).toMatchInlineSnapshot(`
      [
        "launch.lpNamed",
        "launch.listRow",
        "multihop.hop",
        "multihop.pool",
        "orders.trade MAKER",
        "orders.trade TAKER",
        "orders.fromTo",
        "signing.hash",
        "swap.rate",
        "token.pools",
      ]
    `);
  });
});

test("whoever's Telegram speaks any Portuguese is spoken to in it, everybody else in English", () => {
  expect(["pt", "pt-BR", "PT-pt"].map(languageOf)).toEqual(["pt", "pt", "pt"]);
  expect(["en", "de", "p", "", undefined].map(languageOf)).toEqual(["en", "en", "en", "en", "en"]);
});

test("a fault is said with its own figures", () => {
  const fault = new Fault("unlock-time-ambiguous", { digits: "20261231", date: "2026-12-31" });
  expect(sentenceOf(fault, messages.en)).toBe(
    "Do you mean the date 2026-12-31? Then send it like that, with hyphens. If you really mean epoch number 20261231, send #20261231.",
  );
});

test("every fault says what is wrong and what to do", () => {
  // These stand on the operator's terminal, or tell of what cannot be helped.
  const withoutAdvice = /store-locked|file-invalid|list-invalid|order-refused|contract-failed/;
  for (const [path, sentence] of [...english, ...portuguese]) {
    if (!path.startsWith("faults.") || withoutAdvice.test(path)) continue;
    expect(sentence.split(/[.:;,!?] /).length, `${path}: ${sentence}`).toBeGreaterThan(1);
  }
});
