import { InputFile } from "grammy";
import { buttons } from "../../cards/buttons.js";
import { feesCard, HISTORY_PAGE_SIZE, historyCard, repeatCard } from "../../cards/history.js";
import { historyFileHead, historyLines } from "../../cards/history-file.js";
import type { Amount } from "../../encoding/amount.js";
import { isShownBy, type HistoryFilter } from "../../model/history-filter.js";
import type { Intent } from "../../model/intent.js";
import { withFeesOf } from "../../services/swap/referral-swap.js";
import type { BotContext, Parts } from "../context.js";
import type { Commands, Feature } from "../feature.js";
import { orSentence, replyRefusal } from "../or-sentence.js";
import { replyCard } from "../../conversations/reply-card.js";
import { editTapped, onTap } from "../tap.js";

/**
 * So many lots of calls are in one file at most. Telegram takes 50 MB, a line of the longest words has less than a kilobyte, and
 * the lots of earlier versions hold a hundred calls.
 */
const LOTS_IN_A_FILE = 400;

/** How many of the newest intents `/repeat` looks through. */
const REPEAT_LOOKS_THROUGH = 50;

/** `/history` with its pages and as a file, `/fees`, and `/repeat`: the last trades as buttons, each of which opens a new card. */
export function historyFeature(parts: Pick<Parts, "fileAllowance" | "intents" | "settings">): Feature {
  const pageFor = async (ctx: BotContext, filter: HistoryFilter, page: number) => {
    const isShown = ({ terms }: Intent) => isShownBy(filter, terms.kind);
    const shown = await parts.intents.history(ctx.userId, page, HISTORY_PAGE_SIZE, isShown);
    return historyCard(shown, filter, ctx.view);
  };

  /** Some lots of the history as the file's bytes. They are read as they leave, so that no file is ever whole in memory. */
  async function* fileFrom({ userId, view }: BotContext, first: number): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    yield encoder.encode(historyFileHead);
    let lots = 0;
    for await (const intents of parts.intents.everything(userId, first)) {
      yield encoder.encode(historyLines(intents, view));
      lots += 1;
      if (lots === LOTS_IN_A_FILE) return;
    }
  }

  const sendFiles = async (ctx: BotContext): Promise<void> => {
    const { history } = ctx.words;
    const allowed = await orSentence(ctx.words, () => parts.fileAllowance.take(ctx.userId));
    if (!allowed.ok) return replyRefusal(ctx, allowed);
    for (let first = 0; first <= (ctx.person.ledgerParts ?? 0); first += LOTS_IN_A_FILE) {
      const file = new InputFile(() => fileFrom(ctx, first), history.fileName);
      await ctx.replyWithDocument(file, { caption: history.fileCaption });
    }
  };

  const taps = [
    onTap(buttons.history, async (ctx, { filter, page }) => editTapped(ctx, await pageFor(ctx, filter, page))),
    onTap(buttons.historyFile, sendFiles),
  ];

  const commands: Commands = {
    history: async (ctx) => {
      if (/^csv$/i.test(ctx.match.trim())) await sendFiles(ctx);
      else await replyCard(ctx, await pageFor(ctx, "all", 0));
    },
    repeat: async (ctx) => {
      const { items } = await parts.intents.history(ctx.userId, 0, REPEAT_LOOKS_THROUGH);
      await replyCard(ctx, repeatCard(items, ctx.words));
    },
    fees: async (ctx) => {
      let paid: ReadonlyMap<string, Amount> = new Map();
      for await (const intents of parts.intents.everything(ctx.userId)) {
        paid = withFeesOf(intents, parts.settings.returnDataEncoding, paid);
      }
      await replyCard(ctx, feesCard([...paid.values()], parts.settings.referralPercentage, ctx.view));
    },
  };

  return { commands, taps };
}
