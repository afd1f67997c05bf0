import type { PortfolioForm } from "../../cards/buttons.js";
import { arrivalRows } from "../../cards/arrivals.js";
import { typedBehind } from "../../cards/correction.js";
import { balanceCard, portfolioCard, portfolioFile, portfolioPicture } from "../../cards/portfolio.js";
import { compareAmounts, formatAssetId, NATIVE_TOKEN } from "../../encoding/amount.js";
import { createUserRateLimit } from "../../services/base/rate.js";
import type { Balances } from "../../services/chain/query-gateway.js";
import type { Intents } from "../../services/intent/intent-service.js";
import type { Arrivals } from "../../services/alerts/arrivals.js";
import type { Pools } from "../../services/market/pools.js";
import { type LockContract, unlockTimeOf } from "../../services/trade/lock-contract.js";
import type { RightsReader } from "../../services/market/token-rights.js";
import type { StandingOrders } from "../../services/standing/standing-orders.js";
import type { Swaps } from "../../services/trade/swap.js";
import { sharesOf } from "../../services/market/pool.js";
import type { TokenList } from "../../services/market/token-list.js";
import { payoutOf } from "../../services/person/person.js";
import { createPortfolio, MAX_LOCKS, noteValue, POOLS_MAX_AGE_MS, valuesOf } from "../../services/history/portfolio.js";
import type { Portfolio } from "../../services/history/portfolio.js";
import { priceable } from "../../services/trade/swap-request.js";
import { splitWords } from "../../services/base/typed-line.js";
import type { BotBase, BotContext } from "../context.js";
import { answering, type Feature } from "../feature.js";
import type { UserHoldings } from "../holdings.js";
import { catchUserError, editTapped, replyFile, replyOrError, showPicture, replyCard } from "../reply.js";

interface PortfolioParts {
  readonly arrivals: Pick<Arrivals, "isOffered" | "isOn" | "unclear">;
  readonly base: BotBase;
  readonly balances: Balances;
  readonly holdings: UserHoldings;
  readonly intents: Intents;
  readonly lock: LockContract;
  readonly pools: Pools;
  readonly rights: RightsReader;
  readonly standingOrders: Pick<StandingOrders, "exits">;
  readonly swaps: Swaps;
}

const CHOICES = 3;
/** So many fit beside the button in their row. */
const MAX_PICTURED = 2;

/** What people call it, in any of the bot's languages. */
const NAMES = /^(?:pnl|positions?|portf[oó]lio|posiç(?:ão|ões))$/i;

/** Of what has a picture, what is worth most. */
function pictured({ assets, countedIn }: Portfolio, tokens: TokenList): string[] {
  const known = assets.flatMap(({ token, sale, paid }) =>
    sale && paid && sale.isThin !== true && token.id !== countedIn.id && tokens.byId(token.id)
      ? [{ id: token.id, value: sale.value }]
      : [],
  );
  const byWorth = known.toSorted((one, other) => compareAmounts(other.value, one.value));
  return byWorth.slice(0, MAX_PICTURED).map(({ id }) => id);
}

/** `/portfolio` and `/balance`. */
export function portfolioFeature(parts: PortfolioParts): Feature {
  const { base, balances, holdings, intents, lock, pools, rights, swaps } = parts;
  const { clock, log, settings, store, tokens } = base;
  const read = createPortfolio({
    balances,
    holdings,
    intents,
    lock,
    pools,
    rights,
    swaps,
    tokens,
    store,
    clock,
    settings,
  });
  // Each portfolio reads a whole history and requests a dozen prices.
  const rateLimit = createUserRateLimit({ clock, burst: 4, refillSeconds: 20 });

  const portfolioOf = async ({ person, userId }: BotContext, typed: string) => {
    const address = payoutOf(person);
    const token = priceable(typed || NATIVE_TOKEN, tokens);
    rateLimit.take(userId);
    const portfolio = await read({ userId, person }, address, token);
    await store
      .write((tx) => noteValue(tx, userId, portfolio))
      .catch((err: unknown) => log.warn({ err }, "Portfolio value not recorded"));
    return portfolio;
  };

  const otherChoices = ({ countedIn, assets }: Portfolio): string[] => {
    const all = [NATIVE_TOKEN, ...assets.map(({ token }) => token.id), ...tokens.all.map(({ id }) => id)];
    const isChoice = (id: string) => {
      const { kind, precision } = tokens.byId(id) ?? {};
      return id !== countedIn.id && kind === "fungible" && precision !== undefined;
    };
    return [...new Set(all)].filter(isChoice).slice(0, CHOICES);
  };

  /** @param present shows the card. */
  const show = async (
    ctx: BotContext,
    typed: string,
    as: PortfolioForm,
    present: typeof editTapped | typeof replyCard,
  ) => {
    const made = await catchUserError(ctx.words, () => portfolioOf(ctx, typed), typedBehind("portfolio", typed));
    if (!made.ok) return replyCard(ctx, made.card);
    const { fileName, fileCaption, notYet } = ctx.words.portfolio;
    if (as === "csv") {
      return replyFile(ctx, portfolioFile(made.value), fileName, fileCaption(made.value.countedIn.id));
    }
    if (as === "picture") {
      const values = await valuesOf(store.db, ctx.userId, made.value.countedIn);
      return showPicture(ctx, portfolioPicture(values, ctx.view) ?? notYet, log);
    }
    const exits = await parts.standingOrders.exits(ctx.userId);
    return present(
      ctx,
      portfolioCard(made.value, otherChoices(made.value), ctx.view, exits, pictured(made.value, tokens)),
    );
  };

  const open = (ctx: BotContext, typed: string) => {
    const words = splitWords(typed);
    const isFile = words.at(-1)?.toLowerCase() === "csv";
    return show(ctx, words.slice(0, isFile ? -1 : undefined).join(" "), isFile ? "csv" : "card", replyCard);
  };

  return {
    spoken: (ctx, text) => (NAMES.test(text.trim()) ? () => open(ctx, "") : undefined),
    unlisted: { pnl: open, positions: open },
    commands: {
      portfolio: open,
      balance: (ctx) => replyOrError(ctx, () => balanceFor(parts, ctx), typedBehind("balance", "")),
    },
    buttons: { portfolio: answering((ctx, { tokenId, as }) => show(ctx, tokenId, as, editTapped)) },
  };
}

/** @throws Fault `wallet-missing`, `too-often`, `service-…`. */
async function balanceFor(parts: PortfolioParts, { person, userId, view }: BotContext) {
  const { arrivals, base, balances, holdings, lock } = parts;
  const { clock, tokens } = base;
  const address = payoutOf(person);
  holdings.allowance.take(userId);
  const [graph, status] = await Promise.all([parts.pools.known(POOLS_MAX_AGE_MS), lock.statusIfTold()]);
  const pools = graph?.pools() ?? [];
  const lpTokens = pools.flatMap(({ lpTokenId }) => lpTokenId ?? []);
  const ids = holdings.askable(person, lpTokens);
  const open = (await lock.open(userId)).slice(0, MAX_LOCKS);
  const others = await lock.heldElsewhere(userId, address);
  const otherLocks = others?.locks.map(({ amount }) => amount) ?? [];
  const held = await balances.read(address, [...ids, ...open.map(({ locked }) => formatAssetId(locked))]);
  const locks = open.map((each) => ({ ...each, ...unlockTimeOf(each.unlockEpoch, status, clock.now()) }));
  const shares = sharesOf(pools, held, tokens.named);
  const watched = await holdings.watched(person);
  const account = { address, holdings: held, tokens: ids.map(tokens.named), locks, otherLocks, shares, watched };
  const [isOn, isOffered] = await Promise.all([arrivals.isOn(userId), arrivals.isOffered()]);
  const unclear = await arrivals.unclear(userId);
  return balanceCard({ ...account, unclear }, view, isOffered || isOn ? arrivalRows(isOn, view) : []);
}
