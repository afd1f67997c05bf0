import { createRandom } from "../../sandbox/exchange/random.js";
import type { TaxForm } from "../../src/cards/buttons.js";
import { historyFileHead, historyLines } from "../../src/cards/history.js";
import { taxFileHeads, taxLines } from "../../src/cards/tax-file.js";
import { amountOf, formatAmount, type Amount, type Token } from "../../src/encoding/amount.js";
import type { Intent } from "../../src/services/intent/intent.js";
import { referralSplit } from "../../src/services/market/referral.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import type { HopTerms, Royalty } from "../../src/services/terms/swap-terms.js";
import { en, intent, lockTerms, routeTerms, swapTerms, unlockTerms } from "../cards/arrange.js";
import { nested } from "../encoding/nested.js";
import { kfi, klv } from "../services/samples.js";
import { placeAt, walletTransaction } from "./wallet-transaction.js";

/** What a call has moved at the account, in base units. */
export interface Move {
  readonly at: number;
  readonly token: Token;
  readonly units: bigint;
  /** In which files it is: tax files hold what is proven, and no locks. */
  readonly in: "all" | "history";
}

const token = (id: string, precision: number): Token => ({ id, name: id.split("-")[0]!, precision, kind: "fungible" });
/** Of several precisions, as tokens of the chain have. */
const moon = token("MOON-4R7T", 6);
const tokens = [klv, kfi, moon, token("DVK-34ZH", 6), token("CARD-9ZZ1", 0), token("WBTC-1A2B", 8)];
const FIRST = Date.parse("2026-01-01T00:00:00Z");
const YEAR_MS = 365 * 86_400_000;

/** Calls of a year of every kind that a history has, with what each has moved by what the chain is made to say of it. */
export function seededCalls(count: number, seed: number) {
  const random = createRandom(seed);
  const some = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const units = (least = 1n) => least + BigInt(Math.floor(random() ** 4 * 1e12));
  const moves: Move[] = [];
  const intents = Array.from({ length: count }, (_, index): Intent => {
    const at = FIRST + Math.floor(((index + random()) * YEAR_MS) / count);
    const moved = (file: Move["in"], ...all: readonly (readonly [Amount, 1n | -1n])[]) => {
      for (const [amount, sign] of all) moves.push({ at, token: amount.token, units: sign * amount.units, in: file });
    };
    const made = (call: Intent): Intent => ({
      ...call,
      id: `call-${index}`,
      times: { [call.state]: at },
      quotedAt: at,
    });
    const networkFee = amountOf(klv, 4_000_000n + units());
    const signed = (call: Intent): Intent => {
      const hash = index.toString(16).padStart(64, "0");
      moved("all", [networkFee, -1n]);
      return { ...call, transaction: walletTransaction(placeAt(call.state, call.outcome), { hash, networkFee }) };
    };
    const swap = (from: Token) => {
      const paid = amountOf(from, units());
      const total = amountOf(some(tokens.filter(({ id }) => id !== from.id)), units(100n));
      const { referral, rest } = referralSplit(total, 1000);
      const terms = {
        ...{ ...swapTerms, amountIn: paid, quotedOut: total, minimumOut: amountOf(total.token, 1n) },
        request: { kind: "swap", pay: paid, from, to: total.token } as const,
      };
      const returnData = [referral, rest].map((part) => evenHex(part.units));
      return { paid, rest, terms, outcome: { kind: "ok", returnData } as const };
    };
    switch (
      some(["signed", "signed", "signed", "royalty", "royalty", "route", "reported", "lock", "unlock", "failed"])
    ) {
      case "signed": {
        const { terms, outcome, paid, rest } = swap(some(tokens));
        moved("all", [paid, -1n], [rest, 1n]);
        return made(signed(intent(terms, "OK", outcome)));
      }
      case "royalty": {
        const { terms, outcome, paid, rest } = swap(moon);
        const royalty: Royalty = {
          share: amountOf(moon, some([0n, 1n + paid.units / 20n])),
          fixed: amountOf(klv, some([0n, 3_000_000n])),
        };
        const all = [
          [paid, -1n],
          [royalty.share, -1n],
          [royalty.fixed, -1n],
          [rest, 1n],
        ] as const;
        moved("all", ...all);
        const held = 10n ** 15n;
        const before = { [moon.id]: held, KLV: held, [rest.token.id]: held };
        const after = { ...before };
        for (const [amount, sign] of all) after[amount.token.id] = (after[amount.token.id] ?? 0n) + sign * amount.units;
        const balances = { before, after, finding: "arrived" as const };
        return made({ ...intent({ ...terms, royalty }, "OK", outcome), balances });
      }
      case "route": {
        const [first, last] = routeTerms.hops as readonly [HopTerms, HopTerms];
        const { spends, ...hop } = first;
        const back = amountOf(klv, first.amountIn.units - spends!.expected.units);
        const received = amountOf(kfi, last.wanted.units + BigInt(Math.floor(random() * 1000)));
        const returned = [back, received].map((amount) =>
          nested.payment({ tokenId: amount.token.id, units: amount.units }),
        );
        moved("all", [first.amountIn, -1n], [back, 1n], [received, 1n]);
        const terms = { ...routeTerms, hops: [{ ...hop, spends: spends! }, last] };
        return made(signed(intent(terms, "OK", { kind: "ok", returnData: [returned.join("")] })));
      }
      // Only the node's word: in no tax file.
      case "reported": {
        const { terms, outcome, paid, rest } = swap(some(tokens));
        moved("history", [paid, -1n], [rest, 1n]);
        return made(intent(terms, "OK", outcome));
      }
      case "lock": {
        moved("history", [lockTerms.amount, -1n]);
        return made(signed(intent(lockTerms, "OK", { kind: "ok", returnData: [] })));
      }
      case "unlock": {
        const received = amountOf(kfi, unlockTerms.amount.units);
        moved("history", [unlockTerms.amount, -1n], [received, 1n]);
        const returnData = [nested.payment({ tokenId: kfi.id, units: received.units })];
        return made(signed(intent(unlockTerms, "OK", { kind: "ok", returnData })));
      }
      default: {
        const { terms } = swap(some(tokens));
        const outcome = some([
          { kind: "failed", text: "Slippage exceeded", costsFee: true } as const,
          { kind: "unknown", code: "service-timeout" } as const,
          { kind: "not-sent", code: "quote-none" } as const,
        ]);
        if (outcome.kind === "failed") return made(signed(intent(terms, "FAILED", outcome)));
        return made(intent(terms, outcome.kind === "unknown" ? "UNKNOWN" : "FAILED", outcome));
      }
    }
  });
  return { intents, moves };
}

function evenHex(units: bigint): string {
  const hex = units.toString(16);
  return hex.padStart(hex.length + (hex.length % 2), "0");
}

/** Exact decimals, by token. */
export type Balances = Readonly<Record<string, string>>;

/** What is held of each token at the end of each month of the year, in whole tokens, by what a file has. */
export function monthlyBalances(moves: readonly Move[], file: "history" | TaxForm): readonly Balances[] {
  const held = new Map<string, { token: Token; units: bigint }>();
  const own = moves.filter((move) => file === "history" || move.in === "all");
  return Array.from({ length: 12 }, (_, month) => {
    for (const { token: of, units } of own.filter(({ at }) => new Date(at).getUTCMonth() === month))
      held.set(of.id, { token: of, units: (held.get(of.id)?.units ?? 0n) + units });
    return Object.fromEntries(
      [...held].flatMap(([id, { token: of, units }]) => (units === 0n ? [] : [[id, text(of, units)]])),
    );
  });
}

const text = (of: Token, units: bigint): string =>
  units < 0n ? `-${formatAmount(amountOf(of, -units))}` : formatAmount(amountOf(of, units));

const named = tokenListOf(tokens).named;
const view = { ...en, tokenOf: named };

/** The files that a person gets of these calls. */
export function filesOf(intents: readonly Intent[]): Readonly<Record<"history" | TaxForm, string>> {
  return {
    history: historyFileHead + historyLines(intents, view),
    koinly: taxFileHeads.koinly + taxLines("koinly", intents, view).text,
    cointracking: taxFileHeads.cointracking + taxLines("cointracking", intents, view).text,
  };
}
