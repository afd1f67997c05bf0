import * as z from "zod";
import { addressSchema } from "../../encoding/address.js";
import { amountSchema, tokenSchema, type Amount } from "../../encoding/amount.js";
import { stored } from "../../store/store.js";

/** A share is in basis points of what the person holds. */
export type Pay = Amount | { readonly shareBps: bigint };

/** A request as it is asked. As it is stored, what is paid is an amount. */
export type Asked<Stored, Paid = Pay> = { readonly [Key in keyof Stored]: Key extends "pay" ? Paid : Stored[Key] };

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

/** The numbers that a swap's card shows; the call was built from exactly these. */
export const swapTerms = stored({
  payout: addressSchema,
  kind: z.literal("swap"),
  amountIn: amountSchema,
  request: stored({ kind: z.literal("swap"), pay: amountSchema, from: tokenSchema, to: tokenSchema }),
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
export type SwapRequest<Paid = Pay> = Asked<SwapTerms["request"], Paid>;

const stop = stored({ token: tokenSchema, exactly: amountSchema.exactOptional() });
export type Stop = z.infer<typeof stop>;

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
export const multihopTerms = stored({
  payout: addressSchema,
  kind: z.literal("multihop"),
  hops: z.array(hopTerms).readonly(),
  /** What is sent along: no more than the first hop may spend. */
  amountIn: amountSchema,
  expectedOut: amountSchema,
  /** The least that the last hop must give: the slippage floor of the whole route. */
  minimumOut: amountSchema,
  slippageBps: z.int(),
  priceImpactBps: z.int(),
  request: stored({
    kind: z.literal("multihop"),
    /** For an exact output: at most. */
    pay: amountSchema,
    from: tokenSchema,
    /** At least one; the last is what the person wants. With one, the bot looks for the route itself. */
    stops: z.array(stop).readonly(),
  }),
  pools: poolsPrice,
  /** The referral swap, where that can be had and quoted. */
  swap: stored({ ...otherWay, referralPercentage: z.int() }).exactOptional(),
});
export type MultihopTerms = z.infer<typeof multihopTerms>;
export type MultihopRequest<Paid = Pay> = Asked<MultihopTerms["request"], Paid>;
