import type { Basics } from "../../loop.js";
import { Fault, unlessFault, isFault } from "../../fault.js";
import type { Address } from "../../encoding/address.js";
import type { ContractGateway } from "./query-gateway.js";
import type { Config } from "../../config.js";
import { pairsIn, type ContractCall } from "../../encoding/call.js";
import { otherContractAt, UNANSWERED } from "./other-contract.js";

const MATCH_MS = 900_000;
const RECHECK_MS = 60_000;

type Mismatch = "chain-mismatch" | "router-mismatch" | "lock-mismatch";

/** Whether the chain is what operators configured. A check that gets no answer stops nothing. */
export interface PeriodicCheck {
  /** What operators are told of a mismatch. */
  readonly incident: Mismatch;
  /** The last answer; undefined before the first. */
  readonly isMismatch: () => boolean | undefined;
  /** Doesn't wait: for steps that send nothing yet. @throws the check's Fault. */
  readonly assertNoMismatch: () => void;
  /** Waits for an up-to-date answer: for steps that are about to send. @throws the check's Fault. */
  readonly assertMatch: () => Promise<void>;
}

/**
 * Checks at once, and again when the answer is outdated. Only a mismatch stops trading.
 * @param parts.matches undefined if unknown; then, and if it throws a Fault, the last answer stays valid.
 */
export function createPeriodicCheck(
  parts: Basics & {
    readonly matches: () => Promise<boolean | undefined>;
    readonly unread: string;
    readonly mismatch: Mismatch;
  },
): PeriodicCheck {
  const { clock, log } = parts;
  let isMismatch: boolean | undefined;
  let askAgainAfter = Number.POSITIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;

  const ask = async (): Promise<void> => {
    askedAt = clock.monotonic();
    const matches = await unlessFault(parts.matches, (err) => log.warn({ err }, parts.unread));
    askAgainAfter = matches === true ? MATCH_MS : RECHECK_MS;
    if (matches !== undefined) isMismatch = !matches;
  };
  const assertAnswer = () => {
    if (isMismatch === true) throw new Fault(parts.mismatch, {});
  };

  let asked = ask();
  const askWhenOld = (): Promise<void> => {
    if (clock.monotonic() - askedAt >= askAgainAfter) asked = ask();
    return asked;
  };
  return {
    incident: parts.mismatch,
    isMismatch: () => isMismatch,
    assertNoMismatch: (): void => {
      void askWhenOld();
      assertAnswer();
    },
    assertMatch: async (): Promise<void> => {
      await asked;
      await askWhenOld();
      assertAnswer();
    },
  };
}

/**
 * Compares with `getRouterAddress`, or looks whether one of the two is another contract's address; a node without views
 * passes.
 */
export function createRouterCheck(
  parts: Basics &
    Pick<Config, "referralContract" | "routerContract"> & { readonly gateway: Pick<ContractGateway, "query"> },
): PeriodicCheck {
  const { log, routerContract: configured } = parts;
  const targets = [
    { contract: "referral", address: parts.referralContract },
    { contract: "router", address: configured },
  ] as const;

  const matches = async (): Promise<boolean> => {
    try {
      const [router] = await parts.gateway.query(targets[0], "getRouterAddress", {});
      if (router === configured) return true;
      log.error({ router, configured }, "ROUTER_CONTRACT is not the referral contract's router");
    } catch (error) {
      if (isFault(error, "address-zero")) log.error({ configured }, "Referral contract has no router");
      else if (!isFault(error, ...UNANSWERED) || !(await isMisplaced(parts, targets))) throw error;
    }
    return false;
  };
  const unread = "The referral contract's router could not be read; it is not compared";
  return createPeriodicCheck({ ...parts, matches, unread, mismatch: "router-mismatch" });
}

/** Looks whether the lock contract's address is another contract's; a node without views passes. */
export function createLockCheck(
  parts: Basics & Pick<Config, "lockContract"> & { readonly gateway: Pick<ContractGateway, "query"> },
): PeriodicCheck {
  const target = { contract: "simpleLock", address: parts.lockContract } as const;
  const matches = async (): Promise<boolean> => !(await isMisplaced(parts, [target]));
  const unread = "The lock contract could not be read; what it is isn't known";
  return createPeriodicCheck({ ...parts, matches, unread, mismatch: "lock-mismatch" });
}

async function isMisplaced(
  { gateway, log }: Pick<Basics, "log"> & { readonly gateway: Pick<ContractGateway, "query"> },
  targets: readonly Parameters<typeof otherContractAt>[1][],
): Promise<boolean> {
  for (const target of targets) {
    const answersAs = await otherContractAt(gateway, target);
    if (answersAs !== undefined) log.error({ ...target, answersAs }, "A contract's address is another contract's");
    if (answersAs !== undefined) return true;
  }
  return false;
}

/** Compares with the node's own chain; one that doesn't say passes. */
export function createChainCheck(
  parts: Basics & { readonly node: { readonly chainId: () => Promise<string | undefined> }; readonly chainId: string },
): PeriodicCheck {
  const { node, chainId: configured, log } = parts;

  const matches = async (): Promise<boolean | undefined> => {
    const told = await node.chainId();
    if (told === configured) return true;
    if (told === undefined) {
      log.warn("Node does not report its chain; CHAIN_ID is checked for each transaction only");
      return undefined;
    }
    log.error({ told, configured }, "CHAIN_ID is not the node's chain");
    return false;
  };
  const unread = "The node's chain could not be read; CHAIN_ID is compared with each transaction only";
  return createPeriodicCheck({ ...parts, matches, unread, mismatch: "chain-mismatch" });
}

/** Whether a call uses only the configured contracts, and pairs that the router lists now. */
export async function isConfigured(
  call: ContractCall,
  config: Pick<Config, "lockContract" | "referralContract" | "routerContract">,
  areListed: (pairs: readonly Address[]) => Promise<boolean>,
): Promise<boolean> {
  const { contract, address } = call;
  const { lockContract: simpleLock, referralContract: referral, routerContract: router } = config;
  const pairs = contract === "pair" ? [address] : pairsIn(call);
  const isOwn = address === { referral, router, simpleLock, pair: address }[contract];
  return isOwn && (pairs.length === 0 || (await areListed(pairs)));
}
