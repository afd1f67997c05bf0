import { describe, expect, test } from "vitest";
import { publishCommands, publishDescriptions } from "../../src/bot/features/start.js";
import { systemClock } from "../../src/clock.js";
import { Fault } from "../../src/fault.js";
import {
  defaultLanguage,
  languageOf,
  languages,
  messages,
  messagesIn,
  errorMessage,
} from "../../src/locales/messages.js";
import { sentencesOf } from "./sentences.js";
import { testBot, testLog } from "../bot/receive/updates.js";

const english = sentencesOf(messages.en);
const others = [...languages].filter(([language]) => language !== defaultLanguage);

describe.each(others)("%s", (_, words) => {
  const sentences = sentencesOf(words);
  const byPath = new Map(sentences);

  test("has the same keys as English, including nested ones", () => {
    expect([...byPath.keys()].sort()).toEqual(english.map(([path]) => path).sort());
    expect(english.length).toBeGreaterThan(250);
  });

  test("shows the same parameters as English in every sentence", () => {
    const shown = (sentence: string) => (sentence.match(/<\w+>/g) ?? []).sort();
    for (const [path, sentence] of english) expect(shown(byPath.get(path)!), path).toEqual(shown(sentence));
  });

  test("differs from English, except for names, figures and words that are the same in both", () => {
    const same = english.filter(([path, sentence]) => byPath.get(path) === sentence).map(([path]) => path);
    expect(same.filter((path) => !alike.has(path))).toEqual([]);
  });
});

describe.each([...languages.keys()])("%s, with a contact of the operator", (language) => {
  const sentences = sentencesOf(messagesIn(language, "@swapdesk_help"));
  const plain = new Map(sentencesOf(messagesIn(language)));
  // What a button does needs no address.
  const sends = /(?<!🙋 )(?:contact|ask|tell|reach) (?:the|its|this bot's) operator|(?:fale|avise|peça).* operador/iu;

  test("every sentence that sends users to the operator has the contact, and no other does", () => {
    const naming = sentences.filter(([, sentence]) => sentence.includes("@swapdesk_help")).map(([path]) => path);
    expect(naming).toEqual([...plain].filter(([, sentence]) => sends.test(sentence)).map(([path]) => path));
    expect(naming).toContain("common.notAllowed");
    expect(naming.length).toBeGreaterThan(10);
  });

  test("nothing else differs", () => {
    for (const [path, sentence] of sentences) expect(sentence.replace(" (@swapdesk_help)", "")).toBe(plain.get(path));
    expect(sentences).toHaveLength(plain.size);
  });
});

test.each([...languages])("in %s, no example in a refusal could be taken for its reader's own", (_, words) => {
  const refusals = sentencesOf(words).filter(([path]) => path.startsWith("faults."));
  for (const [path, sentence] of refusals) {
    const before = sentence.split(/(?=\/[a-z]+ [0-9A-Z])/).slice(0, -1);
    for (const part of before) expect(part, path).toMatch(/(?:for example|por exemplo): $|(?:such as|como|or|ou) $/i);
  }
});

test.each([...languages])(
  "in %s, an emoji stands beside the words that name a thing, never in place of them",
  (_, words) => {
    for (const [path, sentence] of sentencesOf(words))
      expect(sentence, path).not.toMatch(/(?<=\S\s+)\p{Extended_Pictographic}\uFE0F?(?! [\p{Lu}\p{N}<])/u);
  },
);

/** Sentences that are names, figures or the same words in several languages. */
const alike = new Set([
  "standing.stopBy",
  "lock.times.7d",
  "lock.times.30d",
  "lock.times.90d",
  "price.parts.pools",
  "price.via",
  // Of a hand that has no name of its own.
  "rights.handName",
  "admin.services.telegram",
  "admin.volumeKinds.volume",
  "launch.lpNamed",
  "multihop.pool",
  "orders.named MAKER",
  "orders.named TAKER",
  "security.guards.slippage",
  "settings.slippage",
  "signing.hash",
  "token.pools",
]);

test.each([...languages])("%s has no empty or broken sentence", (_, words) => {
  for (const [path, sentence] of sentencesOf(words)) {
    expect(sentence.trim(), path).not.toBe("");
    expect(sentence, path).not.toMatch(/undefined|\[object|NaN|\s{2}| $/);
  }
});

test.each([...languages])("a user whose Telegram is in any %s is answered in it", (language, words) => {
  for (const code of [language, `${language}-XX`, language.toUpperCase()]) {
    expect(languageOf(code), code).toBe(language);
    expect(messagesIn(code), code).toBe(words);
  }
});

test.each(["zz", "constructor", "p", "", undefined])(
  "a user with the language code %j is answered in English",
  (code) => {
    expect(languageOf(code)).toBe("en");
    expect(messagesIn(code)).toBe(messages.en);
  },
);

test("Telegram gets the commands in every language, with English as the default", async () => {
  const { bot, calls } = testBot();
  const waiting = { clock: systemClock, log: testLog().log, signal: new AbortController().signal };
  await publishCommands(bot.api, waiting);
  type Told = {
    language_code?: string;
    scope?: { type: string };
    commands: { description: string; is_ephemeral?: true }[];
  };
  const all = calls.map(({ payload }) => payload as Told);
  const inGroups = all.filter(({ scope }) => scope?.type === "all_group_chats");
  expect(inGroups).toHaveLength(languages.size);
  expect(inGroups.flatMap(({ commands }) => commands).every(({ is_ephemeral }) => is_ephemeral)).toBe(true);
  const told = all.filter(({ scope }) => scope === undefined);
  const codes = told.map(({ language_code }) => language_code ?? defaultLanguage);
  expect(codes).toEqual([...languages.keys()]);
  for (const [index, { help }] of [...languages.values()].entries())
    expect(told[index]?.commands.map(({ description }) => description)).toEqual(
      expect.arrayContaining([help.commands.swap, help.commands.stoploss, help.commands.help]),
    );
});

test("Telegram gets what the bot says of itself in every language, unless its operator has written something", async () => {
  const has = new Map<string, string>();
  const { bot, calls } = testBot(({ method, payload }) => {
    const { language_code: code = "" } = payload as { language_code?: string };
    const [, kind = ""] = /^getMy(.*)$/.exec(method) ?? [];
    const key = kind === "Description" ? "description" : "short_description";
    // As Telegram does, the default stands in for a language without one.
    const result = { [key]: has.get(`${kind} ${code}`) ?? has.get(`${kind} `) ?? "" };
    if (kind !== "") return { ok: true, result };
    const { description, short_description } = payload as { description?: string; short_description?: string };
    has.set(`${method.slice(5)} ${code}`, description ?? short_description ?? "");
    return { ok: true, result: true };
  });
  const waiting = { clock: systemClock, log: testLog().log, signal: new AbortController().signal };
  await publishDescriptions(bot.api, waiting);
  expect(Object.fromEntries(has)).toEqual({
    "Description ": messages.en.about.long,
    "ShortDescription ": messages.en.about.short,
    "Description pt": messages.pt.about.long,
    "ShortDescription pt": messages.pt.about.short,
  });
  const before = calls.length;
  has.set("Description ", "Our own bot");
  has.delete("Description pt");
  await publishDescriptions(bot.api, waiting);
  expect(calls.slice(before).filter(({ method }) => method.startsWith("set"))).toEqual([]);
  // Telegram's limits.
  for (const { about } of languages.values()) {
    expect(about.long.length).toBeLessThanOrEqual(512);
    expect(about.short.length).toBeLessThanOrEqual(120);
  }
});

test("a fault's sentence has its own figures", () => {
  const fault = new Fault("unlock-time-ambiguous", { digits: "20261231", date: "2026-12-31" });
  expect(errorMessage(fault, messages.en)).toBe(
    "Did you mean the date 2026-12-31? Send it with hyphens. For epoch 20261231, send #20261231.",
  );
});

test("every fault says what is wrong and what to do", () => {
  // These are shown on the operator's terminal, or there is nothing to do about them.
  const withoutAdvice = /store-locked|file-invalid|list-invalid|order-refused|contract-failed|call-ended/;
  for (const [path, sentence] of [...languages.values()].flatMap((words) => sentencesOf(words))) {
    if (!path.startsWith("faults.") || withoutAdvice.test(path)) continue;
    expect(sentence.split(/[.:;,!?] /).length, `${path}: ${sentence}`).toBeGreaterThan(1);
  }
});
