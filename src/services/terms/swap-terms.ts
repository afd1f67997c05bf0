import * as z from "zod";
import { addressSchema } from "../../encoding/address.js";
import { addAmounts, amountSchema, isZero, tokenSchema, type Amount } from "../../encoding/amount.js";
import { stored } from "../../store/store.js";
import { standingReference } from "./standing-terms.js";

/** `shareBps` is a share of the user's balance, in basis points. */
export type Pay = Amount | { readonly shareBps: bigint };

/** A request as asked; in a stored one, `pay` is an amount. */
export type RequestInput<Stored, Paid = Pay> = {
  readonly [Key in keyof Stored]: Key extends "pay" ? Paid : Stored[Key];
};

/** Another trade for the same token. */
const otherWayFields = {
  /** What the user would receive, after all fees. */
  amount: amountSchema,
  /** Whether it nets so much more than this trade that it is offered first. */
  isBetter: z.boolean(),
};

/** How many base units of another token some of a token are worth. */
const rate = stored({ unitsIn: z.bigint().positive(), unitsOut: z.bigint() });
export type Rate = z.infer<typeof rate>;

/** Compares what a trade promises with the pools, which were read for it. */
const poolsPrice = stored({
  /** The maximum output of the pools for the payment, exactly as the pairs compute it. */
  best: amountSchema,
  /** The tokens along that route, including the first and the last. */
  path: z.array(z.string()).readonly(),
  /** What is expected to be spent: the payment without what comes back. */
  paid: amountSchema,
  /** What that is worth at the price of the deepest pools before the trade, without fees, rounded up. */
  deepest: stored({ worth: amountSchema, path: z.array(z.string()).readonly(), price: rate.exactOptional() }),
  /** The same at the trade's own pools, and what they take, in basis points, rounded up. Absent if they are unknown. */
  own: stored({
    worth: amountSchema,
    path: z.array(z.string()).readonly(),
    /** Absent in what version 1.0.0 wrote, as with the deepest pools: then it follows from `paid` and `worth`. */
    price: rate.exactOptional(),
    feeBps: z.int(),
    impactBps: z.int(),
  }).exactOptional(),
  /** The payment's price in the native token, if neither token of the trade is that one and the price isn't thin. */
  native: rate.exactOptional(),
});
export type PoolsPrice = z.infer<typeof poolsPrice>;

/** What a token's issuer can do, as far as it concerns a trade, and when the node said so. */
const tokenSign = stored({
  tokenId: z.string(),
  readAt: z.int(),
  powers: z.array(z.enum(["paused", "destroy", "pause", "limit"])).readonly(),
  /** What sending costs on top: a share of the amount, in basis points, and base units of the native token. */
  royalties: stored({ leastBps: z.int(), mostBps: z.int(), fixed: z.bigint() }).exactOptional(),
});
export type TokenSign = z.infer<typeof tokenSign>;

/** What a token's issuer takes of a transfer, on top of what is sent: a share of it, and an amount of the native token. */
const royalty = stored({ share: amountSchema, fixed: amountSchema });
export type Royalty = z.infer<typeof royalty>;

/** What leaves an account for a payment with a royalty on top: its token first. */
export function takenFor(paid: Amount, taken: Royalty | "unknown" | undefined): readonly [Amount, ...Amount[]] {
  if (taken === undefined || taken === "unknown") return [paid];
  return [addAmounts(paid, taken.share), ...(isZero(taken.fixed) ? [] : [taken.fixed])];
}

/** A step that a token's issuer doesn't allow, from and to a contract, an account, or a pair by its tokens. */
const closedStep = stored({ tokenId: z.string(), from: z.string(), to: z.string(), isBack: z.boolean() });
export type ClosedStep = z.infer<typeof closedStep>;

/** What a trade's card says of its tokens' issuers. */
const rightsFields = {
  /** Of the tokens about which there is something to say. */
  rights: z.array(tokenSign).readonly().exactOptional(),
  /** Set if it can't be told whether what is bought could be sold again. */
  isResaleUnknown: z.literal(true).exactOptional(),
  /** Of the payment. Absent if there is none, and in what version 1.0.0 wrote. */
  royalty: z.union([royalty, z.literal("unknown")]).exactOptional(),
  /** Of what is expected, if all of it were sold again. Absent if there is none, or it isn't known. */
  resaleRoyalty: royalty.exactOptional(),
  /** The same of whether what is paid moves, and what its issuer takes. */
  isCostUnknown: z.literal(true).exactOptional(),
  /** Those that the trade takes, or selling again does (`isBack`), as far as is known of its contracts. */
  closedSteps: z.array(closedStep).readonly().exactOptional(),
};

/** The figures on a swap's card; the call was built from exactly these. */
export const swapTerms = stored({
  payout: addressSchema,
  kind: z.literal("swap"),
  amountIn: amountSchema,
  request: stored({
    kind: z.literal("swap"),
    pay: amountSchema,
    from: tokenSchema,
    to: tokenSchema,
    standing: standingReference.exactOptional(),
  }),
  quotedOut: amountSchema,
  /**
   * The gross floor that the contract enforces (`amount_out_min`): the slippage floor, or what leaves a limit's least
   * if that is more.
   */
  minimumOut: amountSchema,
  slippageBps: z.int(),
  /** Base 100000. */
  referralPercentage: z.int(),
  /** Absent if the pools were unknown when the card was made. */
  pools: poolsPrice.exactOptional(),
  /** Set if the node offers no pools at all, so that there was nothing to compare the price with. */
  hasNoPools: z.literal(true).exactOptional(),
  /** The best route through the pools, if it nets more. It pays no fee to the operator. */
  route: stored(otherWayFields).exactOptional(),
  ...rightsFields,
});
export type SwapTerms = z.infer<typeof swapTerms>;
export type TradeRights = Pick<SwapTerms, "closedSteps" | "isCostUnknown" | "isResaleUnknown" | "rights">;
export type SwapRequest<Paid = Pay> = RequestInput<SwapTerms["request"], Paid>;

/** In place of a payment: whatever an exact output takes. */
export const WHAT_IT_TAKES = "any";

const stop = stored({ token: tokenSchema, exactly: amountSchema.exactOptional() });
export type Stop = z.infer<typeof stop>;

/** One hop of a route over several pairs. */
const hopTerms = stored({
  pair: addressSchema,
  function: z.enum(["swapTokensFixedInput", "swapTokensFixedOutput"]),
  /** The whole output of the previous hop. */
  amountIn: amountSchema,
  /** The expected output. */
  amountOut: amountSchema,
  /** `amount_wanted`: the minimum output, or the exact one. */
  wanted: amountSchema,
  /** What a fixed output spends of `amountIn`: now, and at most when the card is confirmed. */
  spends: stored({ expected: amountSchema, atMost: amountSchema }).exactOptional(),
  /** What is expected to be left of `amountIn`; only a fixed output leaves something. */
  change: amountSchema.exactOptional(),
  priceImpactBps: z.int(),
});
export type HopTerms = z.infer<typeof hopTerms>;

/** A swap over several pairs through the router. It pays no referral fee. */
export const multihopTerms = stored({
  payout: addressSchema,
  kind: z.literal("multihop"),
  hops: z.array(hopTerms).readonly(),
  /** The payment: no more than the first hop may spend. */
  amountIn: amountSchema,
  expectedOut: amountSchema,
  /** The minimum output of the last hop: the slippage floor of the whole route. */
  minimumOut: amountSchema,
  slippageBps: z.int(),
  priceImpactBps: z.int(),
  request: stored({
    kind: z.literal("multihop"),
    /** The maximum, for an exact output. */
    pay: amountSchema,
    /** Set if `pay` is what the exact output takes, found again for each card. */
    isFound: z.literal(true).exactOptional(),
    from: tokenSchema,
    /** At least one; the last is what the user wants. If there is only one, the bot finds the route itself. */
    stops: z.array(stop).readonly(),
    standing: standingReference.exactOptional(),
  }),
  pools: poolsPrice,
  /** The referral swap, if there is one and it could be quoted. */
  swap: stored(otherWayFields).exactOptional(),
  ...rightsFields,
});
export type MultihopTerms = z.infer<typeof multihopTerms>;
export type MultihopRequest<Paid = Pay> = RequestInput<MultihopTerms["request"], Paid>;
