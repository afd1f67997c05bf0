import * as z from "zod";
import { addressSchema } from "../../encoding/address.js";
import { amountSchema, assetSchema, tokenSchema } from "../../encoding/amount.js";
import { stored } from "../../store/store.js";

/** The steps of a launch, in order (interface, "Pair launch sequence", with the local roles as a separate step). */
export const launchSteps = ["create-pair", "issue-lp", "set-roles", "add-liquidity", "lock", "enable"] as const;
export type LaunchStep = (typeof launchSteps)[number];
const callStep = z.enum(launchSteps).exclude(["lock"]);
/** The steps that are launch calls; the lock step is an ordinary lock. */
export type CallStep = z.infer<typeof callStep>;

/** Compares a lock with the router's conditions for enabling swaps. */
export const lockVerdict = stored({
  value: amountSchema,
  minimumValue: amountSchema,
  /** Epochs left until it unlocks. */
  period: z.bigint(),
  minimumPeriod: z.bigint(),
});
export type LockVerdict = z.infer<typeof lockVerdict>;

/** Compares the ratio of a first deposit with the market price. */
const depositMarket = stored({
  /** What the first amount is worth on the market, in the second token. */
  worth: amountSchema,
  /** How far the second amount exceeds `worth`, in basis points; negative if it is less. */
  differenceBps: z.bigint(),
  /** Maximum that others can take by trading until the pool's price is the market's, in the second token. */
  loss: amountSchema,
});
export type DepositMarket = z.infer<typeof depositMarket>;

const commonTerms = {
  payout: addressSchema,
  kind: z.literal("launch"),
  request: stored({ kind: z.literal("launch"), launchId: z.string(), step: callStep }),
  firstToken: tokenSchema,
  secondToken: tokenSchema,
  /** Whether the node learns that `payout` makes the call: no argument of a launch call names an account. */
  callerTravels: z.boolean(),
};

/** The figures on the card of each launch step. Locking is an ordinary lock. */
export const launchTerms = z.discriminatedUnion("step", [
  stored({ ...commonTerms, step: z.literal("create-pair") }),
  stored({
    ...commonTerms,
    step: z.literal("issue-lp"),
    pair: addressSchema,
    lpName: z.string(),
    lpTicker: z.string(),
  }),
  stored({ ...commonTerms, step: z.literal("set-roles"), pair: addressSchema, lpTokenId: z.string().exactOptional() }),
  stored({
    ...commonTerms,
    step: z.literal("add-liquidity"),
    pair: addressSchema,
    /** In the pool's order. */
    first: amountSchema,
    second: amountSchema,
    /** Absent if no price is known. */
    market: depositMarket.exactOptional(),
    /** Set if it can't be told whether the tokens' issuers let them leave the pair again. */
    isReturnUnknown: z.literal(true).exactOptional(),
    /** The minimum worth of all LP tokens received, and the value that it must exceed to enable swaps. */
    worth: stored({ least: amountSchema, minimum: amountSchema }).exactOptional(),
  }),
  stored({
    ...commonTerms,
    step: z.literal("enable"),
    pair: addressSchema,
    locked: assetSchema,
    /** How much of the locked token is shown to the router, in the LP token that it represents. */
    amount: amountSchema,
    verdict: lockVerdict.exactOptional(),
  }),
]);
export type LaunchTerms = z.infer<typeof launchTerms>;
