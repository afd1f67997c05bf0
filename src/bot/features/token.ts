import { button, buttons } from "../../cards/buttons.js";
import { refusal } from "../../cards/correction.js";
import { tokenCard } from "../../cards/token.js";
import { replyCard } from "../reply.js";
import { amountOf, isTokenId, type Token } from "../../encoding/amount.js";
import { isFault, unlessFault } from "../../fault.js";
import type { Allowance } from "../../services/base/rate.js";
import type { Pools } from "../../services/market/pools.js";
import type { SwapQuote, Swaps } from "../../services/trade/swap.js";
import { counterOf } from "../../services/market/token-list.js";
import type { BotBase, BotContext } from "../context.js";
import { answering, type Feature } from "../feature.js";
import type { Forms } from "../forms.js";
import { typedLine } from "../intents/intent-cards.js";

const POOLS_MAX_AGE_MS = 30_000;

/** `price of kfi`, `kfi price`, in any of the bot's languages. */
const PRICE =
  /^(?:price|preço|preco|cotação|cotacao)(?: of| do| da| de)? (.{1,60})$|^(.{1,60}) (?:price|preço|preco|cotação|cotacao)$/i;

interface TokenFeatureParts {
  readonly base: BotBase;
  readonly forms: Forms;
  readonly pools: Pools;
  readonly quoteAllowance: Allowance;
  readonly swaps: Swaps;
}

/** Shows a token when its id or name is typed without a command, or its price is asked for. */
export function tokenFeature({ base, forms, pools, quoteAllowance, swaps }: TokenFeatureParts): Feature {
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
      return () => replyCard(ctx, refusal([error], ctx.words, answer));
    }
  };

  const showToken = async (ctx: BotContext, token: Token) => {
    const [graph, price] = await Promise.all([ifTold(() => pools.fresh(POOLS_MAX_AGE_MS)), priceOf(token, ctx)]);
    const ids = price === undefined ? [] : [token.id, price.quotedOut.token.id];
    const [own = [], other = []] = await Promise.all(ids.map((id) => forms.presetsFor(ctx.userId, id)));
    await replyCard(ctx, tokenCard(token, tokens, { pools: graph?.pools(), price }, { own, other }, ctx.view));
  };

  const priceOf = async (token: Token, { person, userId }: BotContext): Promise<SwapQuote | undefined> => {
    const to = counterOf(token, person, tokens);
    if (token.kind !== "fungible" || token.precision === undefined || to?.precision === undefined) return undefined;
    const pay = amountOf(token, 10n ** BigInt(token.precision));
    return ifTold(async () => {
      quoteAllowance.take(userId);
      return swaps.compared(person, { kind: "swap", pay, from: token, to });
    });
  };

  const ifTold = <Value>(read: () => Promise<Value>) =>
    unlessFault(read, (err) => log.info({ err }, "Token shown with partial data"));

  return {
    buttons: {
      token: answering(async (ctx, id) => {
        const token = tokens.byId(id);
        if (token !== undefined) await showToken(ctx, token);
      }),
    },
    spoken,
    pasted,
  };
}
