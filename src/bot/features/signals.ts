import { card } from "../../cards/card.js";
import { intentCard } from "../../cards/intent.js";
import { deleteLinkCard, linksCard, newLinkCard } from "../../cards/signals.js";
import { createForm } from "../../conversations/interview.js";
import { reading } from "../../conversations/questions.js";
import { NATIVE_TOKEN } from "../../encoding/amount.js";
import { parseLinkName } from "../../services/standing/proposal-links.js";
import type { Proposals } from "../../services/standing/proposals.js";
import type { BotBase, BotContext, PersonFlavor } from "../context.js";
import { enterDialog } from "../dialogs.js";
import { type Feature, onCards } from "../feature.js";
import type { Forms } from "../forms.js";
import { alertOnTap, catchUserError, editTapped, replyCard, shownTo } from "../reply.js";

interface SignalsParts {
  readonly base: BotBase;
  readonly forms: Forms;
  readonly proposals: Proposals;
}

/** `/signals`: links by which programs propose trades, and the cards of what they propose. */
export function signalsFeature({ base, forms, proposals: { links, topic, run } }: SignalsParts): Feature {
  const { proposalUrl } = base.settings;
  const { tokens } = base;
  /** A trade to try a link with. */
  const example = () => {
    const other = tokens.all.find(({ id, kind }) => kind === "fungible" && id !== NATIVE_TOKEN);
    return `swap 1 ${NATIVE_TOKEN} ${other?.id ?? NATIVE_TOKEN}`;
  };
  const make = (whose: number | PersonFlavor, name: string) =>
    shownTo(base, whose, async ({ userId, view, words }) => {
      if (proposalUrl === undefined) return card([words.signals.noAddress]);
      const secret = await links.create(userId, name);
      return newLinkCard(name, `${proposalUrl}/propose/${secret}`, example(), view);
    });
  const form = createForm("signals.1", { ...forms, submit: make }, ({ words, askAndSubmit }) =>
    askAndSubmit({ prompt: card([words.signals.ask]), read: reading(words, parseLinkName) }, (name) => name),
  );
  const list = async ({ userId, view }: BotContext) => linksCard(await links.list(userId), view);
  const ownLink = async (ctx: BotContext, id: string) => (await links.list(ctx.userId)).find((link) => link.id === id);

  return {
    commands: {
      signals: async (ctx, typed) => {
        if (proposalUrl === undefined) return replyCard(ctx, card([ctx.words.signals.noAddress]));
        if (typed === "") return replyCard(ctx, await list(ctx));
        const read = await catchUserError(ctx.words, () => parseLinkName(typed));
        return replyCard(ctx, read.ok ? (await make(ctx, read.value)).card : read.card);
      },
    },
    buttons: {
      link: async (ctx, { action, id }) => {
        if (action === "mute") {
          const muted = await links.pause(ctx.userId, id, true);
          return alertOnTap(
            ctx,
            muted === undefined ? ctx.words.common.oldButton : ctx.words.signals.nowPaused(muted.name),
          );
        }
        await ctx.answerCallbackQuery();
        if (action === "new") return enterDialog(ctx, form);
        const asked = action === "ask" ? await ownLink(ctx, id) : undefined;
        if (asked !== undefined) return editTapped(ctx, deleteLinkCard(asked, ctx.view));
        if (action === "pause" || action === "resume") await links.pause(ctx.userId, id, action === "pause");
        if (action === "delete") await links.remove(ctx.userId, id);
        // The message with a link stays as it is: it can't be shown again.
        const { message } = ctx.callbackQuery ?? {};
        const isNew = action === "list" && message?.entities?.some(({ type }) => type === "spoiler") === true;
        return isNew ? replyCard(ctx, await list(ctx)) : editTapped(ctx, await list(ctx));
      },
    },
    forms: [form],
    topics: [onCards(base, topic, (intent, view) => intentCard(intent, view))],
    loops: [run],
  };
}
