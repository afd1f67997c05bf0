import type { Clock } from "../../clock.js";
import { amountOf, compareAmounts, formatAmount, smallerAmount, subtractAmounts } from "../../encoding/amount.js";
import type { Amount, Holdings } from "../../encoding/amount.js";
import type { ContractCall } from "../../encoding/call.js";
import type { ContractName, FunctionName } from "../../encoding/contracts.js";
import { decodeOutputs, type OutputsOf, type ReturnDataEncoding } from "../../encoding/result.js";
import { Fault, unlessFaultSync } from "../../fault.js";
import type { Transaction } from "../../store/store.js";
import type { Person } from "../person/person.js";
import type { Royalty } from "../terms/swap-terms.js";
import type { RequestOf, IntentKind, Terms } from "../terms/terms.js";
import type { Parsed } from "../base/typed-line.js";
import type { OutcomeFinding, Intent, IntentOf, IntentOutcome, OutcomeCheck } from "./intent.js";

/** The data that a new card is opened with. */
export type Draft = Pick<Intent, "call" | "estimatedFee" | "expiresAt" | "terms">;

/** Lifetime of a card without a price that can move. QUOTE_TTL_SECONDS allows no card more. */
export const MAX_CARD_MS = 600_000;

export function draftWithoutPrice<Own extends Terms>({ clock }: { clock: Clock }, terms: Own, call: ContractCall) {
  return { terms, call, expiresAt: clock.now() + MAX_CARD_MS };
}

export type Owner = { readonly userId: number; readonly person: Person };

/** What views show of a call. */
export type Sighting = { readonly call: Intent; readonly found: OutcomeFinding };

export interface TradeKind<Kind extends IntentKind, Parts> {
  readonly read?: (
    parts: Parts,
    line: string,
    owner: Owner,
  ) => Parsed<RequestOf<Kind>> | Promise<Parsed<RequestOf<Kind>>>;
  /** Builds the card for a request from current figures. @throws Fault */
  readonly draft: (parts: Parts, request: RequestOf<Kind>, owner: Owner) => Promise<Draft>;
  /** Runs between claim and call. Returns a worse draft if the card no longer holds. Sends nothing. @throws Fault */
  readonly recheck: (parts: Parts, intent: IntentOf<Kind>, person: Person) => Promise<Draft | undefined>;
  readonly recordEffects?: (tx: Transaction, ended: IntentOf<Kind>, encoding: ReturnDataEncoding) => Promise<void>;
  /**
   * Asks views for what the call changes, which may show others of its owner's calls as well. Nothing about a call that
   * none can show. Absent for kinds that only move tokens.
   */
  readonly seen?: (parts: Parts, intent: IntentOf<Kind>) => Promise<readonly Sighting[]>;
  /** What the call moves. `encoding`: the node's, used if the outcome names none. */
  readonly flow: (intent: Answered<IntentOf<Kind>["terms"]>, encoding: ReturnDataEncoding) => Flow;
}

/** What the life of an intent asks of its kind, and of the contracts and the account that it names. */
export interface IntentKinds {
  /**
   * Returns a worse draft if the card no longer holds, otherwise undefined. Sends nothing.
   * @throws Fault to close the card as not sent.
   */
  readonly recheck: (intent: Intent, person: Person) => Promise<Draft | undefined>;
  /** What views show of a call, and of others that they show as well. @throws Fault */
  readonly seen: (intent: Intent) => Promise<readonly Sighting[]>;
  /** Records the effects of a call, such as locks, in the transaction that writes its end. */
  readonly recordEffects: (tx: Transaction, ended: Intent) => Promise<void>;
  /** What a call moves; the fee only as far as it is proven. */
  readonly flowOf: (intent: Intent) => Flow;
  /** Whether a call only uses configured contracts, and pairs that their router lists: the card can be older. */
  readonly isConfigured: (call: ContractCall) => Promise<boolean>;
  /** What the account holds of the assets that a call moves. Undefined if unknown. Never throws, and never takes long. */
  readonly holdings: (intent: Intent) => Promise<Holdings | undefined>;
}

export interface Flow {
  /** All that leaves the account, the network fee apart: of a trade, its royalty too. */
  readonly paid: readonly Amount[];
  /** What of `paid` an issuer takes, as far as it is known. */
  readonly royalty?: Royalty | "unknown" | undefined;
  /** What the card said of that, if balances show something else. */
  readonly saidRoyalty?: Royalty | undefined;
  /** Set if it isn't known what a call paid, or will pay: `paid` is the most, and less than this doesn't fit its card. */
  readonly leastPaid?: Amount | undefined;
  readonly expected?: Amount | undefined;
  /** Without the fee; set only if the answer reports it and is plausible. */
  readonly received?: Amount | undefined;
  /** What comes back of other tokens than what is paid, as far as the answer reports it. */
  readonly change?: readonly Amount[];
  readonly fee?: Amount | undefined;
}

export type Answered<Terms> = Pick<Intent, "balances" | "outcome" | "transaction"> & { readonly terms: Terms };

/** What isn't known doesn't count. @throws Fault `balance-too-small`. */
export function assertCovered(paid: readonly Amount[], holdings: Holdings = {}): void {
  for (const amount of paid) {
    const units = holdings[amount.token.id];
    const held = units === undefined ? amount : amountOf(amount.token, units);
    if (compareAmounts(held, amount) >= 0) continue;
    const figures = { held: formatAmount(held), needed: formatAmount(amount) };
    throw new Fault("balance-too-small", { ...figures, token: amount.token.id });
  }
}

/**
 * `arrived`: everything paid is gone, or what fits its card, and at least `expected` has come in. `not-arrived`: nothing moved at all.
 * `unclear`: anything else, which can have other causes.
 */
export function checkBalances(flow: Flow, before: Holdings, after: Holdings): OutcomeCheck["finding"] {
  const { paid, leastPaid, expected, royalty } = flow;
  const taken = royalty === "unknown" ? undefined : royalty;
  // What an issuer takes may have changed on the way.
  const sent = taken === undefined ? paid : [sentOf(flow)].flatMap((amount) => amount ?? []);
  const lost = (leastPaid ? [leastPaid] : sent).map((amount) => {
    return { amount, moved: difference(amount.token.id, after, before) };
  });
  const least = expected && taken && expected.token.id === taken.fixed.token.id ? lessFixed(expected, taken) : expected;
  const gained = least && { amount: least, moved: difference(least.token.id, before, after) };
  const seen = [...lost, ...(gained ? [gained] : [])].filter(({ moved }) => moved !== undefined);
  if (seen.length === 0) return "unclear";
  if (seen.every(({ moved }) => moved === 0n)) return "not-arrived";
  const isEnough = seen.every(({ moved = 0n, amount: { units } }) => moved >= units);
  return isEnough && (gained === undefined || seen.includes(gained)) ? "arrived" : "unclear";
}

/** What a trade pays without the royalty on it. */
export function sentOf({ paid: [whole], royalty }: Flow): Amount | undefined {
  if (whole === undefined || royalty === undefined || royalty === "unknown") return whole;
  return subtractAmounts(whole, royalty.share);
}

function lessFixed(expected: Amount, { fixed }: Royalty): Amount {
  return subtractAmounts(expected, smallerAmount(expected, fixed));
}

/** How much less of an asset is held `second` than `first`. Undefined if either lacks the asset. */
export function difference(asset: string, first: Holdings, second: Holdings): bigint | undefined {
  const [from, to] = [first[asset], second[asset]];
  return from === undefined || to === undefined ? undefined : to - from;
}

const plus = (moved: bigint, { units }: Pick<Amount, "units">): bigint => moved + units;
const minus = (moved: bigint, { units }: Pick<Amount, "units">): bigint => moved - units;

/**
 * The amount that the balances prove has arrived; undefined if they don't, or if it is less than asked for.
 * @param fixed what an issuer took, maybe of the same token.
 */
export function seenToArrive(balances: Intent["balances"], { token, units: least }: Amount, fixed?: Amount) {
  if (balances?.finding !== "arrived") return undefined;
  const rose = difference(token.id, balances.before, balances.after ?? {});
  const besides = fixed?.token.id === token.id ? fixed : { units: 0n };
  const gained = rose && plus(rose, besides);
  return gained === undefined || gained < least ? undefined : amountOf(token, gained);
}

/**
 * What the balances prove that a call has paid, `most` at most; undefined if they don't. Of the token that network fees
 * are in, what a wallet's transaction took says nothing.
 */
export function seenToLeave(
  { balances, transaction }: Answered<unknown>,
  { token, units: most }: Amount,
  royalty?: Flow["royalty"],
) {
  if (balances?.finding !== "arrived" || token.id === transaction?.networkFee.token.id) return undefined;
  if (royalty === "unknown") return undefined;
  const fell = difference(token.id, balances.after ?? {}, balances.before);
  const lost = fell && minus(fell, royalty?.share ?? { units: 0n });
  return lost === undefined || lost <= 0n || lost > most ? undefined : amountOf(token, lost);
}

/** Undefined unless the answer is ok and readable. @param encoding the node's, used if the outcome names none. */
export function outputsOf<Contract extends ContractName, Name extends FunctionName<Contract>>(
  contract: Contract,
  functionName: Name,
  outcome: IntentOutcome | undefined,
  encoding: ReturnDataEncoding,
): OutputsOf<Contract, Name> | undefined {
  if (outcome?.kind !== "ok") return undefined;
  return unlessFaultSync(() => decodeOutputs(contract, functionName, outcome.returnData, outcome.encoding ?? encoding));
}
