import type { ConversationFlavor } from "@grammyjs/conversations";
import type { Context } from "grammy";
import type { Config } from "../config.js";
import type { View } from "../cards/card.js";
import type { Messages } from "../locales/messages.js";
import type { Balances } from "../services/gateway/balances.js";
import type { Allowance } from "../services/limits/rate.js";
import type { Intent } from "../services/intent/intent.js";
import type { Intents } from "../services/intent/intents.js";
import type { LaunchService } from "../services/launch/launch.js";
import type { LockContract } from "../services/lock/contract.js";
import type { Orders } from "../services/order/watch.js";
import type { Delays } from "../services/security/delays.js";
import type { Outbox } from "../services/outbox/sender.js";
import type { Multihop } from "../services/multihop/multihop.js";
import type { EstimateFee } from "../services/wallet/fee.js";
import type { Worth } from "../services/pool/best.js";
import type { Pools } from "../services/pool/pools.js";
import type { Person } from "../services/person/person.js";
import type { Swaps } from "../services/swap/swap.js";
import type { Operator } from "../services/operator/operator.js";
import type { TokenList } from "../services/token/list.js";
import type { StandingCheck } from "../services/chain/checks.js";
import type { Trading } from "../services/operator/pause.js";
import type { Logger } from "pino";
import type { Clock } from "../clock.js";
import type { Database } from "../store/store.js";
import type { DialogFlavor } from "../conversations/dialog.js";

/** What a handler finds on every update of a private chat: who it is from, and the words of their language. */
export interface PersonFlavor {
  /** As it was when the update arrived. */
  person: Person;
  userId: number;
  words: Messages;
  /** How cards are drawn for them. */
  view: View;
}

export type BotContext = ConversationFlavor<Context & PersonFlavor & DialogFlavor>;

/** The operator's choices that the chat needs to know. */
export interface BotSettings
  extends Pick<
    Config,
    | "betterRouteBps"
    | "callIncludesCaller"
    | "defaultSlippageBps"
    | "explorerUrl"
    | "guardDelaySeconds"
    | "launchExtended"
    | "maxImpactBps"
    | "maxSlippageBps"
    | "referralPercentage"
    | "returnDataEncoding"
    | "warnImpactBps"
  > {
  /** How much KLV stays back for the network fee, in smallest units. */
  readonly keptForFees: bigint;
  /** Where people's wallets sign; undefined where they don't. */
  readonly publicUrl: string | undefined;
}

/** Everything the chat needs, composed in `app/parts.ts`. */
export interface Parts {
  readonly store: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: BotSettings;
  /** Its user name at Telegram, which is known once updates come in. */
  readonly botName: () => string;
  /** Aborted when the bot stops: whatever waits in the background ends. */
  readonly stopping: AbortSignal;
  readonly tokens: TokenList;
  readonly intents: Intents;
  readonly swaps: Swaps;
  readonly multihop: Multihop;
  readonly lock: LockContract;
  readonly launch: LaunchService;
  readonly pools: Pools;
  readonly balances: Balances;
  readonly worth: Worth;
  /** Where wallets sign. */
  readonly estimateFee?: EstimateFee;
  /** Whether the chain carried an intent's transaction out; undefined where it knows none. Absent where nothing is signed. @throws Fault */
  readonly lookUp?: (intent: Intent) => Promise<boolean | undefined>;
  readonly routerCheck: StandingCheck;
  /** Where wallets sign. */
  readonly chainCheck: Pick<StandingCheck, "assertNoMismatch"> | undefined;
  readonly outbox: Pick<Outbox, "heard" | "notify">;
  readonly orders: Orders;
  readonly delays: Pick<Delays, "note">;
  readonly operator: Operator;
  readonly trading: Trading;
  /** Limits what makes the bot ask its services: prices, cards and orders. */
  readonly quoteAllowance: Allowance;
}
