import { expect, test } from "vitest";
import { listCard } from "../../src/cards/list.js";
import { en, pt } from "./arrange.js";
import { gallery } from "./card-samples.js";

test("no line is indented, as apps continue wrapped lines at the margin", () => {
  const indented = Object.entries(gallery).flatMap(([kind, samples]) =>
    [en, pt].flatMap((view) =>
      samples.filter((sample) => /^ /m.test(sample.draw(view).text)).map(({ name }) => `${kind}: ${name}`),
    ),
  );
  expect(indented).toEqual([]);
});

test("a list has each entry's lines, apart from the one before if they are many, and its buttons above the card's", () => {
  const button = (text: string) => ({ text, callback_data: text });
  const entries = [{ lines: ["one", ["more", undefined]], buttons: [button("1")] }, { lines: ["two"] }];
  const drawn = (layout: "apart" | "close") => listCard(["Title", { layout, entries }], [[button("below")]]);
  expect(drawn("apart").text).toBe("Title\n\none\nmore\n\ntwo");
  expect(drawn("close").text).toBe("Title\none\nmore\ntwo");
  expect(drawn("close").keyboard).toEqual([[button("1")], [button("below")]]);
});
