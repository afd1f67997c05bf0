import { z } from "zod";
import { addressSchema } from "../../encoding/address.js";
import { amountSchema, type Amount, tokenSchema, assetSchema } from "../../encoding/amount.js";
import { requestSchemas, type CallStep } from "../request.js";
import { stored } from "../../store/store.js";

// What is stored is checked against these at each read; the types are theirs.

/** How a lock stands against the router's conditions for enabling swaps. */
const verdictSchema = stored({
  value: amountSchema,
  minimumValue: amountSchema,
  /** Epochs that are left until it unlocks. */
  period: z.bigint(),
  minimumPeriod: z.bigint(),
});
export type LockVerdict = z.infer<typeof verdictSchema>;

/** The person's own address: where outputs go, and in whose name the call is made. */
const common = { payout: addressSchema };

/** Another way to the same token. */
const otherWay = {
  /** What the person would get, after all fees. */
  amount: amountSchema,
  /** Whether it nets so much more than this way that it is offered first. */
  isBetter: z.boolean(),
};

/** How what a trade promises compares with the pools, which were read for it. */
const poolsPrice = stored({
  /** The most that they give for the payment, exactly as the pairs compute it. */
  best: amountSchema,
  /** The tokens on the way there, the first and the last among them. */
  path: z.array(z.string()).readonly(),
  /**
   * How much worse the trade's own way is than its pools' prices before it, fees left out: hundredths of a percent, rounded up.
   * Absent where nobody can tell which way it goes.
   */
  impactBps: z.int().optional(),
  /** How much less the trade promises than the best way's prices before it, rounded up; its share in hundredths of a percent. */
  loss: amountSchema,
  lossBps: z.int(),
});
export type PoolsPrice = z.infer<typeof poolsPrice>;

/** How the proportion of a first deposit compares with what others pay. */
const depositMarket = stored({
  /** What its first amount is worth elsewhere, in its second token. */
  worth: amountSchema,
  /** How much more than that its second amount is, in hundredths of a percent; negative when it is less. */
  differenceBps: z.bigint(),
  /** What others can take of it at most by trading until the pool's price is the market's, in the second token. */
  loss: amountSchema,
});
export type DepositMarket = z.infer<typeof depositMarket>;

/** The numbers that a swap's card shows; the call was built from exactly these. */
const swapTerms = stored({
  ...common,
  kind: z.literal("swap"),
  amountIn: amountSchema,
  request: requestSchemas.swap,
  quotedOut: amountSchema,
  /** The gross floor that the contract enforces (`amount_out_min`). */
  minimumOut: amountSchema,
  slippageBps: z.int(),
  /** Base 100000. */
  referralPercentage: z.int(),
  /** Absent where the pools were not known when the card was made, so that nobody can say what they would give. */
  pools: poolsPrice.exactOptional(),
  /** Whether the node offers no pools to anybody, so that nothing was expected to compare the price with. */
  hasNoPools: z.literal(true).exactOptional(),
  /** The best route through the pools, where it nets more. It pays no fee to the operator. */
  route: stored(otherWay).exactOptional(),
});
export type SwapTerms = z.infer<typeof swapTerms>;

/** One step of a route over several pairs. */
const hopTerms = stored({
  pair: addressSchema,
  function: z.enum(["swapTokensFixedInput", "swapTokensFixedOutput"]),
  /** What goes in: all that the hop before gave. */
  amountIn: amountSchema,
  /** What is expected to come out. */
  amountOut: amountSchema,
  /** `amount_wanted`: the least that must come out, or exactly what must. */
  wanted: amountSchema,
  /** What a fixed output takes of what goes in: now, and at most when the card is confirmed. */
  spends: stored({ expected: amountSchema, atMost: amountSchema }).exactOptional(),
  /** What is expected to come back of what went in; only a fixed output leaves something. */
  change: amountSchema.exactOptional(),
  priceImpactBps: z.int(),
});
export type HopTerms = z.infer<typeof hopTerms>;

/** A swap over several pairs by the router. It pays no referral fee. */
const multihopTerms = stored({
  ...common,
  kind: z.literal("multihop"),
  hops: z.array(hopTerms).readonly(),
  /** What is sent along: no more than the first hop may spend. */
  amountIn: amountSchema,
  expectedOut: amountSchema,
  /** The least that the last hop must give: the slippage floor of the whole route. */
  minimumOut: amountSchema,
  slippageBps: z.int(),
  priceImpactBps: z.int(),
  request: requestSchemas.multihop,
  /** Absent on cards of an older version. */
  pools: poolsPrice.exactOptional(),
  /** The referral swap, where that can be had and quoted. */
  swap: stored({ ...otherWay, referralPercentage: z.int() }).exactOptional(),
});
export type MultihopTerms = z.infer<typeof multihopTerms>;

/** Tokens put away until an epoch. */
const lockTerms = stored({
  ...common,
  kind: z.literal("lock"),
  amount: amountSchema,
  unlockEpoch: z.bigint(),
  /** The epoch when the card was made; absent where the node did not report it. */
  epoch: z.bigint().exactOptional(),
  /** When the unlock epoch begins, estimated, in milliseconds since 1970; absent where the length of epochs is not known. */
  unlocksAt: z.number().exactOptional(),
  /**
   * The years, rounded down, that the tokens are out of reach, where that needs an extra confirmation: beyond two, or where nobody can
   * tell the date. Then it is an estimate.
   */
  years: z.bigint().exactOptional(),
  /** The locked token of the person which the amount will be added to, where the bot knows of one. */
  mergesInto: assetSchema.exactOptional(),
  /** How it would stand against the router's conditions, where it is a step of a launch and they are known. */
  verdict: verdictSchema.exactOptional(),
  request: requestSchemas.lock,
});
export type LockTerms = z.infer<typeof lockTerms>;

/** What the bot's own record says against an unlock, in which the contract decides. */
const unlockDoubt = z.discriminatedUnion("kind", [
  stored({ kind: z.literal("too-much"), recorded: amountSchema }),
  stored({
    kind: z.literal("too-early"),
    unlockEpoch: z.bigint(),
    epoch: z.bigint(),
    /** Estimated, in milliseconds since 1970. */
    beginsAt: z.number().exactOptional(),
  }),
]);
export type UnlockDoubt = z.infer<typeof unlockDoubt>;

/** Locked tokens taken back after their epoch. */
const unlockTerms = stored({
  ...common,
  kind: z.literal("unlock"),
  locked: assetSchema,
  /** How much of the locked token is burned; the same amount of what was locked comes back. */
  amount: amountSchema,
  /** What was locked, where the bot knows. */
  original: tokenSchema.exactOptional(),
  /** Absent where nothing speaks against it. */
  doubts: z.array(unlockDoubt).readonly().exactOptional(),
  request: requestSchemas.unlock,
});
export type UnlockTerms = z.infer<typeof unlockTerms>;

const launchCommon = {
  ...common,
  kind: z.literal("launch"),
  request: requestSchemas.launch,
  firstToken: tokenSchema,
  secondToken: tokenSchema,
  /** Whether the node is told that `payout` makes the call. Launch calls have no argument that names anybody. */
  callerTravels: z.boolean(),
};

/** The numbers of the card of each step of a launch. Locking is a lock like any other. */
const launchTerms = z.discriminatedUnion("step", [
  stored({ ...launchCommon, step: z.literal("create-pair") }),
  stored({
    ...launchCommon,
    step: z.literal("issue-lp"),
    pair: addressSchema,
    lpName: z.string(),
    lpTicker: z.string(),
  }),
  stored({ ...launchCommon, step: z.literal("set-roles"), pair: addressSchema, lpTokenId: z.string().exactOptional() }),
  stored({
    ...launchCommon,
    step: z.literal("add-liquidity"),
    pair: addressSchema,
    /** In the pool's order. */
    first: amountSchema,
    second: amountSchema,
    /** Absent where no price is known. */
    market: depositMarket.exactOptional(),
    /** What all LP tokens that it gives are worth at least, and what has to be exceeded to enable swapping. */
    worth: stored({ least: amountSchema, minimum: amountSchema }).exactOptional(),
  }),
  stored({
    ...launchCommon,
    step: z.literal("enable"),
    pair: addressSchema,
    locked: assetSchema,
    /** How much of the locked token is shown to the router, in the LP token that it stands for. */
    amount: amountSchema,
    verdict: verdictSchema.exactOptional(),
  }),
]);
export type LaunchTerms = z.infer<typeof launchTerms>;
/** The numbers of one step of a pair's launch, or of one of several steps. */
export type LaunchTermsOf<Step extends CallStep> = Extract<LaunchTerms, { readonly step: Step }>;

/** What was, or will be, shown on the card of each kind of intent. */
export const termsSchema = z.discriminatedUnion("kind", [
  swapTerms,
  multihopTerms,
  lockTerms,
  unlockTerms,
  launchTerms,
]);
export type Terms = z.infer<typeof termsSchema>;
export type IntentKind = Terms["kind"];

/** What a call takes out of a person's hands: what is traded, locked or put into a pool. */
export function paymentsOf(terms: Terms): readonly Amount[] {
  if ("amountIn" in terms) return [terms.amountIn];
  if (terms.kind === "lock") return [terms.amount];
  if (terms.kind === "unlock") return [];
  return terms.step === "add-liquidity" ? [terms.first, terms.second] : [];
}
