import { badRequest, strictly } from "./api-error.js";
import type { Clock } from "./clock.js";
import { checkMoment, characters } from "./entities.js";
import { checkAction } from "./keyboard.js";
import type { InlineKeyboardButton, RichBlock, RichText } from "./types.js";

const longestText = 32_768;
const mostBlocks = 500;
const mostLevels = 16;
const mostColumns = 20;
const mostButtons = 8;

/** The parameters of methods that take a rich message. */
export interface RichTexting {
  rich_message: {
    blocks?: RichBlock[];
    html?: string;
    markdown?: string;
    is_rtl?: boolean;
    skip_entity_detection?: boolean;
  };
}

/** Checks a rich message and returns its message fields. */
export function readRich({ rich_message: rich }: RichTexting, clock: Clock): { rich_message: { blocks: RichBlock[] } } {
  const { blocks } = rich;
  if (blocks === undefined || rich.html !== undefined || rich.markdown !== undefined) {
    throw strictly("rich_message has to have blocks, which need no escaping, and neither html nor markdown");
  }
  if (rich.skip_entity_detection !== true) {
    throw strictly("rich_message without skip_entity_detection: a token's name could become a tag or a mention");
  }
  const text = richText(blocks);
  if (text.trim() === "") throw badRequest("Rich message must be non-empty");
  if (characters(text) > longestText) throw badRequest("RICH_MESSAGE_TEXT_TOO_LONG");
  if (countBlocks(blocks) > mostBlocks) throw strictly(`a rich message has at most ${mostBlocks} blocks and rows`);
  checkNested(blocks, 1, clock);
  return { rich_message: { blocks } };
}

function countBlocks(blocks: readonly RichBlock[]): number {
  return blocks.reduce((sum, { blocks: inner = [], items = [], cells = [] }) => {
    const listed = items.reduce((count, item) => count + 1 + countBlocks(item.blocks), 0);
    return sum + 1 + countBlocks(inner) + listed + cells.length;
  }, 0);
}

function checkNested(blocks: readonly RichBlock[], level: number, clock: Clock): void {
  if (level > mostLevels) throw strictly(`a rich message has at most ${mostLevels} levels`);
  for (const block of blocks) {
    const { cells = [], buttons = [], items = [], blocks: inner = [] } = block;
    if (cells.some((row) => row.length > mostColumns)) throw strictly(`a table has at most ${mostColumns} columns`);
    const cellTexts = cells.flat().map(({ text }) => text);
    if (cellTexts.includes("")) throw badRequest("Table cell must be non-empty");
    if (block.type === "table" && cells.length < 2) {
      throw strictly("a table of fewer than two rows loses the links in its cells");
    }
    if (buttons.length > mostButtons) throw strictly(`a block has at most ${mostButtons} buttons`);
    for (const button of buttons) checkButton(button);
    for (const text of [block.text, block.summary, block.caption, block.credit, ...cellTexts]) checkText(text, clock);
    checkNested([...inner, ...items.flatMap((item) => item.blocks)], level + 1, clock);
  }
}

function checkText(text: RichText | undefined, clock: Clock): void {
  if (text === undefined || typeof text === "string") return;
  if (Array.isArray(text)) {
    for (const part of text) checkText(part, clock);
    return;
  }
  if (text.type === "date_time") checkMoment(text, clock);
  if (text.button !== undefined) checkButton(text.button);
  checkText(text.text, clock);
}

function checkButton(button: Omit<InlineKeyboardButton, "text"> & { text: RichText }): void {
  checkAction(plain(button.text), { ...button }, true);
  if (button.style === "link" && button.callback_data === undefined) {
    throw strictly('only a button with callback_data can have the style "link"');
  }
}

/** A rich message's text, one line per block or row. */
export function richText(blocks: readonly RichBlock[]): string {
  return blocks
    .flatMap(({ summary, text, cells = [], items = [], blocks: inner = [], buttons = [], caption, credit }) => [
      plain(summary),
      plain(text),
      plain(caption),
      ...cells.map((row) => row.map((cell) => plain(cell.text)).join(" | ")),
      ...items.map((item) => richText(item.blocks)),
      richText(inner),
      buttons.map((button) => plain(button.text)).join(" | "),
      plain(credit),
    ])
    .filter((line) => line !== "")
    .join("\n");
}

function plain(text: RichText | undefined): string {
  if (text === undefined) return "";
  if (typeof text === "string") return text;
  if (Array.isArray(text)) return text.map(plain).join("");
  return plain(text.text ?? text.button?.text);
}
