import { historyLines } from "../../../src/cards/history.js";
import { receiptsFile } from "../../../src/cards/receipt.js";
import { amountOf } from "../../../src/encoding/amount.js";
import type { Intent, IntentOutcome, IntentState, IntentTransaction } from "../../../src/services/intent/intent.js";
import * as queries from "../../../src/services/intent/queries.js";
import { packDue } from "../../../src/services/intent/intent-row.js";
import { createPortfolio } from "../../../src/services/history/portfolio.js";
import { receiptsIn, volumesSince } from "../../../src/services/history/receipt.js";
import type { Terms } from "../../../src/services/terms/terms.js";
import { inLots, toJson, type Database, type Reader } from "../../../src/store/store.js";
import { en, intent, lockTerms, now, pt, routeTerms, swapTerms, unlockTerms } from "../../cards/arrange.js";
import { seededRandom } from "../../support/seed.js";
import { type Place, placeAt, walletTransaction } from "../../support/wallet-transaction.js";
import { terms as launchTerms } from "../trade/launch-samples.js";
import { alice, kfi, klv, person, testClock } from "../samples.js";
import { draft } from "./arrange.js";

const DAY = 86_400_000;
export const OWNERS = [1001, 1002, 1003];

const { pools: _pools, ...uncompared } = swapTerms;
const kinds: readonly Terms[] = [
  swapTerms,
  { ...uncompared, hasNoPools: true },
  { ...swapTerms, route: { amount: amountOf(kfi, 1_000_000n), isBetter: true } },
  routeTerms,
  lockTerms,
  { ...lockTerms, years: 3n, request: { ...lockTerms.request, launchId: "launch-1" } },
  unlockTerms,
  { ...unlockTerms, doubts: [{ kind: "too-early", unlockEpoch: 5n, epoch: 4n, beginsAt: now }] },
  ...Object.values(launchTerms),
];

export const answer = { kind: "ok", returnData: ["26bf", "0efc3c"] } as const;
const refusal = { kind: "failed", text: 'Slippage "exceeded" \\ ü😀', code: 5 } as const;
export const charged = { kind: "failed", text: "Slippage exceeded", costsFee: true } as const;
const notSent = { kind: "not-sent", code: "network-fee-too-high", parameters: { fee: "1", maximum: "2" } } as const;
export const lost = { kind: "unknown", code: "service-timeout" } as const;
/** Every state, with each kind of end that it can have. */
export const ends: readonly (readonly [IntentState, IntentOutcome?])[] = [
  ["OK", answer],
  ["OK", { kind: "ok", returnData: [], encoding: "base64" }],
  ["OK", { kind: "ok", returnData: [`${"ab".repeat(256)}…`, "…"] }],
  ["FAILED", refusal],
  ["FAILED", charged],
  ["FAILED", notSent],
  ["UNKNOWN", lost],
  ["EXPIRED"],
  ["CANCELED"],
  ["SUPERSEDED"],
  ["QUOTED"],
  ["CLAIMED"],
  ["SIGNING"],
  ["SENT"],
];

/** A transaction without a twin. */
export function signedAt(number: number, place: (signature: string) => Place): IntentTransaction {
  const hex = number.toString(16).padStart(8, "0");
  return walletTransaction(place(hex.repeat(16)), {
    hash: hex.repeat(8),
    token: Buffer.from(hex.repeat(4), "hex").toString("base64url"),
    nonce: BigInt(number % 50),
    networkFee: amountOf(klv, 6_000_000n),
  });
}

/** The places of the transaction of an intent in a state; none before it has one. */
export function placesAt(state: IntentState, outcome?: IntentOutcome): readonly ((signature: string) => Place)[] {
  if (state === "QUOTED" || state === "CLAIMED") return [];
  const usual = (signature: string) => placeAt(state, outcome, signature);
  const mayBeOver = state !== "SIGNING" && state !== "SENT" && usual("").phase !== "on-chain";
  return [usual, ...(mayBeOver ? [(signature: string): Place => ({ phase: "abandoned", signature })] : [])];
}

/** One of each kind and end, signed and not, in a random order and with random figures. */
export function everyTrade(): readonly Intent[] {
  const random = seededRandom("packing");
  const number = (most: number) => Math.floor(random() * most);
  const checks = [
    undefined,
    { at: now, by: "chain", finding: "arrived" },
    { at: now, by: "owner", finding: "not-arrived" },
    { at: now, by: "balances", finding: "unclear", why: "other" },
  ] as const;
  const made = kinds.flatMap((terms) =>
    ends.flatMap(([state, outcome]) =>
      [undefined, ...placesAt(state, outcome)].map((place) => ({ terms, state, outcome, place })),
    ),
  );
  const order = made.map((one) => ({ one, at: random() })).toSorted((left, right) => left.at - right.at);
  return order.map(({ one: { terms, state, outcome, place } }, index) => {
    const at = now - 90 * DAY + number(80 * DAY);
    const check = checks[number(checks.length)];
    return {
      ...intent(terms, state, outcome),
      call: draft.call,
      id: `id-${index}`,
      owner: OWNERS[number(OWNERS.length)]!,
      messageId: index + 1,
      quotedAt: at,
      times: { QUOTED: at, ...(state !== "QUOTED" && { CLAIMED: at + 3_000, SENT: at + 4_000, [state]: at + 5_000 }) },
      ...(number(2) === 0 && { openedAt: number(1e9) / 8, settlesAt: at }),
      ...(number(3) === 0 && { estimatedFee: { amount: amountOf(klv, BigInt(number(1e9))), shareBps: 3n } }),
      ...(number(2) === 0 && { balances: { before: { KLV: 5n }, after: { KLV: 4n }, finding: "arrived" } }),
      ...(state === "UNKNOWN" && check !== undefined && { check }),
      ...(place && { transaction: signedAt(index, place) }),
    };
  });
}

export async function inTurn<Item, Value>(items: readonly Item[], read: (item: Item) => Promise<Value>) {
  const values: Value[] = [];
  for (const item of items) values.push(await read(item));
  return values;
}

/** All that can be read of these trades: cards, history, files, receipts, the portfolio, and what guards look at. */
export async function everythingRead(db: Reader, trades: readonly Intent[]): Promise<unknown> {
  const one = async (owner: number) => {
    const pages: unknown[] = [];
    for (let page = 0, more = true; more; page += 1) {
      const { hasOlder, items } = await queries.historyPage(db, owner, page, 8);
      pages.push(items);
      more = hasOlder;
    }
    const lots = () => inLots<Intent>(1e6, (last) => queries.callsAfter(db, owner, last ?? 0));
    const lines: string[] = [];
    for await (const lot of lots()) lines.push(historyLines(lot, en), historyLines(lot, pt));
    const portfolio = createPortfolio({
      balances: { known: async () => ({ KFI: 9_820_760_000n }) },
      holdings: { askable: ({ recentTokens }) => [...recentTokens], watched: async () => [] },
      intents: { count: () => queries.countCalls(db, owner), everything: lots },
      lock: { heldElsewhere: async () => undefined, open: async () => [], statusIfTold: async () => undefined },
      pools: { known: async () => undefined },
      rights: { known: () => Promise.resolve("untold") },
      swaps: { quote: async (_person, { to }) => ({ ...swapTerms, quotedOut: amountOf(to, 1n) }) },
      tokens: { named: () => kfi },
      store: { db },
      clock: testClock(now),
      settings: { referralPercentage: 1000, returnDataEncoding: "hex" },
    });
    const months = await Promise.all(
      ["2026-04", "2026-05", "2026-06"].map((month) => receiptsIn(db, owner, month, "hex")),
    );
    return {
      pages,
      lines,
      portfolio: await portfolio({ userId: owner, person: person() }, alice, klv),
      months,
      files: months.map((month) => receiptsFile(month).toString()),
      // In any order.
      spent: new Set((await queries.spentLately(db, owner, now - 40 * DAY)).map((each) => toJson(each))),
      open: [await queries.openIntents(db, owner), await queries.lookedForBeyond(db, owner, 1)],
      calls: await queries.countCalls(db, owner),
    };
  };
  const each = async (trade: Intent) => {
    const { owner, id, messageId = 0, transaction } = trade;
    const signed = transaction && {
      toSign: await queries.intentToSign(db, transaction.token),
      isTwin: await queries.hasTwin(db, transaction.hash),
      rivals: (await queries.rivalsOf(db, { ...trade, transaction })).map((rival) => rival.id).toSorted(),
    };
    return {
      found: await queries.findIntent(db, owner, id),
      shown: await queries.intentInMessage(db, owner, messageId),
      isAlone: await queries.isAlone(db, trade),
      signed,
    };
  };
  return {
    // One after the other: PostgreSQL has few connections.
    people: await inTurn(OWNERS, one),
    trades: await inTurn(trades, each),
    volumes: await volumesSince(db, 0),
  };
}

export const rowsIn = (db: Reader) => db.selectFrom("intents").selectAll().orderBy("id").execute();
export const statesIn = async (db: Reader) =>
  (await rowsIn(db)).filter((row) => row.packed !== null).map(({ id }) => id);

/** Packs every row, whether or not it is due. */
export async function packAll(store: Database, trades: readonly Intent[]): Promise<void> {
  await store.write((tx) => tx.updateTable("intents").set({ pack_at: 5 }).execute());
  for (let left = trades.length; left > 0; left -= 20) await store.write((tx) => packDue(tx, 5, now, 20));
}

export const ended = (id: string, at: number): Intent => ({
  ...intent(swapTerms, "OK", answer),
  id,
  quotedAt: at,
  times: { CLAIMED: at, SENT: at, OK: at },
});
