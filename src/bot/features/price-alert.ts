import { figure } from "../../cards/amount.js";
import type { AlertAction } from "../../cards/buttons.js";
import { card } from "../../cards/card.js";
import { typedBehind, unreadableLine } from "../../cards/correction.js";
import { alertCard, alertsCard, priceNewsCard, toldAlertCard, toldAlertsCard } from "../../cards/price-alert.js";
import { createForm } from "../../conversations/interview.js";
import { pick, readingLine, tokenQuestion } from "../../conversations/questions.js";
import { NATIVE_TOKEN } from "../../encoding/amount.js";
import { parseAmount } from "../../encoding/typed.js";
import { type AlertRequest, headOf, readAlert } from "../../services/alerts/price-alert-request.js";
import { missingPriceTopic } from "../../services/alerts/alerts-without-price.js";
import { type PriceAlerts, priceAlertTopic } from "../../services/alerts/price-alerts.js";
import { isParsed } from "../../services/base/typed-line.js";
import type { Allowance } from "../../services/base/rate.js";
import type { BotBase, BotContext, PersonFlavor } from "../context.js";
import { enterDialog } from "../dialogs.js";
import { answering, type Feature, onCards } from "../feature.js";
import type { Forms } from "../forms.js";
import { typedLine } from "../intents/intent-cards.js";
import { editTapped, replyOrError, shownTo, replyCard } from "../reply.js";

const OFFERED = ["5%", "10%", "20%"];

interface PriceAlertFeatureParts {
  readonly base: BotBase;
  readonly forms: Forms;
  readonly priceAlerts: PriceAlerts;
  readonly quoteAllowance: Allowance;
}

/** `/alert`, `/alerts`, and the buttons of their cards. */
export function priceAlertFeature({ base, forms, priceAlerts, quoteAllowance }: PriceAlertFeatureParts): Feature {
  /** The first of the user's quick amounts that is enough. */
  const defaultAmount = async (userId: number, asked: Omit<AlertRequest, "amount">) => {
    const [first = "1", ...others] = await forms.presetsFor(userId, asked.token.id);
    const amountOf = (preset: string) => parseAmount(preset, asked.token);
    return priceAlerts.enough(asked, [amountOf(first), ...others.map(amountOf)]);
  };
  const set = async ({ userId, view }: PersonFlavor, { amount: stated, ...asked }: AlertRequest, id?: string) => {
    quoteAllowance.take(userId);
    const amount = stated ?? (await defaultAmount(userId, asked));
    return alertCard(await priceAlerts.set(userId, { ...asked, amount }, id), view);
  };
  const submit = (userId: number, { id, ...asked }: AlertRequest & { readonly id: string | undefined }) =>
    shownTo(base, userId, (owner) => set(owner, asked, id));
  /** Asks for the pair, unless `line` has it, and for the condition. With `id`, changes that alert. */
  const form = createForm("alert.1", { ...forms, submit }, async (interview, line: string = "", id?: string) => {
    const { words, tokens, ask, askAndSubmit } = interview;
    let head = line;
    if (head === "") {
      const market = await interview.market();
      const token = await ask(tokenQuestion(interview, words.priceAlert.askToken, { market }));
      const asksOther = tokenQuestion(interview, words.priceAlert.askOther(token.id), { market, other: token });
      head = `${token.id} ${token.id === NATIVE_TOKEN ? (await ask(asksOther)).id : NATIVE_TOKEN}`;
    }
    const asked = words.priceAlert.askRule(
      head.replace(/^[0-9]+(?:\.[0-9]+)?(?=\s)/, (amount) => figure(amount, words)),
    );
    const read = readingLine(words, asked, (text) => readAlert(`${head} ${text}`, tokens));
    const prompt = card([asked], [OFFERED.map((answer) => pick(answer))]);
    return askAndSubmit({ hasNumbers: true, prompt, read }, (request) => ({ ...request, id }));
  });
  const listFor = async ({ userId, view }: BotContext, page: number) =>
    alertsCard(await priceAlerts.list(userId), page, view);

  const act: Readonly<Partial<Record<AlertAction, (userId: number, id: string) => Promise<void>>>> = {
    pause: (userId, id) => priceAlerts.pause(userId, id, true),
    resume: (userId, id) => priceAlerts.pause(userId, id, false),
    hold: (userId, id) => priceAlerts.comeInQuietHours(userId, id, false),
    through: (userId, id) => priceAlerts.comeInQuietHours(userId, id, true),
    delete: (userId, id) => priceAlerts.remove(userId, id),
  };

  return {
    commands: {
      alert: async (ctx, typed) => {
        const line = typedLine(ctx, typed);
        const read = readAlert(line, forms.tokens);
        if (read === "incomplete") return enterDialog(ctx, form, line);
        if (isParsed(read)) return replyOrError(ctx, () => set(ctx, read));
        const { usage } = ctx.words.priceAlert;
        return replyCard(ctx, unreadableLine(read, ctx.words, usage, typedBehind("alert", line)));
      },
      alerts: async (ctx) => replyCard(ctx, await listFor(ctx, 0)),
    },
    // The bot asks for the price itself.
    linkable: { alert: "names" },
    buttons: {
      priceAlertsPage: answering(async (ctx, page) => editTapped(ctx, await listFor(ctx, page))),
      priceAlert: answering(async (ctx, { action, id }) => {
        await act[action]?.(ctx.userId, id);
        const alert = await priceAlerts.find(ctx.userId, id);
        // If the alert is gone, show the list.
        if (alert === undefined) return editTapped(ctx, await listFor(ctx, 0));
        if (action === "edit") return enterDialog(ctx, form, headOf(alert), id);
        const shown = alertCard(alert, ctx.view);
        return action === "show" ? replyCard(ctx, shown) : editTapped(ctx, shown);
      }),
    },
    forms: [form],
    topics: [
      onCards(base, priceAlertTopic, toldAlertCard, toldAlertsCard),
      onCards(base, missingPriceTopic(base), priceNewsCard),
    ],
    onUserReturned: priceAlerts.wake,
    loops: [priceAlerts.run],
  };
}
