import { InputFile } from "grammy";
import type { Clock } from "../../clock.js";
import type { Intents } from "../../services/intent/intents.js";
import { createUserRateLimit } from "../../services/limits/rate.js";
import { buttons } from "../../cards/buttons.js";
import {
  feesCard,
  HISTORY_PAGE_SIZE,
  historyCard,
  repeatCard,
  historyFileHead,
  historyLines,
} from "../../cards/history.js";
import { kindsOf, type HistoryFilter } from "../../services/intent/history.js";
import type { BotContext } from "../context.js";
import type { Commands, Feature } from "../feature.js";
import { catchUserError, replyRefusal } from "../user-error.js";
import { replyCard } from "../../conversations/reply-card.js";
import { editTapped, onTap } from "../tap.js";

/** Telegram takes 50 MB; the longest line is under a kilobyte. */
const CALLS_IN_A_FILE = 10_000;

const REPEAT_LOOKS_THROUGH = 50;

export function historyFeature(parts: {
  readonly intents: Pick<Intents, "count" | "everything" | "fees" | "history">;
  readonly referralPercentage: number;
  readonly clock: Clock;
}): Feature {
  const { intents, clock } = parts;
  const allowance = createUserRateLimit({ clock, burst: 3, refillSeconds: 60 });

  const pageFor = async (ctx: BotContext, filter: HistoryFilter, page: number) => {
    const shown = await intents.history(ctx.userId, page, HISTORY_PAGE_SIZE, kindsOf(filter));
    return historyCard(shown, filter, ctx.view);
  };

  /** Read while it is sent, so that no file is ever whole in memory. */
  async function* fileFrom({ userId, view }: BotContext, first: number): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    yield encoder.encode(historyFileHead);
    let left = CALLS_IN_A_FILE;
    for await (const page of intents.everything(userId, first)) {
      const fitting = page.slice(0, left);
      yield encoder.encode(historyLines(fitting, view));
      left -= fitting.length;
      if (left === 0) return;
    }
  }

  const sendFiles = async (ctx: BotContext): Promise<void> => {
    const { history } = ctx.words;
    const allowed = await catchUserError(ctx.words, () => allowance.take(ctx.userId));
    if (!allowed.ok) return replyRefusal(ctx, allowed);
    const calls = await intents.count(ctx.userId);
    for (let first = 0; first === 0 || first < calls; first += CALLS_IN_A_FILE) {
      const file = new InputFile(() => fileFrom(ctx, first), history.fileName);
      await ctx.replyWithDocument(file, { caption: history.fileCaption });
    }
  };

  const taps = [
    onTap(buttons.history, async (ctx, { filter, page }) => editTapped(ctx, await pageFor(ctx, filter, page))),
    onTap(buttons.historyFile, sendFiles),
  ];

  const commands: Commands = {
    history: async (ctx, typed) => {
      if (/^csv$/i.test(typed.trim())) await sendFiles(ctx);
      else await replyCard(ctx, await pageFor(ctx, "all", 0));
    },
    repeat: async (ctx) => {
      const { items } = await intents.history(ctx.userId, 0, REPEAT_LOOKS_THROUGH);
      await replyCard(ctx, repeatCard(items, ctx.words));
    },
    fees: async (ctx) => {
      const paid = Object.values(await intents.fees(ctx.userId));
      await replyCard(ctx, feesCard(paid, parts.referralPercentage, ctx.view));
    },
  };

  return { name: "history", commands, buttons: taps };
}
