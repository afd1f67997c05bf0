import { describe, expect, test } from "vitest";
import { messages } from "../../src/locales/messages.js";
import { sentencesOf } from "../locales/sentences.js";
import { openLines, onPhone } from "../support/phone.js";
import { assertSendable, en, pt } from "./arrange.js";
import { gallery } from "./sights.js";

/** `npm run gallery` writes the files. */
describe.each([
  ["en", en],
  ["pt", pt],
])("every card in each state, as a phone shows it (%s)", (language, view) => {
  test.each(Object.entries(gallery))("%s", async (name, sights) => {
    const drawn = sights.map((sight) => ({ sight, shown: sight.draw(view) }));
    for (const { shown } of drawn) assertSendable(shown);
    const tooLong = drawn.flatMap(({ sight, shown }) => {
      const lines = openLines(shown);
      return lines > (sight.lines ?? Number.POSITIVE_INFINITY) ? [`${sight.name}: ${lines} lines`] : [];
    });
    expect(tooLong).toEqual([]);
    const text = drawn.map(({ sight, shown }) => `── ${sight.name}\n\n${onPhone(shown)}\n`).join("\n");
    await expect(text).toMatchFileSnapshot(`../../docs/cards/${language}/${name}.txt`);
  });
});

test("shows every sentence that there is", () => {
  const texts = Object.values(gallery)
    .flat()
    .map(({ draw }) => draw(en))
    .map(({ text, keyboard = [] }) => [text, ...keyboard.flat().map((button) => button.text)].join("\n"))
    .join("\n")
    .replace(/\p{Cf}/gu, "");
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const isShown = (sentence: string) => {
    const pieces = sentence.split(/<\w+>|[0-9]+/).map(escaped);
    return new RegExp(pieces.join("[^]{0,90}?"), "u").test(texts);
  };
  // Of one with several forms, one form is enough.
  const paths = sentencesOf(messages.en).map(([path, said]) => [path.split(" ")[0]!, said] as const);
  const shown = new Set(paths.flatMap(([path, said]) => (isShown(said) ? [path] : [])));
  expect(paths.map(([path]) => path).filter((path) => !shown.has(path))).toEqual([]);
});
