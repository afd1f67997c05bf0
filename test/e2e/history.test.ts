import { expect, it } from "vitest";
import { storeWithSwaps } from "../support/past-swaps.js";
import { readCsv } from "../support/read-csv.js";
import {
  comparedCard,
  defaultWorld,
  losesAnswer,
  nextFile,
  people,
  sandboxDesk,
  speaksPortuguese,
  tradingDesk,
} from "../support/sandbox-desk.js";
import { walletChat } from "../support/wallet-chat.js";

it("/history exports every call since the beginning, even with a filter that matches none", async () => {
  const desk = await sandboxDesk({}, await storeWithSwaps(people.alice, 3_000));
  const alice = desk.person(people.alice);
  const menu = await alice.asks("/history");
  expect(menu.text.match(/0\.982076 KFI/g)).toHaveLength(8);
  await alice.taps(menu, "Locks");
  await alice.sees(menu, /Nothing of this kind/);
  const answer = await nextFile(desk, alice, () => alice.taps(menu, "📄"));
  expect(answer.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''history.csv");
  const lines = (await answer.text()).trimEnd().split("\r\n");
  expect(lines).toHaveLength(3_001);
  expect(lines[1]).toBe(
    "1970-01-01T00:00:00Z,1970-01-01T05:30:00+05:30,swap,100 KLV → 0.982076 KFI,100,KLV,,,0.982076,KFI,0.009919,KFI,0.00991995,,,,,accepted by the node,,",
  );
  expect(lines.at(-1)).toMatch(/^1970-01-03T01:59:00Z,/);
  expect(new Set(lines).size).toBe(lines.length);

  // Nothing proves any of them.
  const forProgram = await nextFile(desk, alice, () => alice.taps(menu, "📄 CoinTracking"));
  expect(forProgram.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''cointracking.csv");
  expect(readCsv(await forProgram.text())).toEqual([]);
  await alice.reads(/^⚠️ 3000 trades are not in there: their outcomes/);
});

it("/history exports for tax programs what balances prove, in both languages", async () => {
  const { desk, alice } = await tradingDesk({ world: defaultWorld });
  const card = await alice.asks("/swap 100 KLV KFI");
  await alice.confirms(card, /^✅ Swap/);
  await losesAnswer(desk, alice, await alice.asks("/swap 50 KLV KFI"), "drop-before");
  const koinly = await nextFile(desk, alice, async () => alice.taps(await alice.asks("/history"), "📄 Koinly"));
  const rows = readCsv(await koinly.text());
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    "Sent Amount": "100.0",
    "Sent Currency": "KLV",
    "Received Currency": "KFI",
    "Fee Amount": "",
  });
  expect(rows[0]!["Date"]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  await alice.reads(/^⚠️ 1 trade is not in there: its outcome/);
  await speaksPortuguese(alice);
  const cointracking = await nextFile(desk, alice, async () => alice.says("/history csv CoinTracking"));
  expect(readCsv(await cointracking.text())).toMatchObject([
    {
      Type: "Trade",
      "Sell Amount": "100.0",
      "Buy Amount": rows[0]!["Received Amount"],
      "Buy Currency": "KFI",
      Fee: "",
    },
  ]);
  await alice.reads(/^⚠️ 1 troca ficou de fora/);
  // Anything else is the list.
  expect((await alice.asks("/history koinly 2026")).text).toMatch(/^Seu histórico/);
});

it("/history exports for tax programs the fee and the hash of what a wallet signed", async () => {
  const { desk, alice, pageOf, sign, transactions } = await walletChat();
  const card = await comparedCard(alice, "/swap 100 KLV KFI");
  const waiting = await alice.confirms(card, /Waiting for your signature/);
  expect(await sign(pageOf(waiting))).toBe(200);
  await alice.sees(card, /Swap completed/);
  const file = await nextFile(desk, alice, async () => alice.says("/history koinly"));
  const [row, ...others] = readCsv(await file.text());
  expect(others).toEqual([]);
  expect(row).toMatchObject({ "Sent Amount": "100.0", "Received Currency": "KFI", "Fee Currency": "KLV" });
  expect(row!["Fee Amount"]).toMatch(/^[0-9]+\.[0-9]+$/);
  expect(row!["TxHash"]).toBe(transactions()[0]!.hash);
});
