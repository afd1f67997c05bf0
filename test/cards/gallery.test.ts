import { describe, expect, test } from "vitest";
import { openLines, onPhone } from "../support/phone.js";
import { assertSendable, en, pt } from "./arrange.js";
import { gallery } from "./sights.js";

/** `npm run gallery` writes the files anew. */
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
