import { card, type CardReply } from "../../cards/card.js";
import { refusal, typedBehind, unreadableLine } from "../../cards/correction.js";
import { quoteCard, shareableQuote } from "../../cards/swap.js";
import { multihopForm, quoteForm, swapForm } from "../../conversations/swap.js";
import type { Amount } from "../../encoding/amount.js";
import { plainNumbers } from "../../encoding/typed.js";
import { isFault } from "../../fault.js";
import { commandOf, requestLine } from "../../services/terms/terms.js";
import type { SwapRequest } from "../../services/terms/swap-terms.js";
import type { RightsReader } from "../../services/market/token-rights.js";
import { amountPaid, isTradeLine, readSwap } from "../../services/trade/swap-request.js";
import { readSpoken, spokenTrade, type SpokenTrade } from "../../services/trade/spoken-trade.js";
import { isParsed, type Parsed } from "../../services/base/typed-line.js";
import { linkPayload } from "../../services/base/bot-link.js";
import type { Allowance } from "../../services/base/rate.js";
import type { Balances } from "../../services/chain/query-gateway.js";
import type { Person } from "../../services/person/person.js";
import type { Swaps } from "../../services/trade/swap.js";
import { assertResalable } from "../../services/trade/trade-cost.js";
import { type BotBase, type BotContext, ownerOf, type PersonFlavor } from "../context.js";
import { enterDialog } from "../dialogs.js";
import type { Feature } from "../feature.js";
import type { Forms } from "../forms.js";
import { type IntentCards, typedLine } from "../intents/intent-cards.js";
import { shownTo, replyCard } from "../reply.js";

export interface QuoteParts {
  readonly base: BotBase;
  readonly balances: Balances;
  readonly quoteAllowance: Allowance;
  readonly rights: RightsReader;
  readonly swaps: Swaps;
}

interface SwapParts extends QuoteParts {
  readonly cards: IntentCards;
  readonly forms: Forms;
}

/** `swap 100 klv to kfi`, in any of the bot's languages: the command without its slash. */
const SWAP_LINE = /^(?:swap|trocar?)(?:\s+(.{1,200}))?$/is;

/** `/swap`, `/multihop`, and `/quote`, which also answers a trade typed without a command. */
export function swapFeature(parts: SwapParts): Feature {
  const { base, cards, forms, swaps } = parts;
  const { tokens } = forms;
  const swap = swapForm(forms);
  const multihop = multihopForm(forms);
  const quote = quoteForm({ ...forms, submit: (userId, request) => quoteFor(parts, userId, request) });
  const showQuote = async (ctx: BotContext, read: Parsed<SwapRequest>, line: string) =>
    cards.reply(ctx, await quoteFor(parts, ctx, read, line));
  const open = (ctx: BotContext, typed: string) => cards.answerCommand(ctx, swap, "swap", typed);

  const answerSpoken = (ctx: BotContext, spoken: SpokenTrade) => {
    if (spoken === "unsaid") return replyCard(ctx, card([ctx.words.swap.spokenUsage]));
    if (isFault(spoken)) return replyCard(ctx, refusal([spoken], ctx.words));
    const { command, line } = spoken;
    return command === "swap"
      ? cards.answerLine(ctx, swap, command, line)
      : cards.answerLine(ctx, multihop, command, line);
  };

  return {
    linkable: { quote: "any" },
    commands: {
      swap: open,
      multihop: (ctx, typed) => cards.answerCommand(ctx, multihop, "multihop", typed),
      quote: (ctx, typed) => {
        const line = typedLine(ctx, typed);
        const read = readSwap(line, tokens);
        return read === "incomplete" ? enterDialog(ctx, quote, line) : showQuote(ctx, read, line);
      },
    },
    inGroups: {
      quote: async (userId, typed) => {
        const owner = await ownerOf(base, userId);
        const line = plainNumbers(typed, owner.words.decimalMark);
        const read = readSwap(line, tokens);
        const payload = isParsed(read) ? linkPayload(commandOf(read).replace(/^swap/, "quote")) : undefined;
        return { ...(await quoteFor(parts, owner, read, line)), payload };
      },
    },
    spoken: (ctx, text) => {
      const [, trade] = SWAP_LINE.exec(text.trim()) ?? [];
      if (trade !== undefined) return () => open(ctx, trade);
      const { isBuy, what } = spokenTrade(text) ?? {};
      if (isBuy !== undefined && what !== undefined) {
        const spoken = readSpoken(isBuy, typedLine(ctx, what), tokens, ctx.person.recentTokens);
        if (spoken !== undefined) return () => answerSpoken(ctx, spoken);
      }
      const line = typedLine(ctx, text.trim());
      const read = readSwap(line, tokens);
      return isParsed(read) || isTradeLine(line, tokens) ? () => showQuote(ctx, read, line) : undefined;
    },
    shared: (query, { person, words, view }) => {
      const read = readSwap(plainNumbers(query.trim(), words.decimalMark), tokens);
      // A share of the user's balance would reveal the balance to others.
      if (!isParsed(read) || !("units" in read.pay)) return undefined;
      const request = { ...read, pay: read.pay };
      return async () => shareableQuote(await resalableQuote(swaps, person, request), view);
    },
    forms: [swap, multihop, quote],
  };
}

/** @throws Fault as `Swaps.compared`, and `token-royalty`. */
async function resalableQuote(swaps: Pick<Swaps, "compared">, person: Person, request: SwapRequest<Amount>) {
  const quote = await swaps.compared(person, request);
  assertResalable(quote);
  return quote;
}

/** @param line the request as it was typed, if it was. */
export function quoteFor(
  { base, balances, quoteAllowance, rights, swaps }: QuoteParts,
  whose: number | PersonFlavor,
  read: Parsed<SwapRequest>,
  line = isParsed(read) ? requestLine(read) : "",
): Promise<CardReply> {
  const typed = typedBehind("quote", line);
  const quote = async ({ userId, person, words, view }: PersonFlavor) => {
    if (!isParsed(read)) return { ok: false, card: unreadableLine(read, words, words.swap.usage("/quote"), typed) };
    const pay = await amountPaid({ balances, rights, settings: base.settings }, person, read.pay, read.from);
    quoteAllowance.take(userId);
    return quoteCard(await resalableQuote(swaps, person, { ...read, pay }), view);
  };
  return shownTo(base, whose, quote, typed);
}
