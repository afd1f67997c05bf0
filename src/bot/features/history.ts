import { historyForms, taxPrograms } from "../../cards/buttons.js";
import type { HistoryFilter, HistoryForm } from "../../cards/buttons.js";
import { card } from "../../cards/card.js";
import { feesNotice, HISTORY_PAGE_SIZE, historyCard } from "../../cards/history.js";
import { historyFileHead, historyLines, repeatCard } from "../../cards/history.js";
import { settingsCard } from "../../cards/settings.js";
import { receiptCard, receiptsFile, receiptsPicture } from "../../cards/receipt.js";
import { taxFileHeads, taxLines } from "../../cards/tax-file.js";
import type { Intent } from "../../services/intent/intent.js";
import type { Intents } from "../../services/intent/intent-service.js";
import { createUserRateLimit } from "../../services/base/rate.js";
import { monthOf, monthPattern, receiptOf, receiptsIn } from "../../services/history/receipt.js";
import { splitWords } from "../../services/base/typed-line.js";
import { tradedKinds } from "../../services/terms/terms.js";
import type { BotBase, BotContext } from "../context.js";
import { answering, type Feature } from "../feature.js";
import { catchUserError, editTapped, replyFile, showPicture, replyCard } from "../reply.js";

/** Telegram accepts files of up to 50 MB; the longest line is under a kilobyte. */
const CALLS_IN_A_FILE = 10_000;
const REPEAT_LOOKS_THROUGH = 50;
/** Number of recent trades to search for one with a receipt. */
const RECEIPT_LOOKS_THROUGH = 20;

interface HistoryParts {
  readonly base: BotBase;
  readonly intents: Intents;
}

function showReceipt(ctx: BotContext, found: readonly Intent[], otherwise = ctx.words.receipt.none) {
  const receipts = found.map((intent) => receiptOf(intent, ctx.view.returnDataEncoding));
  const receipt = receipts.find((each) => typeof each === "object");
  return replyCard(ctx, receipt === undefined ? card([otherwise]) : receiptCard(receipt, ctx.view));
}

/** The month that `/receipt` is asked for; undefined for the last trade. */
function receiptMonth(typed: string, now: number): string | undefined {
  const words = splitWords(typed);
  const rest = words.filter((word) => !/^(?:csv|month|m[eê]s)$/i.test(word));
  const month = rest[0] ?? monthOf(now);
  if (rest.length > 1 || !monthPattern.test(month)) return "unreadable";
  return words.length > 0 ? month : undefined;
}

/** `/history`, `/repeat`, `/fees`, and `/receipt`: the last trade, or a month's, compared with quote and pools. */
export function historyFeature({ base, intents }: HistoryParts): Feature {
  const { clock, log, settings, store } = base;
  const fileAllowance = createUserRateLimit({ clock, burst: 3, refillSeconds: 60 });
  const monthAllowance = createUserRateLimit({ clock, burst: 10, refillSeconds: 10 });

  const pageFor = async (ctx: BotContext, filter: HistoryFilter, page: number) => {
    // Locks are listed with their unlocks.
    const kinds = filter === "all" ? undefined : filter === "lock" ? (["lock", "unlock"] as const) : [filter];
    const shown = await intents.history(ctx.userId, page, HISTORY_PAGE_SIZE, kinds);
    return historyCard(shown, filter, ctx.view);
  };

  const sendFiles = async (ctx: BotContext, form: HistoryForm): Promise<void> => {
    const words = ctx.words.history;
    const allowed = await catchUserError(ctx.words, () => fileAllowance.take(ctx.userId));
    if (!allowed.ok) return void (await replyCard(ctx, allowed.card));
    const [name, caption] =
      form === "csv" ? [words.fileName, words.fileCaption] : [`${form}.csv`, words.taxCaption(taxPrograms[form])];
    const calls = await intents.count(ctx.userId);
    /** By the file: one that is sent again is read again. */
    const leftOut = new Map<number, LeftOut>();
    for (let first = 0; first === 0 || first < calls; first += CALLS_IN_A_FILE) {
      const note = (counts: LeftOut) => leftOut.set(first, counts);
      await replyFile(ctx, () => fileFrom(intents, ctx, first, form, note), name, caption);
    }
    const sumOf = (of: keyof LeftOut) => [...leftOut.values()].reduce((sum, counts) => sum + counts[of], 0);
    const [missing, keeping] = [sumOf("missing"), sumOf("keeping")];
    const told = [missing > 0 && words.leftOut(missing), keeping > 0 && words.keptOnTheWay(keeping)];
    if (missing + keeping > 0) await replyCard(ctx, card(told));
  };

  const showMonth = async (ctx: BotContext, month: string, as: "card" | "csv"): Promise<unknown> => {
    const allowed = await catchUserError(ctx.words, () => monthAllowance.take(ctx.userId));
    if (!allowed.ok) return replyCard(ctx, allowed.card);
    const receipts = await receiptsIn(store.db, ctx.userId, month, ctx.view.returnDataEncoding);
    if (as === "card") return showPicture(ctx, receiptsPicture(month, receipts, ctx.view), log);
    return replyFile(ctx, receiptsFile(receipts), `${month}.csv`, ctx.words.receipt.fileCaption(month));
  };

  const fees = async (ctx: BotContext): Promise<void> => {
    const paid = Object.values(await intents.fees(ctx.userId));
    const notice = [feesNotice(paid, settings.referralPercentage, ctx.view), ""];
    await replyCard(ctx, settingsCard(ctx.person, settings, notice));
  };

  return {
    commands: {
      history: async (ctx, typed) => {
        const form = formIn(typed);
        return form === undefined ? replyCard(ctx, await pageFor(ctx, "all", 0)) : sendFiles(ctx, form);
      },
    },
    unlisted: {
      repeat: async (ctx) => {
        const { items } = await intents.history(ctx.userId, 0, REPEAT_LOOKS_THROUGH);
        await replyCard(ctx, repeatCard(items, ctx.view));
      },
      fees,
      referral: fees,
      receipt: async (ctx, typed) => {
        const month = receiptMonth(typed, clock.now());
        if (month === "unreadable") return replyCard(ctx, card([ctx.words.receipt.usage]));
        if (month !== undefined) return showMonth(ctx, month, /\bcsv\b/i.test(typed) ? "csv" : "card");
        const { items } = await intents.history(ctx.userId, 0, RECEIPT_LOOKS_THROUGH, tradedKinds);
        return showReceipt(ctx, items, items.length === 0 ? ctx.words.history.empty : undefined);
      },
    },
    buttons: {
      history: answering(async (ctx, { filter, page }) => editTapped(ctx, await pageFor(ctx, filter, page))),
      historyFile: answering(sendFiles),
      receipt: answering(async (ctx, id) => {
        const intent = await intents.find(ctx.userId, id);
        await showReceipt(ctx, intent === undefined ? [] : [intent]);
      }),
      receipts: answering((ctx, { month, as }) => showMonth(ctx, month, as)),
    },
  };
}

/** Of `csv koinly`, the last says which file. */
function formIn(typed: string): HistoryForm | undefined {
  const forms = splitWords(typed.toLowerCase()).map((word) => historyForms.find((form) => form === word));
  return forms.includes(undefined) ? undefined : forms.at(-1);
}

/** Of a tax program's file: trades that aren't in it, and those that left some of a token on the way in the account. */
type LeftOut = Readonly<Record<"keeping" | "missing", number>>;

/** Read while it is sent, so that the whole file is never in memory. @param note called with the trades left out. */
async function* fileFrom(
  intents: Intents,
  { userId, view }: BotContext,
  first: number,
  form: HistoryForm,
  note: (leftOut: LeftOut) => void,
) {
  yield Buffer.from(form === "csv" ? historyFileHead : taxFileHeads[form]);
  const counts = { missing: 0, keeping: 0 };
  for await (const lot of intents.everything(userId, first, CALLS_IN_A_FILE)) {
    const { text, leftOut, keeping } =
      form === "csv" ? { text: historyLines(lot, view), leftOut: 0, keeping: 0 } : taxLines(form, lot, view);
    counts.missing += leftOut;
    counts.keeping += keeping;
    yield Buffer.from(text);
  }
  note(counts);
}
