import type { InlineKeyboardButton, InputRichBlock, RichText } from "grammy/types";
import { describe, expect, it, test } from "vitest";
import { readRich } from "../../sandbox/telegram/rich.js";
import type { RichBlock } from "../../sandbox/telegram/types.js";
import { feesCard, HISTORY_PAGE_SIZE, historyCard } from "../../src/cards/history.js";
import { code, type Card } from "../../src/cards/card.js";
import { listCard } from "../../src/cards/list.js";
import { amountOf } from "../../src/encoding/amount.js";
import { kfi } from "../services/samples.js";
import { en, intent, now, pt, swapTerms } from "./arrange.js";
import { gallery } from "./card-samples.js";

type Blocks = NonNullable<Card["rich"]>["blocks"];
type Table = Extract<InputRichBlock, { type: "table" }>;

const clock = { now: () => now, sleep: () => Promise.resolve() };
const asTables = { ...en, tables: true };
const isTable = (block: InputRichBlock): block is Table => block.type === "table";
const cellsOf = (blocks: Blocks) => blocks.filter(isTable).flatMap(({ cells }) => cells);

/** A text's words and buttons; a button that copies its own label counts as words. */
function said(text: RichText | undefined): { words: string; buttons: readonly InlineKeyboardButton[] } {
  if (text === undefined) return { words: "", buttons: [] };
  if (typeof text === "string") return { words: text, buttons: [] };
  if (Array.isArray(text)) {
    const parts = text.map(said);
    return { words: parts.map(({ words }) => words).join(""), buttons: parts.flatMap(({ buttons }) => buttons) };
  }
  if (text.type !== "button") return said("text" in text ? text.text : undefined);
  const button = text.button as InlineKeyboardButton;
  return "copy_text" in button ? { words: button.copy_text.text, buttons: [] } : { words: "", buttons: [button] };
}

function saidIn(blocks: Blocks) {
  const texts = blocks.flatMap((block) =>
    isTable(block) ? block.cells.flat().map(({ text }) => text) : "text" in block ? [block.text] : [],
  );
  return said(texts.filter((text) => text !== undefined));
}

/** What text and table have in common: everything but separators. */
const facts = (text: string) => text.replace(/[\s·]/g, "");

const tables = Object.entries(gallery).flatMap(([kind, samples]) =>
  samples.flatMap((sample) =>
    sample.draw(asTables).rich === undefined ? [] : [[`${kind}: ${sample.name}`, sample] as const],
  ),
);

test("no line is indented, as apps continue wrapped lines at the margin", () => {
  const indented = Object.entries(gallery).flatMap(([kind, samples]) =>
    [en, pt].flatMap((view) =>
      samples.filter((sample) => /^ /m.test(sample.draw(view).text)).map(({ name }) => `${kind}: ${name}`),
    ),
  );
  expect(indented).toEqual([]);
});

test("only lists of two or more entries are tables, never a card that needs a decision or attention", () => {
  expect(tables.map(([name]) => name)).toMatchInlineSnapshot(`
    [
      "lock: your locks",
      "lock: your locks, without the node",
      "lock: your locks, with others that the account holds",
      "lock: your locks, many, one ready within the hour",
      "orders: two watched orders, one that the exchange doesn't find",
      "standing: orders here, and one watched at the exchange",
      "history: history",
      "history: history, every standing, between pages",
      "history: fees in many tokens",
      "people: balances",
      "people: balances, with watch-only addresses",
      "people: balances, where one can be told of what arrives",
      "operator: unknown outcomes, several",
      "operator: audit log",
      "operator: audit log, every action",
    ]
  `);
});

describe.each(tables)("%s", (_, { draw }) => {
  it.each([
    ["en", en],
    ["pt", pt],
  ])("says the same as text and as a table (%s)", (_language, view) => {
    const { text, keyboard = [], rich } = draw({ ...view, tables: true });
    expect({ text, keyboard }).toEqual({ text: draw(view).text, keyboard: draw(view).keyboard ?? [] });
    const { words, buttons } = saidIn(rich!.blocks);
    expect(facts(words)).toBe(facts(text));
    const [inRows, below] = [buttons, (rich!.keyboard ?? []).flat()].map((some) =>
      some.map((each) => JSON.stringify(each)),
    );
    expect([...inRows!, ...below!]).toEqual(
      expect.arrayContaining(keyboard.flat().map((each) => JSON.stringify(each))),
    );
    expect(inRows!.filter((each) => below!.includes(each))).toEqual([]);
  });

  it("is a table that Telegram accepts and that fits on a phone", () => {
    const { blocks } = draw(asTables).rich!;
    readRich({ rich_message: { blocks: blocks as RichBlock[], skip_entity_detection: true } }, clock);
    const rows = cellsOf(blocks);
    expect(rows.length).toBeGreaterThan(1);
    expect(Math.max(...rows.map((cells) => cells.length))).toBeLessThanOrEqual(3);
  });
});

describe("a list as a table", () => {
  it("aligns figures to the right, and has buttons only in its last column", () => {
    const rows = cellsOf(
      feesCard(
        [kfi, { ...kfi, id: "DVK-34ZH" }].map((token) => amountOf(token, 5n)),
        1,
        asTables,
      ).rich!.blocks,
    );
    expect(rows.flat().map(({ align }) => align)).toEqual(["right", "right"]);
    const listed = [
      intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "service-timeout" }),
      intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] }),
    ];
    const history = historyCard({ items: listed, page: 0, hasOlder: false }, "all", asTables);
    const byColumn = [0, 1].map((column) =>
      cellsOf(history.rich!.blocks).map((cells) => said(cells[column]!.text).buttons.map(({ text }) => text)),
    );
    expect(byColumn).toEqual([
      [[], []],
      [["🔎 Check"], ["🔁 Repeat"]],
    ]);
    expect(history.keyboard).toEqual(historyCard({ items: listed, page: 0, hasOlder: false }, "all", en).keyboard);
  });

  it.each([
    [256, true],
    [257, false],
  ])("copies %i characters on a tap: %s", (length, isCopied) => {
    const entries = [{ cells: [code("x".repeat(length))] }, { cells: ["y"] }];
    const { rich } = listCard([{ layout: "apart", entries }], { tables: true });
    expect(JSON.stringify(rich).includes("copy_text")).toBe(isCopied);
  });

  it("is text if it has one entry, or if the user did not ask for tables", () => {
    const page = (count: number) => ({
      items: Array.from({ length: count }, () => intent(swapTerms, "SENT")),
      page: 0,
      hasOlder: true,
    });
    expect(historyCard(page(1), "all", asTables)).not.toHaveProperty("rich");
    expect(historyCard(page(2), "all", asTables)).toHaveProperty("rich");
    expect(historyCard(page(HISTORY_PAGE_SIZE), "all", en)).not.toHaveProperty("rich");
  });
});
