import { button, buttons } from "../../cards/buttons.js";
import type { Card } from "../../cards/card.js";
import { refusal, type Typed } from "../../cards/correction.js";
import { MAX_CHOICES, tokenCard, unlistedCard, whichTokenCard, type TokenFacts } from "../../cards/token.js";
import { atPriceCard } from "../../cards/at-price.js";
import { alertOnTap, catchUserError, editTapped, replyCard, replyOrError } from "../reply.js";
import {
  type Amount,
  amountOf,
  isIssuedId,
  isTokenId,
  isZero,
  NATIVE_TOKEN,
  type Token,
} from "../../encoding/amount.js";
import { parseAmount } from "../../encoding/typed.js";
import type { Intents } from "../../services/intent/intent-service.js";
import { pairPriceNow } from "../../encoding/price-apart.js";
import { tradedKinds } from "../../services/terms/terms.js";
import { Fault, type FaultParameters, isFault, unlessFault } from "../../fault.js";
import type { Allowance } from "../../services/base/rate.js";
import type { Balances } from "../../services/chain/query-gateway.js";
import type { ReadTokenMarket } from "../../services/history/token-market.js";
import type { ReadTokenPosition } from "../../services/history/token-position.js";
import type { Operator } from "../../services/operator/operator.js";
import type { RightsReader } from "../../services/market/token-rights.js";
import { issuerRightsOf } from "../../services/market/trade-rights.js";
import { betweenBySwap } from "../../services/market/token-way.js";
import type { StandingOrders } from "../../services/standing/standing-orders.js";
import { outputOf, type SwapQuote, type Swaps } from "../../services/trade/swap.js";
import { counterOf, type TokenList } from "../../services/market/token-list.js";
import type { BotBase, BotContext } from "../context.js";
import { answering, type Feature } from "../feature.js";
import type { Forms } from "../forms.js";
import { heldOf, type UserHoldings } from "../holdings.js";
import { typedLine } from "../intents/intent-cards.js";

/** `price of kfi`, `kfi price`, in any of the bot's languages. */
const PRICE =
  /^(?:price|preço|preco|cotação|cotacao)(?: of| do| da| de)? (.{1,60})$|^(.{1,60}) (?:price|preço|preco|cotação|cotacao)$/i;

const says = (label: string, id: string) => button(label, buttons.token, id);
const nothingKnown = { market: undefined, price: undefined, position: undefined };

interface IssuerParts {
  readonly base: BotBase;
  readonly quoteAllowance: Allowance;
  readonly rights: RightsReader;
  readonly operator: Pick<Operator, "canList" | "requestListing">;
}

interface TokenFeatureParts extends IssuerParts {
  readonly balances: Balances;
  readonly forms: Forms;
  readonly holdings: UserHoldings;
  readonly intents: Pick<Intents, "history">;
  readonly standingOrders: Pick<StandingOrders, "exits">;
  readonly swaps: Swaps;
  readonly tokenMarket: ReadTokenMarket;
  readonly tokenPosition: ReadTokenPosition;
}

/** Shows a token when its id or name is typed without a command, or its price is asked for. */
export function tokenFeature(parts: TokenFeatureParts): Feature {
  const { base, forms, quoteAllowance, swaps, tokenMarket, tokenPosition } = parts;
  const { log, tokens } = base;
  const spoken = (ctx: BotContext, typed: string) => {
    const [, after, before] = PRICE.exec(typed.trim()) ?? [];
    const name = after ?? before;
    return name === undefined ? undefined : pasted(ctx, name);
  };

  const pasted = (ctx: BotContext, typed: string) => {
    // `$KFI`, `kfi?`
    const text = typedLine(ctx, typed.trim().replace(/^\$(?=[a-z])|\s*\?+$/gi, ""));
    try {
      const token = tokens.find(text);
      return () => showToken(ctx, token);
    } catch (error) {
      if (!isFault(error, "token-unknown", "token-ambiguous")) throw error;
      // Only a text that looks like an id or a name was meant as a token.
      if (error.parameters.ids.length === 0 && !isTokenId(text.toUpperCase())) return undefined;
      const answer = { line: text, says };
      return () => replyOrError(ctx, () => unlisted(parts, ctx, error, answer), answer);
    }
  };

  /** @throws Fault `too-often`. */
  const cardFor = async (ctx: BotContext, token: Token): Promise<Card> => {
    quoteAllowance.take(ctx.userId);
    const counter = counterOf(token, ctx.person, tokens);
    if (counter === undefined || token.kind !== "fungible") {
      const known = await issuerOf(parts, token.id, ctx);
      return tokenCard(token, tokens, { ...nothingKnown, rights: known }, [], ctx.view);
    }
    const [market, price, position, amounts, rights, exits] = await Promise.all([
      tokenMarket(token, counter),
      priceOf(token, counter, ctx),
      positionOf(token, counter, ctx),
      forms.presetsFor(ctx.userId, counter.id),
      issuerOf(parts, token.id, ctx),
      parts.standingOrders.exits(ctx.userId),
    ]);
    const exit = exits.find(({ order }) => order.request.from.id === token.id);
    const { stopPercent } = ctx.person;
    return tokenCard(token, tokens, { market, price, position, rights, exit, stopPercent }, amounts, ctx.view);
  };

  const showToken = (ctx: BotContext, token: Token) => {
    return replyOrError(ctx, () => cardFor(ctx, token), { line: token.id, says });
  };

  const priceOf = async (token: Token, to: Token, { person }: BotContext): Promise<SwapQuote | undefined> => {
    if (token.precision === undefined || to.precision === undefined) return undefined;
    const pay = amountOf(token, 10n ** BigInt(token.precision));
    const request = { kind: "swap", pay, from: token, to } as const;
    return unlessFault(
      () => swaps.compared(person, request),
      (err) => log.info({ err }, "Token shown without a quote"),
    );
  };

  const positionOf = async (token: Token, counter: Token, { person, userId }: BotContext) =>
    person.wallet && tokenPosition({ userId, person }, token, counter, await heldOf(parts, person, token));

  return {
    buttons: {
      token: answering(async (ctx, id) => {
        await pasted(ctx, id)?.();
      }),
      askToList: async (ctx, id) => {
        const asked = await catchUserError(ctx.words, () => askToList(parts, ctx, id));
        await alertOnTap(ctx, asked.ok ? asked.value : asked.card.text);
      },
      tokenNow: onToken(tokens, cardFor, editTapped),
      atPrice: onToken(tokens, (ctx, token) => atPriceFor(parts, ctx, token), replyCard),
    },
    spoken,
    pasted,
  };
}

/** Presents a card for the token that a button names, if it is still listed. */
function onToken(
  tokens: TokenList,
  make: (ctx: BotContext, token: Token) => Promise<Card>,
  present: typeof replyCard | typeof editTapped,
) {
  return async (ctx: BotContext, id: string): Promise<unknown> => {
    const made = await catchUserError(ctx.words, () => make(ctx, tokens.find(id)));
    if (!made.ok) return alertOnTap(ctx, made.card.text);
    await ctx.answerCallbackQuery();
    return present(ctx, made.value);
  };
}

/** How many trades back the amount is looked for that was paid last. */
const PAID_LOOKS_THROUGH = 20;

/** Prices to buy at with the amount that was paid last, and to sell at what is held. */
async function atPriceFor(parts: TokenFeatureParts, ctx: BotContext, token: Token): Promise<Card> {
  const { base, forms, intents, quoteAllowance, swaps } = parts;
  const { person, userId, view } = ctx;
  quoteAllowance.take(userId);
  const counter = base.tokens.named(NATIVE_TOKEN);
  const held = await heldOf(parts, person, token);
  const { items } = await intents.history(userId, 0, PAID_LOOKS_THROUGH, tradedKinds);
  const paid = items.flatMap(({ terms }) => ("amountIn" in terms ? terms.amountIn : []));
  const last = paid.find((amount) => amount.token.id === counter.id);
  const [, usual = "1"] = await forms.presetsFor(userId, counter.id);
  const side = async (pay: Amount | undefined, to: Token) => {
    if (pay === undefined || isZero(pay)) return undefined;
    const quote = await unlessFault(() => swaps.quote(person, { kind: "swap", pay, from: pay.token, to }));
    const net = quote && outputOf(quote).net;
    const now = net && pairPriceNow(pay, net);
    return now && { pay, net, now };
  };
  const buy = await side(last ?? parseAmount(usual, counter), token);
  // If balances aren't told, as much as that would bring.
  const sell = await side(held ?? buy?.net, counter);
  return atPriceCard(token, counter, { buy, sell, isHeld: held !== undefined }, view);
}

async function issuerOf(
  { base, rights }: IssuerParts,
  id: string,
  { person }: BotContext,
): Promise<TokenFacts["rights"]> {
  return { told: await rights.known(id), between: betweenBySwap(base.settings, person.wallet?.address) };
}

async function whichToken(
  { quoteAllowance, rights }: IssuerParts,
  { userId, view }: BotContext,
  { text, ids }: FaultParameters["token-ambiguous"],
): Promise<Card> {
  quoteAllowance.take(userId);
  const choices = ids.slice(0, MAX_CHOICES).map(async (id) => ({ id, told: await rights.known(id) }));
  return whichTokenCard(text, await Promise.all(choices), view);
}

/** What the node says of a token that isn't on the list. @param typed what may be its id. */
async function unlisted(parts: IssuerParts, ctx: BotContext, fault: Fault, typed: Typed): Promise<Card> {
  const id = typed.line.toUpperCase();
  if (isFault(fault, "token-ambiguous")) return whichToken(parts, ctx, fault.parameters);
  if (!isTokenId(id) || !isFault(fault, "token-unknown")) return refusal([fault], ctx.words, typed);
  parts.quoteAllowance.take(ctx.userId);
  const rights = await issuerOf(parts, id, ctx);
  if (typeof rights.told === "object") return unlistedCard(id, rights, parts.operator.canList, ctx.view);
  if (rights.told !== "no-such-token") return refusal([fault], ctx.words, typed);
  const { ids } = fault.parameters;
  return refusal([new Fault("token-nonexistent", { token: id, ids })], ctx.words, { ...typed, line: id });
}

/** @returns what the user is told. @throws Fault `too-often`. */
async function askToList(parts: IssuerParts, { userId, words }: BotContext, id: string): Promise<string> {
  const { base, operator, quoteAllowance, rights } = parts;
  if (base.tokens.byId(id) !== undefined) return words.rights.asked.listed;
  if (!operator.canList || !isIssuedId(id)) return words.common.oldButton;
  quoteAllowance.take(userId);
  const told = await rights.known(id);
  if (typeof told === "object") return words.rights.asked[await operator.requestListing(userId, issuerRightsOf(told))];
  return told === "no-such-token" ? words.rights.noSuchToken : words.rights.unreadable;
}
