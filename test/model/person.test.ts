import { describe, expect, it } from "vitest";
import { type Person, people } from "../../src/model/person.js";
import { fromJson, toJson } from "../../src/store/json.js";

const fresh = people.create("1001");
const stored = (person: unknown) => fromJson(toJson(person));

describe("a stored person", () => {
  it("comes back as it was kept, optional fields too", () => {
    const person: Person = {
      ...fresh,
      chatId: 1001,
      language: "pt",
      slippageBps: 50,
      recentTokens: ["KLV"],
      frozenSince: 1_700_000_000_000,
    };
    expect(people.parse(stored(person))).toEqual(person);
  });

  // The document of somebody knows its chat by its id alone.
  it.each(Object.keys(fresh).filter((field) => field !== "version" && field !== "chatId"))(
    "from before the field %s has its default",
    (field) => {
      const older = Object.fromEntries(Object.entries(fresh).filter(([name]) => name !== field));
      expect(people.parse(stored(older))).toEqual(fresh);
    },
  );

  it("shares nothing that can change with another", () => {
    expect(people.parse({ version: 2 }).intents).not.toBe(people.parse({ version: 2 }).intents);
  });

  it.each([
    null,
    "text",
    [],
    {},
    { ...fresh, version: 3 },
    { ...fresh, version: "2" },
    { ...fresh, chatId: "1001" },
    { ...fresh, language: 7 },
    { ...fresh, presets: "10" },
    { ...fresh, intents: [] },
    { ...fresh, recentTokens: {} },
  ])("is refused when it is not one: %j", (value) => {
    expect(() => people.parse(stored(value))).toThrow(TypeError);
  });
});
