import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readOrder } from "../../../src/services/alerts/exchange-client.js";
import { isFinalStatus, progressOf, readStatus, soundsFinal } from "../../../src/services/alerts/order-status.js";
import { faultOf } from "../../encoding/fault-of.js";

const page = readFileSync(join(import.meta.dirname, "../../../docs/exchange-orders.md"), "utf8");
const rowsOf = (section: string) =>
  (page.split(`## ${section}\n`)[1] ?? "")
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => line.startsWith("| ") && line.includes("`"))
    .map((line) => line.slice(2, -2).split(" | "));
const bare = (cell = "") => cell.trim().replaceAll("`", "");
const known = ["OPEN", "PARTIALLY", "DONE", "CANCELED", "EXPIRED", "REJECTED", "FAILED"];
const interfaces = known.slice(0, 4);

interface StatusRow {
  readonly word: string;
  readonly open: number;
  readonly filled: number;
  readonly ended: number;
  readonly unclear: number;
  readonly read: string;
}

const statuses = rowsOf("Statuses").map((cells): StatusRow => {
  const [open = 0, filled = 0, ended = 0, unclear = 0] = cells.slice(1, 5).map(Number);
  return { word: bare(cells[0]), open, filled, ended, unclear, read: bare(cells[5]) };
});
const part = (filled: string) => ({ filled, quantity: "100" });
const total = ({ open, filled, ended, unclear }: StatusRow) => open + filled + ended + unclear;

describe("the words of real exchanges for an order's status", () => {
  it("are read as the page says", () => {
    expect(statuses.length).toBeGreaterThan(170);
    for (const { word, read } of statuses) {
      const status = readStatus(word, part("100"));
      const how = isFinalStatus({ status }) ? ": over" : progressOf({ status }) === 0 ? ": open" : "";
      expect([word, known.includes(status) ? status : `as it came${how}`]).toEqual([word, read]);
    }
  });

  it("are an end only if all exchanges that write them mean one, and at least two do", () => {
    for (const row of statuses) {
      const isOne = Math.max(row.open, row.filled, row.ended) === total(row);
      const isKnown = isOne && (total(row) > 1 || /^(?:canceled|expired)/i.test(row.word));
      const isEnd = isKnown && row.open === 0 && !/_SENT$/.test(row.word);
      if (!interfaces.includes(row.word.toUpperCase())) {
        const status = readStatus(row.word, part("100"));
        expect([row.word, isFinalStatus({ status })]).toEqual([row.word, isEnd]);
        expect([row.word, status === "DONE"]).toEqual([row.word, isEnd && row.filled > 0]);
        expect([row.word, progressOf({ status }) < 2]).toEqual([row.word, isKnown && row.open > 0]);
      }
    }
  });

  it("are as they came and no end, if they mean filled and not all is", () => {
    const done = statuses.filter(({ read, word }) => read === "DONE" && word !== "DONE");
    expect(done.map(({ word }) => word)).toEqual(expect.arrayContaining(["FILLED", "closed", "COMPLETED"]));
    for (const { word } of done) {
      for (const figures of [part("99.999"), part("0"), { filled: "5", quantity: "0" }]) {
        const status = readStatus(word, figures);
        expect([status, isFinalStatus({ status }), soundsFinal({ status })]).toEqual([word, false, true]);
      }
    }
    expect(readStatus("DONE", part("80"))).toBe("DONE");
  });

  it.each(["FILLED", "filled", "Filled", "fully executed", "FullyExecuted", "FULLY-EXECUTED"])("know %s", (word) => {
    expect(readStatus(word, part("100.00"))).toBe("DONE");
  });

  it.each(["CANCELLED", "cancelled", "Canceled", "partial-canceled", "PARTIAL_CANCELLED"])("know %s", (word) => {
    expect(readStatus(word, part("40"))).toBe("CANCELED");
  });

  it.each([
    "1",
    "2",
    "-1",
    "CANCELED2",
    "TRIGGERED",
    "PARTIALLY_CANCELED",
    "PENDING_CANCEL",
    "constructor",
    "?",
    "",
    "成交",
    "FİLLED",
    "Filled!",
  ])("leave %s as it came, and no end", (word) => {
    const status = readStatus(word, part("100"));
    expect([status, isFinalStatus({ status }), soundsFinal({ status })]).toEqual([word, false, false]);
  });
});

describe("the figures and times of real exchanges", () => {
  const id = "1989652f-be77-4179-924e-b71c03a4198a";
  const plain = { orderId: `"${id}"`, status: '"OPEN"', symbol: '"A-B"', side: '"BUY"', quantity: "1", filled: "0" };
  const read = (fields: object) => {
    const data = Object.entries({ ...plain, ...fields }).map(([name, value]) => `"${name}":${value}`);
    return readOrder(`{"success":true,"data":{${data.join(",")}}}`, id);
  };

  const rows = rowsOf("Figures and times").filter((cells) => cells.length === 6);
  it("has every form of the page", () => expect(rows.length).toBeGreaterThan(35));

  it.each(rows.map((cells) => [bare(cells[0]), bare(cells[4]), bare(cells[5])] as const))(
    "reads %s %s as %s",
    (field, example, expected) => {
      if (expected === "refused") {
        expect(faultOf(() => read({ [field]: example }))).toBe("order-unreadable");
        return;
      }
      const value = read({ [field]: example })[field as "price"];
      const isUnknown = value === undefined || (field === "quantity" && value === "0");
      expect(isUnknown ? "unknown" : value).toEqual(
        field === "createdAt" && /^[0-9.]+$/.test(expected) ? Number(expected) : expected,
      );
    },
  );

  it.each([
    ['"2024-02-20T20:12:20Z"', 1708459940],
    ['"2024-02-20T17:12:20-0300"', 1708459940],
    ['"2024-02-20 20:12:20.25+00:00"', 1708459940.25],
    ["1708459940.5", 1708459940.5],
    ["20240220201220", undefined],
    ["637431761260028981", undefined],
    ['"2024-02-30T25:12:20Z"', undefined],
    ["-1708459940", undefined],
    ["9999999999", 9_999_999_999],
  ])("reads the time %s as %s", (updatedAt, expected) => {
    expect(read({ updatedAt }).updatedAt).toBe(expected);
  });

  it("knows sides and types in any case, and as sides of the book", () => {
    expect(read({ side: '"Bid"', typeOrder: '"limit"', typeTrade: '"Maker"' })).toMatchObject({
      side: "BUY",
      type: "LIMIT",
      trade: "MAKER",
    });
    expect(read({ side: '"ASK"', typeOrder: '"STOP_LIMIT"' })).toMatchObject({ side: "SELL", type: "STOP_LIMIT" });
    expect(read({ side: "1" }).side).toBe("1");
  });
});
