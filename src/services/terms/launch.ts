import * as z from "zod";
import { addressSchema } from "../../encoding/address.js";
import { amountSchema, assetSchema, tokenSchema } from "../../encoding/amount.js";
import { stored } from "../../store/store.js";

/** The steps of a launch, in their order (interface, "Pair launch sequence"; the local roles are a step of their own). */
export const launchSteps = ["create-pair", "issue-lp", "set-roles", "add-liquidity", "lock", "enable"] as const;
export type LaunchStep = (typeof launchSteps)[number];
const callStep = z.enum(launchSteps).exclude(["lock"]);
/** The steps of which each is one call of its own; the lock is a lock like any other. */
export type CallStep = z.infer<typeof callStep>;

/** How a lock stands against the router's conditions for enabling swaps. */
export const lockVerdict = stored({
  value: amountSchema,
  minimumValue: amountSchema,
  /** Epochs that are left until it unlocks. */
  period: z.bigint(),
  minimumPeriod: z.bigint(),
});
export type LockVerdict = z.infer<typeof lockVerdict>;

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

const common = {
  payout: addressSchema,
  kind: z.literal("launch"),
  request: stored({ kind: z.literal("launch"), launchId: z.string(), step: callStep }),
  firstToken: tokenSchema,
  secondToken: tokenSchema,
  /** Whether the node is told that `payout` makes the call. Launch calls have no argument that names anybody. */
  callerTravels: z.boolean(),
};

/** The numbers of the card of each step of a launch. Locking is a lock like any other. */
export const launchTerms = z.discriminatedUnion("step", [
  stored({ ...common, step: z.literal("create-pair") }),
  stored({ ...common, step: z.literal("issue-lp"), pair: addressSchema, lpName: z.string(), lpTicker: z.string() }),
  stored({ ...common, step: z.literal("set-roles"), pair: addressSchema, lpTokenId: z.string().exactOptional() }),
  stored({
    ...common,
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
    ...common,
    step: z.literal("enable"),
    pair: addressSchema,
    locked: assetSchema,
    /** How much of the locked token is shown to the router, in the LP token that it stands for. */
    amount: amountSchema,
    verdict: lockVerdict.exactOptional(),
  }),
]);
export type LaunchTerms = z.infer<typeof launchTerms>;
