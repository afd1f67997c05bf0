import type { Address } from "../encoding/address.js";
import type { Amount } from "../encoding/amount.js";
import type { Token } from "../encoding/token.js";
import type { LaunchStep } from "./request.js";

/** How a step is known to be done: a view of the chain shows it, the node answered ok to its call, or the person said so. */
export type Evidence = "view" | "answer" | "word";

/** A pair on its way from nothing to its first swap, which can take weeks. */
export interface Launch {
  readonly id: string;
  /** In the pool's order. */
  readonly firstToken: Token;
  readonly secondToken: Token;
  readonly lpName: string;
  readonly lpTicker: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly pair?: Address;
  readonly lpTokenId?: string;
  /** What the first deposit gave, in the LP token's smallest units, by the pair's answer. */
  readonly lpUnits?: bigint;
  /** The first deposit as the person last planned it, in the pool's order. */
  readonly liquidity?: { readonly first: Amount; readonly second: Amount };
  /** The message of its newest checklist, the only one that has buttons. */
  readonly shownIn?: number;
  readonly done: Readonly<Partial<Record<LaunchStep, Evidence>>>;
  /** Steps of which a call left whose outcome nobody knows, until a view or the person says. */
  readonly unknown: readonly LaunchStep[];
  /** The intents whose ends are in the fields above, so that none counts again after the person has spoken. */
  readonly intents: readonly string[];
}

/** A person's launches by id. */
export type Launches = Readonly<Record<string, Launch>>;
