import { Composer } from "grammy";
import { buttons } from "../../cards/buttons.js";
import { button } from "../../cards/card.js";
import { refusal } from "../../cards/mends.js";
import { tokenCard } from "../../cards/token.js";
import { pastedAddressCard, walletCard } from "../../cards/wallet.js";
import { ADDRESS_LIKE, parseAccountAddress } from "../../encoding/address.js";
import { amountOf } from "../../encoding/amount.js";
import { plainNumbers } from "../../encoding/typed.js";
import { isTokenId } from "../../encoding/asset.js";
import type { Token } from "../../encoding/token.js";
import { isFault, unlessFault } from "../../fault.js";
import type { Person } from "../../services/person/person.js";
import { changePerson } from "../../services/person/people.js";
import type { SwapQuote } from "../../services/swap/referral-swap.js";
import { readSwap } from "../../services/swap/request.js";
import type { BotContext } from "../context.js";
import type { Feature } from "../feature.js";
import { answerCommand, replyOpened, type OpenCardParts } from "../intents/open.js";
import { orSentence, replyRefusal } from "../or-sentence.js";
import { replyCard } from "../../conversations/reply-card.js";
import { onTap } from "../tap.js";
import { comparedQuote, quoteFor } from "./swap.js";
import { isRead } from "../../services/text/line.js";
import type { SaveParts } from "./wallet.js";

/** `swap 100 klv to kfi`, in any of the bot's languages: what a command would be without its slash. */
const SWAP_LINE = /^(?:swap|trocar?)(?:\s+(.{1,200}))?$/is;
/** How old the reserves on a token's card may be, in milliseconds. */
const POOLS_MAX_AGE_MILLISECONDS = 30_000;
/** What prices are given in, where it is listed. */
const NATIVE_TOKEN = "KLV";

/**
 * What is written without a command: a token's id or name opens the token, an address is offered as payout address, a trade
 * (`100 KLV KFI`) gets its price.
 */
export function pastedFeature(parts: SaveParts & OpenCardParts): Feature {
  const composer = new Composer<BotContext>();

  composer.hears(ADDRESS_LIKE, async (ctx) => {
    const read = await orSentence(ctx.words, () => parseAccountAddress(ctx.message?.text ?? ""));
    const { wallet } = ctx.person;
    if (!read.ok) await replyRefusal(ctx, read);
    else if (read.value === wallet?.address) await replyCard(ctx, walletCard(ctx.view, wallet));
    else {
      // Kept until they ask for it as payout address, or for another one.
      await changePerson(parts.store, ctx.userId, (person) => ({ ...person, offeredWallet: read.value }));
      await replyCard(ctx, pastedAddressCard(ctx.words, read.value, wallet !== undefined));
    }
  });

  composer.on("message:text", async (ctx, next) => {
    const text = plainNumbers(ctx.message.text.trim(), ctx.words.decimalMark);
    const [, trade] = SWAP_LINE.exec(text) ?? [];
    if (trade !== undefined) return answerCommand(parts, Object.assign(ctx, { match: trade }), "swap");
    const read = readSwap(text, parts.tokens);
    if (isRead(read)) {
      return replyOpened(parts, ctx, await quoteFor(parts, ctx.userId, read, text));
    }
    try {
      await showToken(ctx, parts.tokens.find(text));
    } catch (error) {
      if (!isFault(error, "token-unknown", "token-ambiguous")) throw error;
      // Only what looks like an id or a name was meant as a token.
      if (error.parameters.ids.length === 0 && !isTokenId(text.toUpperCase())) return next();
      const says = (label: string, id: string) => button(label, buttons.token, id);
      await replyRefusal(ctx, refusal([error], ctx.words, { line: text, says }));
    }
  });

  const taps = [
    onTap(buttons.token, async (ctx, id) => {
      const token = parts.tokens.byId(id);
      if (token !== undefined) await showToken(ctx, token);
    }),
  ];

  const showToken = async (ctx: BotContext, token: Token) => {
    const [pools, price] = await Promise.all([
      ifTold(async () => (await parts.pools.fresh(POOLS_MAX_AGE_MILLISECONDS)).pools()),
      priceOf(token, ctx),
    ]);
    await replyCard(ctx, tokenCard(token, parts.tokens, { pools, price }, ctx.person.presets, ctx.view));
  };

  /** What one whole token is quoted at; undefined where there is no quote. */
  const priceOf = async (token: Token, { person, userId }: BotContext): Promise<SwapQuote | undefined> => {
    const other = counterpartOf(token, person);
    if (other === undefined || token.precision === undefined || other.precision === undefined) return undefined;
    const pay = amountOf(token, 10n ** BigInt(token.precision));
    return ifTold(async () => {
      parts.quoteAllowance.take(userId);
      return comparedQuote(parts, person, { kind: "swap", pay, from: token, to: other });
    });
  };

  /** What a token is bought with: the native one, or for the native one the other token used last. */
  const counterpartOf = (token: Token, { recentTokens }: Person): Token | undefined => {
    const isTradedFor = (other?: Token) => other?.kind === "fungible" && other.id !== token.id;
    const ids = [NATIVE_TOKEN, ...recentTokens, ...parts.tokens.all.map(({ id }) => id)];
    return token.kind === "fungible" ? ids.map((id) => parts.tokens.byId(id)).find(isTradedFor) : undefined;
  };

  const ifTold = <Value>(read: () => Promise<Value>) =>
    unlessFault(read, (err) => parts.log.info({ err }, "A token is shown without all that there is to know"));

  return { taps, other: composer };
}
