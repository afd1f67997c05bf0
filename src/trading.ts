import type { Logger } from "pino";
import type { Clock } from "./clock.js";
import type { Config } from "./config.js";
import type { Connections } from "./connect.js";
import type { Metrics } from "./bot/receive/metrics.js";
import { createRouterCheck, isConfigured, type CheckAnswer } from "./services/chain/checks.js";
import type { Change } from "./services/intent/change.js";
import { isLookedFor, isSigned, type Intent } from "./services/intent/intent.js";
import { makeDue } from "./services/intent/row.js";
import { createIntents, type Intents } from "./services/intent/intents.js";
import type { Operator } from "./services/operator/operator.js";
import type { Trading } from "./services/operator/pause.js";
import { movedAssets, movementOf, tradeKind } from "./services/trade/kinds.js";
import { createFeeEstimates } from "./services/wallet/fee.js";
import { createTransactionTracker } from "./services/wallet/tracker.js";
import { createSigningRequests, type SigningView } from "./services/wallet/signing.js";
import { createLaunch } from "./services/launch/launch.js";
import { createLockContract } from "./services/lock/contract.js";
import { createWorth, worthByKnown } from "./services/pool/best.js";
import { canSwap, priceIn, type Pool } from "./services/pool/pool.js";
import { createPools, poolFile } from "./services/pool/pools.js";
import { createPriceAlerts } from "./services/price-alert/price-alerts.js";
import { createPrices } from "./services/price/history.js";
import { createSwaps } from "./services/swap/swap.js";
import type { TokenList } from "./services/token/list.js";
import type { Store } from "./store/store.js";

/** What everything is made from. */
export interface Base {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tokens: TokenList;
  readonly store: Store;
}

/** What can be traded, locked and launched, and at what price. */
export type Market = Awaited<ReturnType<typeof openMarket>>;

/** A price that people watch is asked for so often, where the budget allows it. */
const PRICE_POLL_SECONDS = 15;

/** @throws Fault `pools-file-invalid`. */
export async function openMarket(
  { config, tokens, store, clock, log }: Base,
  parts: {
    readonly connections: Connections;
    readonly newId: () => string;
    /** Called with whether the referral contract swaps through ROUTER_CONTRACT. */
    readonly onRouter: (answer: CheckAnswer) => void;
  },
) {
  const { newId, onRouter } = parts;
  const { balances, gateway, polled, quotation } = parts.connections;
  // Ask once now, so that nothing is offered that the node cannot report.
  void balances.known(config.referralAddress, ["KLV"]);
  const { referralContract, routerContract } = config;
  const listed = config.poolsFile === undefined ? undefined : poolFile(config.poolsFile);
  const prices = createPrices({ store, clock, log });
  const onRead = (read: readonly Pool[]) => prices.note(read.filter(canSwap).map(priceIn), false);
  const pools = createPools({ gateway, routerContract, fallback: await listed?.read(), clock, log, onRead });
  // Read them now, so that the first card can already compare routes.
  void pools.known(0, 0);
  const unwatch = listed?.watch(pools.replaceFallback, log);
  const routerCheck = createRouterCheck({ gateway, referralContract, routerContract, clock, log, onAnswer: onRouter });
  const worth = createWorth({ pools, quotation });
  const swaps = createSwaps({ quotation, pools, routerCheck, config, clock, log, prices });
  const priceAlerts = createPriceAlerts({
    quotation,
    polled,
    requestsPerSecond: config.pricePollRps,
    everySeconds: PRICE_POLL_SECONDS,
    tokens,
    prices,
    newId,
    store,
    clock,
    log,
  });
  const { epochSeconds, lockContract } = config;
  const lock = createLockContract({ lockContract, epochSeconds, store, gateway, balances, tokens, log });
  return {
    pools,
    prices,
    worth,
    swaps,
    routerCheck,
    lock,
    priceAlerts,
    launch: createLaunch({
      store,
      gateway,
      balances,
      lock,
      tokens,
      worth,
      newId,
      clock,
      settings: config,
    }),
    close: () => {
      unwatch?.();
      return prices.settled();
    },
  };
}

/** Whom a part tells of something: those that are made after it join. */
export type Listeners<Value> = ReturnType<typeof createListeners<Value>>;

export function createListeners<Value>() {
  const all: ((value: Value) => void)[] = [];
  return {
    tell: (value: Value): void => {
      for (const listener of all) listener(value);
    },
    add: (listener: (value: Value) => void): void => void all.push(listener),
  };
}

/** The intents, and who is told of their changes. */
export function createIntentsOf(
  { config, store, clock, log }: Base,
  parts: {
    readonly connections: Connections;
    readonly market: Market;
    readonly trading: Trading;
    readonly metrics: Pick<Metrics, "counted">;
    readonly operator: Pick<Operator, "noteError">;
    readonly newId: () => string;
    readonly run: string;
  },
) {
  const { connections, market, trading, metrics, operator, newId, run } = parts;
  const { balances, gateway } = connections;
  const { returnDataEncoding: encoding } = config;
  const changes = createListeners<Change>();
  changes.add(({ before, after }) => {
    if (before?.state !== after.state) metrics.counted(after, movementOf(after, encoding).fee);
  });
  const intents = createIntents({
    book: async (tx, ended) => tradeKind(ended.terms.kind).book?.(tx, ended, encoding),
    movementOf: (intent) => movementOf(intent, encoding),
    isConfigured: (call) => isConfigured(call, config, market.pools.areListed),
    assertOpen: trading.assertOpen,
    holdings: (intent) => balances.known(intent.terms.payout, movedAssets(intent, config)),
    onChanged: changes.tell,
    onUnreadable: operator.noteError,
    gateway,
    newId,
    run,
    store,
    clock,
    log,
  });
  return { intents, changes };
}

/** How people's wallets sign. */
export type Signing = NonNullable<ReturnType<typeof createSigning>>;

/** Undefined where nothing is signed. */
export function createSigning(
  { config, store, clock, log }: Base,
  parts: {
    readonly connections: Connections;
    readonly market: Market;
    readonly intents: Intents;
    readonly changes: Listeners<Change>;
    readonly trading: Trading;
    readonly chat: {
      readonly view: SigningView;
      readonly present: (intent: Intent) => Promise<void>;
    };
  },
) {
  const { connections, market, intents, changes, trading, chat } = parts;
  const { chainCheck, node } = connections;
  if (config.gateway.kind === "query" || chainCheck === undefined) return undefined;
  const { chainId, publicUrl, walletApiUrl, walletNodeUrl } = config.gateway;
  const { view, present } = chat;
  const tracker = createTransactionTracker({ node, intents, recheck: view.recheck, present, store, clock, log });
  const { assertOpen } = trading;
  const wallets = { chainId, walletApiUrl, walletNodeUrl };
  const requests = createSigningRequests({ ...wallets, ...view, assertOpen, chainCheck, node, intents, clock, log });
  changes.add(({ after }) => {
    if (isSigned(after)) tracker.wake();
  });
  return {
    tracker,
    site: { requests, publicUrl, walletOrigins: [new URL(walletNodeUrl).origin, new URL(walletApiUrl).origin] },
    estimateFee: createFeeEstimates({
      node,
      worthIn: (amount, token) => worthByKnown(market.pools, amount, token),
      clock,
      log,
    }),
    /** Whether the chain carried an intent's transaction out; undefined where it knows none. @throws Fault */
    lookUp: async (intent: Intent): Promise<boolean | undefined> => {
      const found = isSigned(intent) ? await node.transaction(intent) : undefined;
      if (found === undefined || found.block === 0n) return undefined;
      // What was looked for on the chain is there: it is followed to its end now.
      if (isSigned(intent) && isLookedFor(intent)) {
        await store.write((tx) => makeDue(tx, intent.id));
        tracker.wake();
      }
      return found.isOk;
    },
  };
}
