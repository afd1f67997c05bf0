import type { Card } from "../../src/cards/card.js";

/** So many characters stand on a line of a chat on a phone 390 pixels wide. */
const COLUMNS = 38;

/** The lines of a text as a phone breaks them: at spaces that may break, words that are too long anywhere. */
export function wrapped(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const lines: string[] = [];
    let current = "";
    for (const word of line.split(" ")) {
      const longer = current === "" ? word : `${current} ${word}`;
      if (widthOf(longer) <= COLUMNS) {
        current = longer;
        continue;
      }
      if (current !== "") lines.push(current);
      const pieces = word.match(new RegExp(`.{1,${COLUMNS}}`, "gu")) ?? [""];
      lines.push(...pieces.slice(0, -1));
      current = pieces.at(-1) ?? "";
    }
    return [...lines, current];
  });
}

/** A card as it stands in the chat: its text in the phone's lines, its buttons row by row. */
export function onPhone({ text, keyboard = [] }: Card): string {
  return [...wrapped(text), ...keyboard.map((row) => row.map((key) => `[${key.text}]`).join(" "))].join("\n");
}

/** Emoji take the room of two characters. */
function widthOf(text: string): number {
  return Array.from(text.replaceAll("\uFE0F", "")).reduce(
    (width, character) => width + (/\p{Extended_Pictographic}/u.test(character) ? 2 : 1),
    0,
  );
}
