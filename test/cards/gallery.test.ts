import { describe, expect, test } from "vitest";
import type { Card } from "../../src/cards/card.js";
import { messages } from "../../src/locales/messages.js";
import { sentencesOf } from "../locales/sentences.js";
import { openLines, onPhone } from "../support/phone.js";
import { assertSendable, en, pt } from "./arrange.js";
import { gallery } from "./card-samples.js";

const samples = Object.values(gallery).flat();
/** What each button does and how it looks, without its label. */
const actionsOf = ({ keyboard = [] }: Card) =>
  keyboard.map((row) => row.map(({ text: _text, ...action }) => JSON.stringify(action)));
/** The marked parts of a text, without the details, which are folded as a whole. */
const marksOf = ({ text, entities }: Card) =>
  entities
    .filter(({ type }) => type !== "expandable_blockquote")
    .map(({ offset, length, ...mark }) => `${Object.values(mark).join(" ")}: ${text.slice(offset, offset + length)}`);

/** `npm run gallery` writes the files. */
describe.each([
  ["en", en],
  ["pt", pt],
])("every card in each state, as a phone shows it (%s)", (language, view) => {
  test.each(Object.entries(gallery))("%s", async (name, samples) => {
    const drawn = samples.map((sample) => ({ sample, shown: sample.draw(view) }));
    for (const { shown } of drawn) assertSendable(shown);
    const tooLong = drawn.flatMap(({ sample, shown }) => {
      const lines = openLines(shown);
      return lines > (sample.lines ?? Number.POSITIVE_INFINITY) ? [`${sample.name}: ${lines} lines`] : [];
    });
    expect(tooLong).toEqual([]);
    const text = drawn.map(({ sample, shown }) => `── ${sample.name}\n\n${onPhone(shown)}\n`).join("\n");
    await expect(text).toMatchFileSnapshot(`../../docs/cards/${language}/${name}.txt`);
  });
});

test("the gallery shows every sentence of the bot", () => {
  const texts = samples
    .map(({ draw }) => draw(en))
    .map(({ text, keyboard = [] }) => [text, ...keyboard.flat().map((button) => button.text)].join("\n"))
    .join("\n")
    .replace(/\p{Cf}/gu, "");
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const isShown = (sentence: string) => {
    // What may stand before and after it needs no search.
    const pieces = sentence.replace(/^(?:<\w+>|[0-9]+)|(?:<\w+>|[0-9]+)$/g, "").split(/<\w+>|[0-9]+/);
    // A text by itself is found much faster than by an expression.
    if (!pieces.every((piece) => texts.includes(piece))) return false;
    return pieces.length === 1 || new RegExp(pieces.map(escaped).join("[^]{0,90}?"), "u").test(texts);
  };
  // If a sentence has several forms, one of them is enough.
  const paths = sentencesOf(messages.en).map(([path, said]) => [path.split(" ")[0]!, said] as const);
  const shown = new Set(paths.flatMap(([path, said]) => (isShown(said) ? [path] : [])));
  expect(paths.map(([path]) => path).filter((path) => !shown.has(path))).toEqual([]);
});

test.each([
  ["en", en],
  ["pt", pt],
])("no sentence ends in a colon with nothing behind it (%s)", (_language, view) => {
  // Sentences by themselves are listed without what follows them.
  const { sentences: _sentences, ...cards } = gallery;
  const open = Object.values(cards)
    .flat()
    .flatMap(({ name, draw }) => {
      const { text, entities } = draw(view);
      const folded = entities.find(({ type }) => type === "expandable_blockquote")?.offset ?? text.length;
      const shown = [text.slice(0, folded), text.slice(folded)];
      return shown.flatMap((part) => part.match(/.*:(?=\s*$|\n\n\n)/g)?.map((line) => `${name}: ${line}`) ?? []);
    });
  expect(open).toEqual([]);
});

test("Portuguese writes decimals with a comma, also in what it repeats of a message", () => {
  const written = samples.flatMap(({ name, draw }) => {
    const { text, entities, keyboard = [] } = draw(pt);
    const codes = entities.filter(({ type }) => type === "code");
    const read = codes.reduceRight(
      (rest, { offset, length }) => rest.slice(0, offset) + rest.slice(offset + length),
      text,
    );
    const labels = keyboard.flat().map((button) => button.text);
    return [read, ...labels]
      .flatMap((part) => part.match(/.*(?<![\w./#-])[0-9]+\.[0-9]{1,2}(?![0-9.]).*/g) ?? [])
      .map((line) => `${name}: ${line}`);
  });
  expect(written).toEqual([]);
});

test("marks.txt lists every button's action and every marked text once", async () => {
  const drawn = samples.map(({ draw }) => draw(en));
  const actions = drawn.flatMap((card) => {
    const labels = (card.keyboard ?? []).flat().map(({ text }) => text);
    return actionsOf(card).flatMap((row) => row.map((action) => `[${labels.shift()}] ${action}`));
  });
  const lines = [...new Set([...actions, ...drawn.flatMap(marksOf)])].sort();
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("marks.txt");
});

test.each(samples.map((sample) => [sample.name, sample] as const))(
  "%s has the same buttons and marks in each language, and at most one coloured button",
  (_, { name, draw }) => {
    const [english, portuguese] = [draw(en), draw(pt)];
    expect(actionsOf(portuguese)).toEqual(actionsOf(english));
    expect(
      actionsOf(english)
        .flat()
        .filter((action) => action.includes('"style"')).length,
    ).toBeLessThanOrEqual(1);
    const typesOf = ({ entities }: Card) => entities.map(({ type }) => type).sort();
    // This card can't show every hop, and longer words leave room for fewer.
    if (name !== "of very many hops") expect(typesOf(portuguese)).toEqual(typesOf(english));
  },
);
