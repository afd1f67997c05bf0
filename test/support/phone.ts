import type { Card } from "../../src/cards/card.js";

/** Characters per line of a chat on a phone 390 pixels wide. */
const COLUMNS = 38;

/** Wraps a text as a phone does: at breaking spaces, and inside words that are too long for a line. */
export function wrapped(text: string, columns = COLUMNS): string[] {
  return text.split("\n").flatMap((line) => {
    const lines: string[] = [];
    let current = "";
    for (const word of line.split(" ")) {
      const longer = current === "" ? word : `${current} ${word}`;
      if (widthOf(longer) <= columns) {
        current = longer;
        continue;
      }
      if (current !== "") lines.push(current);
      const pieces = word.match(new RegExp(`.{1,${columns}}`, "gu")) ?? [""];
      lines.push(...pieces.slice(0, -1));
      current = pieces.at(-1) ?? "";
    }
    return [...lines, current];
  });
}

/** Number of a card's lines above its folded details, with dates as a current client shows them. */
export function openLines({ text, entities }: Pick<Card, "text" | "entities">): number {
  const end = entities.find(({ type }) => type === "expandable_blockquote")?.offset ?? text.length;
  const open = { text: text.slice(0, end), entities: entities.filter(({ offset }) => offset < end) };
  return wrapped(datedText(open).trimEnd()).length;
}

/** A card's text with dates as a current client shows them; older ones show the text as it is. */
function datedText({ text, entities }: Pick<Card, "text" | "entities">): string {
  const dates = entities.filter((entity) => entity.type === "date_time");
  return dates
    .sort((left, right) => right.offset - left.offset)
    .reduce((shown, { offset, length, date_time_format: format }) => {
      const date = format === "r" ? "in 30 seconds" : shown.slice(offset, offset + length).replace(" UTC", "");
      return shown.slice(0, offset) + date + shown.slice(offset + length);
    }, text);
}

/** A card as a phone shows it: its text wrapped, and its buttons row by row. */
export function onPhone({ text, entities, keyboard = [] }: Card): string {
  const fold = entities.find(({ type }) => type === "expandable_blockquote")?.offset ?? text.length;
  const details = text.slice(fold) === "" ? [] : wrapped(text.slice(fold), COLUMNS - 2).map((line) => `│ ${line}`);
  const lines = [...wrapped(text.slice(0, fold).trimEnd()), ...details];
  return [...lines, ...keyboard.map((row) => row.map((key) => `[${key.text}]`).join(" "))].join("\n");
}

/** Emoji are two columns wide. */
function widthOf(text: string): number {
  return Array.from(text.replaceAll("\uFE0F", "")).reduce(
    (width, character) => width + (/\p{Extended_Pictographic}/u.test(character) ? 2 : 1),
    0,
  );
}
