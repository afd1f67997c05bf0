import type { Config } from "../../config.js";
import type { Address } from "../../encoding/address.js";

/** Who has a token on its way: a person's account, a contract by its part in it, or a pair by its tokens. */
export type Hand =
  | { readonly is: "account" | "fee" | "lock" | "referral" | "router"; readonly address: Address | undefined }
  | { readonly is: "pair"; readonly address: Address; readonly first: string; readonly second: string };

/** Who may send a limited token, and who may receive it. */
export interface Roles {
  readonly senders: ReadonlySet<Address>;
  readonly receivers: ReadonlySet<Address>;
}

/** A step of a token that its issuer doesn't allow: the one may not send it, and the other may not receive it. */
export interface BlockedStep {
  readonly from: Hand;
  readonly to: Hand;
}

/** Who stands between a person's account and a pair. */
export interface Between {
  /** From the contract that the account calls to the one that calls the pairs. */
  readonly contracts: readonly Hand[];
  /** Undefined if it isn't known: taken as one without roles. */
  readonly account: Address | undefined;
  /** Who else gets a part of what comes out, from the contract that is called. */
  readonly fee?: Address;
}

type Contracts = Pick<Config, "referralAddress" | "referralContract" | "routerContract">;

/**
 * The order in which contracts hand a token on isn't published. That of the router is what its model does
 * (multiversx/mx-exchange-sc dex/router); that the referral contract calls it, and pays out itself, is what its
 * documentation says.
 */
export function betweenBySwap(settings: Contracts, account: Address | undefined): Between {
  const referral = { is: "referral", address: settings.referralContract } as const;
  const contracts = [referral, ...betweenByRoute(settings, account).contracts];
  return { contracts, account, fee: settings.referralAddress };
}

export function betweenByRoute(settings: Pick<Contracts, "routerContract">, account: Address | undefined): Between {
  return { contracts: [{ is: "router", address: settings.routerContract }], account };
}

/** The chain lets a step happen if its sender may send, or its receiver may receive (klever-go `IsTransferAllowed`). */
const has = (allowed: ReadonlySet<Address>, { address }: Hand) => address !== undefined && allowed.has(address);

/** Steps along a way that the issuer doesn't allow, in the order of the way. */
export function closedSteps(way: readonly Hand[], { senders, receivers }: Roles): readonly BlockedStep[] {
  return way.slice(1).flatMap((to, index) => {
    const from = way[index];
    return from === undefined || has(senders, from) || has(receivers, to) ? [] : [{ from, to }];
  });
}

/** Why a way is closed whatever the order in which its contracts hand a token on. */
export type Closure = "not-sent" | "not-given" | "not-taken";

/**
 * Whether a way is closed in any order: its first hand may not send, and if that is an account, the contract that it
 * calls may not receive, or else nobody after it may; or a pair at its end may not receive, and no contract may send.
 */
export function certainlyClosed(way: readonly Hand[], roles: Roles): (BlockedStep & { why: Closure }) | undefined {
  const closed = closedSteps(way, roles);
  const [first, last] = [closed.find(({ from }) => from === way[0]), closed.find(({ to }) => to === way.at(-1))];
  const isTaken = way.slice(1).some((hand) => has(roles.receivers, hand));
  const isSent = way.slice(1, -1).some((hand) => has(roles.senders, hand));
  if (first !== undefined && first.from.is !== "account" && !isTaken) return { ...first, why: "not-given" };
  if (last?.to.is === "pair" && !isSent) return { ...last, why: "not-taken" };
  return first?.from.is === "account" ? { ...first, why: "not-sent" } : undefined;
}
