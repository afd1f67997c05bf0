import { card, type Card } from "../../cards/card.js";
import { laterCard, laterLines } from "../../cards/settings.js";
import { addressesCard } from "../../cards/addresses.js";
import { changeWalletCard, KEEP, pastedAddressCard, walletCard } from "../../cards/account.js";
import { createForm } from "../../conversations/interview.js";
import { walletQuestion } from "../../conversations/questions.js";
import { ADDRESS_LIKE, type Address, parseAccountAddress } from "../../encoding/address.js";
import type { Arrivals } from "../../services/alerts/arrivals.js";
import type { Delays } from "../../services/operator/delays.js";
import { laterOf } from "../../services/person/person.js";
import { changeWallet, offerWallet, saveWallet, walletMark } from "../../services/person/wallet-address.js";
import { type BotBase, type BotContext, viewOf } from "../context.js";
import { enterDialog } from "../dialogs.js";
import type { Feature } from "../feature.js";
import type { Forms } from "../forms.js";
import { cardList, type ShownCards } from "../intents/shown-cards.js";
import { alertOnTap, catchUserError, editTapped, replyOrError, shownTo, replyCard } from "../reply.js";
import type { StandingOrders } from "../../services/standing/standing-orders.js";
import { isTrade } from "../../services/terms/terms.js";

interface WalletParts {
  readonly arrivals: Pick<Arrivals, "follow">;
  readonly base: BotBase;
  readonly delays: Delays;
  readonly forms: Forms;
  readonly shownCards: ShownCards;
  readonly standingOrders: Pick<StandingOrders, "look">;
}

/** In any of the bot's languages. */
const DEPOSIT = /^(?:deposit|withdraw(?:al)?|dep[oó]sit(?:o|ar)|saque|sacar|retirar)$/i;

export function walletFeature(parts: WalletParts): Feature {
  const { base, forms } = parts;
  const { store } = base;
  const submit = (userId: number, address: Address) => shownTo(base, userId, () => savedCard(base, userId, address));
  const form = createForm("wallet.1", { ...forms, submit }, ({ words, askAndSubmit }) =>
    askAndSubmit(walletQuestion(words), (address) => address),
  );
  const save = (ctx: BotContext, typed: string) => replyOrError(ctx, () => savedCard(base, ctx.userId, typed));
  const show = async (ctx: BotContext) => {
    const { wallet } = ctx.person;
    if (wallet === undefined) return enterDialog(ctx, form);
    const later = laterOf(ctx.person, "wallet");
    return replyCard(ctx, walletCard(ctx.view, wallet, [later && [laterLines(later, ctx.view), ""]]));
  };

  return {
    commands: {
      wallet: (ctx, typed) => (typed === "" ? show(ctx) : save(ctx, typed)),
    },
    buttons: {
      useAddress: async (ctx, mark) => {
        const { offeredWallet } = ctx.person;
        const isOld = offeredWallet === undefined || walletMark(offeredWallet) !== mark;
        if (isOld) return alertOnTap(ctx, ctx.words.common.oldButton);
        await ctx.answerCallbackQuery();
        return save(ctx, offeredWallet);
      },
      wallet: async (ctx, mark) => {
        if (mark === KEEP) {
          await offerWallet(store, ctx.userId);
          await ctx.answerCallbackQuery();
          return editTapped(ctx, card([ctx.words.wallet.kept]));
        }
        const changed = await catchUserError(ctx.words, () => changedCard(parts, ctx.userId, mark));
        if (!changed.ok) return alertOnTap(ctx, changed.card.text);
        if (changed.value === undefined) return alertOnTap(ctx, ctx.words.common.oldButton);
        await ctx.answerCallbackQuery();
        // A new message notifies the user, so that nobody's address changes unnoticed.
        await ctx.editMessageReplyMarkup();
        return replyCard(ctx, changed.value);
      },
    },
    // Nothing is ever deposited here: the card says whose the address is.
    spoken: (ctx, text) => (DEPOSIT.test(text.trim()) ? () => show(ctx) : undefined),
    pasted: (ctx, text) => (ADDRESS_LIKE.test(text) ? () => answerAddress(base, ctx, text) : undefined),
    forms: [form],
  };
}

async function answerAddress({ store }: BotBase, ctx: BotContext, text: string): Promise<unknown> {
  const read = await catchUserError(ctx.words, () => parseAccountAddress(text));
  if (!read.ok) return replyCard(ctx, read.card);
  const { wallet } = ctx.person;
  if (read.value === wallet?.address) return replyCard(ctx, walletCard(ctx.view, wallet));
  const isWatched = ctx.person.watchOnly?.some(({ address }) => address === read.value) === true;
  if (isWatched) return replyCard(ctx, addressesCard(ctx.person, ctx.words));
  await offerWallet(store, ctx.userId, read.value);
  return replyCard(ctx, pastedAddressCard(ctx.words, read.value, wallet !== undefined));
}

/** @throws Fault `address-…`, `frozen`. */
async function savedCard(base: BotBase, userId: number, text: string): Promise<Card> {
  const named = await saveWallet(base, userId, text);
  const view = viewOf(named.person, base);
  return named.kind === "offered"
    ? changeWalletCard(view.words, named.before, named.address)
    : walletCard(view, named.wallet, [view.words.settings.saved, ""]);
}

/** @returns undefined for an old button. @throws Fault `frozen`. */
async function changedCard(parts: WalletParts, userId: number, mark: string): Promise<Card | undefined> {
  const { arrivals, base, delays, shownCards, standingOrders } = parts;
  const changed = await changeWallet(base, userId, mark);
  if (changed === undefined) return undefined;
  const { person, before, later } = changed;
  const view = viewOf(person, base);
  if (base.settings.guardDelaySeconds > 0 || person.wallet === undefined) {
    await delays.note(userId);
    return laterCard(later, view);
  }
  const closed = await shownCards.closeOpen(userId);
  await shownCards.showClosed(closed);
  await standingOrders.look(userId);
  await arrivals.follow(userId);
  const { words } = view;
  const areQuotes = closed.cancelled.every(({ terms }) => isTrade(terms));
  const canceled = areQuotes ? words.wallet.quotesCanceled : words.wallet.requestsCanceled;
  return walletCard(view, person.wallet, [
    words.wallet.changed(before),
    closed.cancelled.length > 0 && canceled(closed.cancelled.length),
    cardList(words.common.cardsClosing, closed.closing, view),
    "",
  ]);
}
