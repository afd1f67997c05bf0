import type { FormParts } from "../conversations/interview.js";
import type { LaunchService } from "../services/launch/launch.js";
import type { LockContract } from "../services/lock/contract.js";
import type { Operator } from "../services/operator/operator.js";
import type { Orders } from "../services/order/watch.js";
import type { Outbox } from "../services/outbox/sender.js";
import type { Worth } from "../services/pool/best.js";
import type { Pools } from "../services/pool/pools.js";
import type { PriceAlerts } from "../services/price-alert/price-alerts.js";
import type { Prices } from "../services/price/history.js";
import type { Delays } from "../services/security/delays.js";
import type { Swaps } from "../services/swap/swap.js";
import type { TokenList } from "../services/token/list.js";
import type { Holdings } from "./held.js";
import type { CardButtonParts } from "./intents/buttons.js";

/** What there is to make features with; each names what it takes. */
export interface FeatureParts extends CardButtonParts {
  readonly delays: Delays;
  readonly forms: FormParts;
  readonly holdings: Holdings;
  readonly launch: LaunchService;
  readonly lock: LockContract;
  readonly operator: Operator;
  readonly orders: Orders;
  readonly outbox: Outbox;
  readonly pools: Pools;
  readonly priceAlerts: PriceAlerts;
  readonly prices: Prices;
  readonly swaps: Swaps;
  readonly tokens: TokenList;
  readonly worth: Worth;
  /** The bot's user name at Telegram, which is known once updates come in. */
  readonly botName: () => string;
}
