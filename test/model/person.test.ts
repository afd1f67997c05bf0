import { describe, expect, it } from "vitest";
import { ZodError } from "zod";
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

  it.each(["presets", "recentTokens"])("from before the field %s has its default", (field) => {
    const older = Object.fromEntries(Object.entries(fresh).filter(([name]) => name !== field));
    expect(people.parse(stored(older))).toEqual(fresh);
  });

  it.each([
    null,
    "text",
    [],
    {},
    { ...fresh, chatId: "1001" },
    { ...fresh, language: 7 },
    { ...fresh, presets: "10" },
    { ...fresh, recentTokens: {} },
  ])("is refused when it is not one: %j", (value) => {
    expect(() => people.parse(stored(value))).toThrow(ZodError);
  });
});
