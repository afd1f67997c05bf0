import { button, buttons } from "../../cards/buttons.js";
import type { Card } from "../../cards/card.js";
import { refusal, type Typed } from "../../cards/correction.js";
import { MAX_CHOICES, tokenCard, unlistedCard, whichTokenCard, type TokenFacts } from "../../cards/token.js";
import { replyOrError } from "../reply.js";
import { amountOf, isTokenId, type Token } from "../../encoding/amount.js";
import { Fault, type FaultParameters, isFault, unlessFault } from "../../fault.js";
import type { Allowance } from "../../services/base/rate.js";
import type { Balances } from "../../services/chain/query-gateway.js";
import type { ReadTokenMarket } from "../../services/history/token-market.js";
import type { ReadTokenPosition } from "../../services/history/token-position.js";
import type { RightsReader } from "../../services/market/token-rights.js";
import type { SwapQuote, Swaps } from "../../services/trade/swap.js";
import { counterOf } from "../../services/market/token-list.js";
import type { BotBase, BotContext } from "../context.js";
import { answering, type Feature } from "../feature.js";
import type { Forms } from "../forms.js";
import type { UserHoldings } from "../holdings.js";
import { typedLine } from "../intents/intent-cards.js";

/** `price of kfi`, `kfi price`, in any of the bot's languages. */
const PRICE =
  /^(?:price|preço|preco|cotação|cotacao)(?: of| do| da| de)? (.{1,60})$|^(.{1,60}) (?:price|preço|preco|cotação|cotacao)$/i;

const nothingKnown = { market: undefined, price: undefined, position: undefined };

interface IssuerParts {
  readonly base: BotBase;
  readonly quoteAllowance: Allowance;
  readonly rights: RightsReader;
}

interface TokenFeatureParts extends IssuerParts {
  readonly balances: Balances;
  readonly forms: Forms;
  readonly holdings: UserHoldings;
  readonly swaps: Swaps;
  readonly tokenMarket: ReadTokenMarket;
  readonly tokenPosition: ReadTokenPosition;
}

/** Shows a token when its id or name is typed without a command, or its price is asked for. */
export function tokenFeature(parts: TokenFeatureParts): Feature {
  const { base, balances, forms, holdings, quoteAllowance, swaps, tokenMarket, tokenPosition } = parts;
  const { log, tokens } = base;
  const spoken = (ctx: BotContext, typed: string) => {
    const [, after, before] = PRICE.exec(typed.trim()) ?? [];
    const name = after ?? before;
    return name === undefined ? undefined : pasted(ctx, name);
  };

  const pasted = (ctx: BotContext, typed: string) => {
    const text = typedLine(ctx, typed.trim());
    try {
      const token = tokens.find(text);
      return () => showToken(ctx, token);
    } catch (error) {
      if (!isFault(error, "token-unknown", "token-ambiguous")) throw error;
      // Only a text that looks like an id or a name was meant as a token.
      if (error.parameters.ids.length === 0 && !isTokenId(text.toUpperCase())) return undefined;
      const answer = { line: text, says: (label: string, id: string) => button(label, buttons.token, id) };
      return () => replyOrError(ctx, () => unlisted(parts, ctx, error, answer), answer);
    }
  };

  const showToken = (ctx: BotContext, token: Token) => {
    const again = { line: token.id, says: (label: string, id: string) => button(label, buttons.token, id) };
    return replyOrError(
      ctx,
      async () => {
        quoteAllowance.take(ctx.userId);
        const counter = counterOf(token, ctx.person, tokens);
        if (counter === undefined || token.kind !== "fungible") {
          const known = await issuerOf(parts, token.id, ctx);
          return tokenCard(token, tokens, { ...nothingKnown, rights: known }, [], ctx.view);
        }
        const [market, price, position, amounts, known] = await Promise.all([
          tokenMarket(token, counter),
          priceOf(token, counter, ctx),
          positionOf(token, counter, ctx),
          forms.presetsFor(ctx.userId, counter.id),
          issuerOf(parts, token.id, ctx),
        ]);
        return tokenCard(token, tokens, { market, price, position, rights: known }, amounts, ctx.view);
      },
      again,
    );
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

  const positionOf = async (token: Token, counter: Token, { person, userId }: BotContext) => {
    const { wallet } = person;
    if (wallet === undefined) return undefined;
    const held = holdings.areTold(person) ? await balances.known(wallet.address, [token.id]) : undefined;
    const units = held?.[token.id];
    return tokenPosition({ userId, person }, token, counter, units === undefined ? undefined : amountOf(token, units));
  };

  return {
    buttons: {
      token: answering(async (ctx, id) => {
        await pasted(ctx, id)?.();
      }),
    },
    spoken,
    pasted,
  };
}

async function issuerOf(
  { base, rights }: IssuerParts,
  id: string,
  { person }: BotContext,
): Promise<TokenFacts["rights"]> {
  const { referralContract, routerContract } = base.settings;
  const between = { contracts: [referralContract, routerContract], account: person.wallet?.address };
  return { told: await rights.known(id), between };
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
  if (typeof rights.told === "object") return unlistedCard(id, rights, ctx.view);
  if (rights.told !== "no-such-token") return refusal([fault], ctx.words, typed);
  const { ids } = fault.parameters;
  return refusal([new Fault("token-nonexistent", { token: id, ids })], ctx.words, { ...typed, line: id });
}
