import type { Logger } from "pino";
import type { FormParts } from "../conversations/interview.js";
import type { PeriodicCheck } from "../services/chain/checks.js";
import type { Balances } from "../services/gateway/balances.js";
import type { Intent } from "../services/intent/intent.js";
import type { Intents } from "../services/intent/intents.js";
import type { LaunchService } from "../services/launch/launch.js";
import type { Allowance } from "../services/limits/rate.js";
import type { LockContract } from "../services/lock/contract.js";
import type { Operator } from "../services/operator/operator.js";
import type { Trading } from "../services/operator/pause.js";
import type { Orders } from "../services/order/watch.js";
import type { Outbox } from "../services/outbox/sender.js";
import type { Worth } from "../services/pool/best.js";
import type { Pools } from "../services/pool/pools.js";
import type { PriceAlerts } from "../services/price-alert/price-alerts.js";
import type { Prices } from "../services/price/history.js";
import type { Delays } from "../services/security/delays.js";
import type { Swaps } from "../services/swap/swap.js";
import type { TokenList } from "../services/token/list.js";
import type { Trades } from "../services/trade/kinds.js";
import type { EstimateFee } from "../services/wallet/fee.js";
import type { Holdings } from "./held.js";
import type { ViewParts } from "./person.js";

/** What cards that spend are opened, shown and confirmed with. */
export interface CardParts extends ViewParts {
  readonly balances: Balances;
  readonly intents: Intents;
  readonly outbox: Outbox;
  readonly trades: Trades;
  readonly trading: Trading;
  /** Limits what makes the bot ask its services: prices, cards and orders. */
  readonly quoteAllowance: Allowance;
  /** Where wallets sign. */
  readonly chainCheck: Pick<PeriodicCheck, "assertNoMismatch"> | undefined;
  /** Where wallets sign. */
  readonly estimateFee: EstimateFee | undefined;
  /** Whether the chain carried an intent's transaction out; undefined where it knows none. Absent where nothing is signed. @throws Fault */
  readonly lookUp: ((intent: Intent) => Promise<boolean | undefined>) | undefined;
  readonly log: Logger;
}

/** What features are made with. */
export interface FeatureParts extends CardParts {
  readonly delays: Pick<Delays, "note">;
  readonly forms: FormParts;
  readonly holdings: Holdings;
  readonly launch: LaunchService;
  readonly lock: LockContract;
  readonly operator: Operator;
  readonly orders: Orders;
  readonly pools: Pools;
  readonly priceAlerts: PriceAlerts;
  readonly prices: Prices;
  readonly swaps: Swaps;
  readonly tokens: TokenList;
  readonly worth: Worth;
  /** The bot's user name at Telegram, which is known once updates come in. */
  readonly botName: () => string;
}
