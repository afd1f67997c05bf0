import { describe, expect, it } from "vitest";
import { findEntities, formatted, typed } from "../../../sandbox/telegram/entities.js";
import { anyText, fc, property } from "../../support/property.js";

const bold = (offset: number, length: number) => ({ type: "bold", offset, length });
const refusal = (text: string, offset: number, length: number) => {
  try {
    formatted(text, [bold(offset, length)]);
    return "accepted";
  } catch (error) {
    return (error as { description: string }).description;
  }
};

describe("entities that a bot sends", () => {
  it.each([
    ["aba caba", 3, 6, "entity beginning at UTF-16 offset 3 ends after the end of the text at UTF-16 offset 9"],
    ["aba caba", 9, 1, "entity begins after the end of the text at UTF-16 offset 9"],
    ["aba caba", -1, 1, "receive an entity with incorrect offset -1"],
    ["aba caba", 0, -1, "receive an entity with incorrect length -1"],
    ["aba caba", 1_000_001, 1, "receive an entity with incorrect offset 1000001"],
    ["👉 x", 1, 1, "entity begins in a middle of a UTF-16 symbol at byte offset 4"],
    ["👉 x", 0, 1, "entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 4"],
  ])("refuses bold on %j from %i for %i", (text, offset, length, reason) => {
    expect(refusal(text, offset, length)).toBe(`Bad Request: ${reason}`);
  });

  it("keeps whole characters and drops empty entities", () => {
    expect(formatted("👉 x", [bold(0, 2), bold(3, 0)])).toEqual({ text: "👉 x", entities: [bold(0, 2)] });
  });

  it("cuts white space off and moves what follows", () => {
    expect(formatted("  Hello  \n", [bold(4, 5)])).toEqual({ text: "Hello", entities: [bold(2, 3)] });
    expect(formatted("  Hello", [bold(1, 3)])).toEqual({ text: " Hello", entities: [bold(0, 3)] });
  });

  it("refuses a text of white space", () => {
    expect(() => formatted(" \n ", [])).toThrow("text must be non-empty");
  });

  it("finds nothing inside what the bot marked itself", () => {
    const code = { type: "code", offset: 0, length: 5 };
    expect(formatted("/swap and /help", [code]).entities).toEqual([
      code,
      { type: "bot_command", offset: 10, length: 5 },
    ]);
  });

  property(
    "are accepted exactly when they begin and end at whole characters of the text",
    [anyText, fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 20 })],
    (text, offset, length) => {
      fc.pre(text.trim() !== "");
      const boundaries = new Set([0]);
      for (const character of text) boundaries.add(Math.max(...boundaries) + character.length);
      const fits = boundaries.has(offset) && boundaries.has(offset + length);
      expect(refusal(text, offset, length) === "accepted").toBe(fits);
    },
  );
});

describe("entities of a typed text", () => {
  const found = (text: string) =>
    findEntities(text).map(({ type, offset, length }) => [type, text.slice(offset, offset + length)]);

  it.each([
    ["/swap 100 KLV KFI", [["bot_command", "/swap"]]],
    ["/swap@swapdesk_sandbox_bot 1", [["bot_command", "/swap@swapdesk_sandbox_bot"]]],
    ["see /help, please", [["bot_command", "/help"]]],
    ["1/2 and a/b", []],
    ["LKTOK-1A2B/7", []],
    ["ask @alice or me@mail", [["mention", "@alice"]]],
    [
      "#KLV #2026 $KLV $klv",
      [
        ["hashtag", "#KLV"],
        ["cashtag", "$KLV"],
      ],
    ],
    [
      "at https://klever.org/x?y=1 or klever.finance",
      [
        ["url", "https://klever.org/x?y=1"],
        ["url", "klever.finance"],
      ],
    ],
    ["0.5 KLV, 1.000,5", []],
    ["1989652f-be77-4179-924e-b71c03a4198a", []],
  ])("of %j", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it("count UTF-16 code units", () => {
    expect(typed("🔔 /start")).toEqual({
      text: "🔔 /start",
      entities: [{ type: "bot_command", offset: 3, length: 6 }],
    });
  });
});
