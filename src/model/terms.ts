import type { Address } from "../encoding/address.js";
import type { Amount } from "../encoding/amount.js";
import type { AssetId } from "../encoding/asset.js";
import type { Token } from "../encoding/token.js";
import type { CallStep, LockVerdict } from "./launch.js";
import type { LockRequest, MultihopRequest, StepRequest, SwapRequest, UnlockRequest } from "./request.js";

/** What the terms of every kind have. */
interface CommonTerms {
  /** The person's own address: where outputs go, and in whose name the call is made. */
  readonly payout: Address;
}

/** Another way to the same token. */
export interface OtherWay {
  /** What the person would get, after all fees. */
  readonly amount: Amount;
  /** Whether it nets so much more than this way that it is offered first. */
  readonly isBetter: boolean;
}

/** How what a trade promises compares with the pools, which were read for it. */
export interface PoolsPrice {
  /** The most that they give for the payment, exactly as the pairs compute it. */
  readonly best: Amount;
  /** The tokens on the way there, the first and the last among them. */
  readonly path: readonly string[];
  /**
   * How much worse the trade's own way is than its pools' prices before it, fees left out: hundredths of a percent, rounded up.
   * Absent where nobody can tell which way it goes.
   */
  readonly impactBps?: number | undefined;
  /** How much less the trade promises than the best way's prices before it, rounded up; its share in hundredths of a percent. */
  readonly loss: Amount;
  readonly lossBps: number;
}

/** How the proportion of a first deposit compares with what others pay. */
export interface DepositMarket {
  /** What its first amount is worth elsewhere, in its second token. */
  readonly worth: Amount;
  /** How much more than that its second amount is, in hundredths of a percent; negative when it is less. */
  readonly differenceBps: bigint;
  /** What others can take of it at most by trading until the pool's price is the market's, in the second token. */
  readonly loss: Amount;
}

/** The numbers that a swap's card shows; the call was built from exactly these. */
export interface SwapTerms extends CommonTerms {
  readonly kind: "swap";
  readonly amountIn: Amount;
  readonly request: SwapRequest<Amount>;
  readonly quotedOut: Amount;
  /** The gross floor that the contract enforces (`amount_out_min`). */
  readonly minimumOut: Amount;
  readonly slippageBps: number;
  /** Base 100000. */
  readonly referralPercentage: number;
  /** Absent where the pools were not known when the card was made, so that nobody can say what they would give. */
  readonly pools?: PoolsPrice;
  /** Whether the node offers no pools to anybody, so that nothing was expected to compare the price with. */
  readonly hasNoPools?: true;
  /** The best route through the pools, where it nets more. It pays no fee to the operator. */
  readonly route?: OtherWay;
}

/** One step of a route over several pairs. */
export interface HopTerms {
  readonly pair: Address;
  readonly function: "swapTokensFixedInput" | "swapTokensFixedOutput";
  /** What goes in: all that the hop before gave. */
  readonly amountIn: Amount;
  /** What is expected to come out. */
  readonly amountOut: Amount;
  /** `amount_wanted`: the least that must come out, or exactly what must. */
  readonly wanted: Amount;
  /** What a fixed output takes of what goes in: now, and at most when the card is confirmed. */
  readonly spends?: { readonly expected: Amount; readonly atMost: Amount };
  /** What is expected to come back of what went in; only a fixed output leaves something. */
  readonly change?: Amount;
  readonly priceImpactBps: number;
}

/** A swap over several pairs by the router. It pays no referral fee. */
export interface MultihopTerms extends CommonTerms {
  readonly kind: "multihop";
  readonly hops: readonly HopTerms[];
  /** What is sent along: no more than the first hop may spend. */
  readonly amountIn: Amount;
  readonly expectedOut: Amount;
  /** The least that the last hop must give: the slippage floor of the whole route. */
  readonly minimumOut: Amount;
  readonly slippageBps: number;
  readonly priceImpactBps: number;
  readonly request: MultihopRequest<Amount>;
  /** Absent on cards of an older version. */
  readonly pools?: PoolsPrice;
  /** The referral swap, where that can be had and quoted. */
  readonly swap?: OtherWay & Pick<SwapTerms, "referralPercentage">;
}

/** Tokens put away until an epoch. */
export interface LockTerms extends CommonTerms {
  readonly kind: "lock";
  readonly amount: Amount;
  readonly unlockEpoch: bigint;
  /** The epoch when the card was made; absent where the node did not report it. */
  readonly epoch?: bigint;
  /** When the unlock epoch begins, estimated, in milliseconds since 1970; absent where the length of epochs is not known. */
  readonly unlocksAt?: number;
  /**
   * The years, rounded down, that the tokens are out of reach, where that needs a second step: beyond two, or where nobody can
   * tell the date. Then it is an estimate.
   */
  readonly years?: bigint;
  /** The locked token of the person which the amount will be added to, where the bot knows of one. */
  readonly mergesInto?: AssetId;
  /** The launch that it is a step of, and how it would stand against the router's conditions as far as they are known. */
  readonly launch?: { readonly id: string; readonly verdict?: LockVerdict };
  readonly request: LockRequest<Amount>;
}

/** What the bot's own record says against an unlock, in which the contract decides. */
export type UnlockDoubt =
  | { readonly kind: "too-much"; readonly recorded: Amount }
  | {
      readonly kind: "too-early";
      readonly unlockEpoch: bigint;
      readonly epoch: bigint;
      /** Estimated, in milliseconds since 1970. */
      readonly beginsAt?: number;
    };

/** Locked tokens taken back after their epoch. */
export interface UnlockTerms extends CommonTerms {
  readonly kind: "unlock";
  readonly locked: AssetId;
  /** How much of the locked token is burned; the same amount of what was locked comes back. */
  readonly amount: Amount;
  /** What was locked, where the bot knows. */
  readonly original?: Token;
  /** Absent where nothing speaks against it. */
  readonly doubts?: readonly UnlockDoubt[];
  readonly request: UnlockRequest<Amount>;
}

interface LaunchCommonTerms extends CommonTerms {
  readonly kind: "launch";
  readonly request: StepRequest;
  readonly launchId: string;
  readonly firstToken: Token;
  readonly secondToken: Token;
  /** Whether the node is told that `payout` makes the call. Launch calls have no argument that names anybody. */
  readonly callerTravels: boolean;
}

/** What is particular to the card of each step of a launch. Locking is a lock like any other. */
export interface LaunchFigures {
  readonly "create-pair": object;
  readonly "issue-lp": { readonly pair: Address; readonly lpName: string; readonly lpTicker: string };
  readonly "set-roles": { readonly pair: Address; readonly lpTokenId?: string };
  readonly "add-liquidity": {
    readonly pair: Address;
    /** In the pool's order. */
    readonly first: Amount;
    readonly second: Amount;
    /** Absent where no price is known. */
    readonly market?: DepositMarket;
    /** What all LP tokens that it gives are worth at least, and what has to be exceeded to enable swapping. */
    readonly worth?: { readonly least: Amount; readonly minimum: Amount };
  };
  readonly enable: {
    readonly pair: Address;
    readonly locked: AssetId;
    /** How much of the locked token is shown to the router, in the LP token that it stands for. */
    readonly amount: Amount;
    readonly verdict?: LockVerdict;
  };
}

/** The numbers of one step of a pair's launch, or of one of several steps. */
export type LaunchTermsOf<Step extends CallStep> = {
  [Each in Step]: LaunchCommonTerms & { readonly step: Each } & LaunchFigures[Each];
}[Step];
export type LaunchTerms = LaunchTermsOf<CallStep>;

/** What was, or will be, shown on the card of each kind of intent. */
export type Terms = SwapTerms | MultihopTerms | LockTerms | UnlockTerms | LaunchTerms;
export type IntentKind = Terms["kind"];

/** What a call takes out of a person's hands: what is traded, locked or put into a pool. */
export function paymentsOf(terms: Terms): readonly Amount[] {
  switch (terms.kind) {
    case "swap":
    case "multihop":
      return [terms.amountIn];
    case "lock":
      return [terms.amount];
    case "launch":
      return terms.step === "add-liquidity" ? [terms.first, terms.second] : [];
    case "unlock":
      return [];
  }
}
