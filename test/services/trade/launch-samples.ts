import { parseContractAddress } from "../../../src/encoding/address.js";
import type { Token } from "../../../src/encoding/amount.js";
import type { LaunchTerms, CallStep } from "../../../src/services/terms/launch-terms.js";
import type { LaunchFacts } from "../../../src/services/trade/launch-facts.js";
import type { Launch } from "../../../src/services/trade/launch-record.js";
import { type ProgressInput, progressOf } from "../../../src/services/trade/launch-steps.js";
import type { Checklist } from "../../../src/services/trade/launch.js";
import type { Lock } from "../../../src/services/trade/lock-record.js";
import { alice, kfi } from "../samples.js";

/** The pair of the published `createPair` example, in both forms. */
export const pair = parseContractAddress("klv1qqqqqqqqqqqqqpgqk762znj9v7nyky3wucdcw9awz83ppqy6c0nqhe2qaz");
export const pairHex = "00000000000000000500b7b4a14e4567a64b122ee61b8717ae11e210809ac3e6";
export const dvk: Token = { id: "DVK-34ZH", name: "DVK", precision: 6, kind: "fungible" };
export const lp: Token = { id: "LPDVKKFI-1A2B", name: "LPDVKKFI", kind: "fungible" };

export function launch(fields: Partial<Launch> = {}): Launch {
  return {
    id: "launch-1",
    firstToken: dvk,
    secondToken: kfi,
    lpName: "LPDVKKFI",
    lpTicker: "LPDVKKFI",
    createdAt: 1,
    done: {},
    unknown: [],
    ...fields,
  };
}

/** Conditions of the router: more than 7 KFI for more than 30 epochs. */
export const conditions = {
  common: kfi.id,
  config: { lockedTokenId: "LKTOK-1A2B", minLockedTokenValue: 7_000_000n, minLockPeriodEpochs: 30n },
  epoch: 5397n,
  epochMilliseconds: 21_600_000,
} as const;

/** What a node without views reports. */
export const noFacts: LaunchFacts = { isReachable: true };

/** What the views report after `count` steps of a launch, including the roles and the lock. */
export function factsAfter(count: number): LaunchFacts {
  if (count === 0) return { isReachable: true, ...conditions, pair: "none" };
  const hasLiquidity = count >= 4;
  return {
    isReachable: true,
    ...conditions,
    pair,
    firstTokenId: dvk.id,
    lpTokenId: count >= 2 ? lp.id : "",
    reserves: hasLiquidity
      ? { first: 1_000_000_000n, second: 20_000_000n, supply: 141_421_356n }
      : { first: 0n, second: 0n, supply: 0n },
    state: count >= 6 ? "Active" : hasLiquidity ? "PartialActive" : "Inactive",
    adder: alice,
  };
}

export function lock(units: bigint, unlockEpoch: bigint, fields: Partial<Lock> = {}): Lock {
  return {
    locked: { tokenId: "LKTOK-1A2B", nonce: 3n },
    amount: { token: lp, units },
    unlockEpoch,
    lockedAt: 1,
    isAnswered: true,
    ...fields,
  };
}

export function input(fields: Partial<ProgressInput> = {}): ProgressInput {
  return {
    launch: launch(),
    facts: noFacts,
    locks: [],
    underWay: [],
    caller: { address: alice, travels: true },
    ...fields,
  };
}

/** A launch's checklist with these facts, locks and changes. */
export function checklist(
  facts = noFacts,
  fields: Partial<Launch> = {},
  locks: Lock[] = [],
  more: Partial<Checklist> = {},
): Checklist {
  const about = launch(fields);
  const caller = { address: alice, travels: true };
  const progress = progressOf(input({ launch: about, facts, locks, caller }));
  const unknown = { manualCall: undefined, market: undefined };
  const checkedAt = Date.parse("2026-07-01T12:00:00Z");
  return { ...progress, launch: about, facts, locks, checkedAt, isManual: false, ...unknown, ...more };
}

const of = <Step extends CallStep>(step: Step) => {
  const request = { kind: "launch", launchId: "launch-1", step } as const;
  return {
    kind: "launch",
    step,
    request,
    firstToken: dvk,
    secondToken: kfi,
    payout: alice,
    callerTravels: true,
  } as const;
};

export const terms = {
  createPair: of("create-pair"),
  issueLp: { ...of("issue-lp"), pair, lpName: "LPDVKKFI", lpTicker: "LPDVKKFI" },
  setRoles: { ...of("set-roles"), pair, lpTokenId: lp.id },
  addLiquidity: {
    ...of("add-liquidity"),
    pair,
    first: { token: dvk, units: 1_000_000_000n },
    second: { token: kfi, units: 20_000_000n },
  },
  enable: {
    ...of("enable"),
    pair,
    locked: { tokenId: "LKTOK-1A2B", nonce: 3n },
    amount: { token: lp, units: 141_420_356n },
  },
} satisfies Record<string, LaunchTerms>;
