import { card, type Card } from "../../cards/card.js";
import { laterCard, laterLines } from "../../cards/settings.js";
import { changeWalletCard, KEEP, pastedAddressCard, walletCard, walletMark } from "../../cards/account.js";
import { createForm } from "../../conversations/interview.js";
import { walletQuestion } from "../../conversations/questions.js";
import { replyCard } from "../../conversations/reply-card.js";
import { ADDRESS_LIKE, type Address, parseAccountAddress } from "../../encoding/address.js";
import type { Delays } from "../../services/operator/delays.js";
import type { Person } from "../../services/person/person.js";
import * as people from "../../services/person/person.js";
import { type BotBase, type BotContext, viewOf } from "../context.js";
import { enterDialog } from "../dialogs.js";
import type { Feature } from "../feature.js";
import type { Forms } from "../forms.js";
import { cardList, type ShownCards } from "../intents/shown-cards.js";
import { alertOnTap, catchUserError, editTapped, replyOrError, shownTo } from "../reply.js";
import { isTrade } from "../../services/terms/terms.js";

interface WalletParts {
  readonly base: BotBase;
  readonly delays: Delays;
  readonly forms: Forms;
  readonly shownCards: ShownCards;
}

export function walletFeature(parts: WalletParts): Feature {
  const { base, forms } = parts;
  const { store } = base;
  const submit = (userId: number, address: Address) => shownTo(base, userId, () => saveWallet(base, userId, address));
  const form = createForm("wallet.1", { ...forms, submit }, ({ words, askAndSubmit }) =>
    askAndSubmit(walletQuestion(words), (address) => address),
  );
  const save = (ctx: BotContext, typed: string) => replyOrError(ctx, () => saveWallet(base, ctx.userId, typed));

  return {
    commands: {
      wallet: async (ctx, typed) => {
        if (typed !== "") return save(ctx, typed);
        const { wallet } = ctx.person;
        if (wallet === undefined) return enterDialog(ctx, form);
        const later = people.laterOf(ctx.person, "wallet");
        return replyCard(ctx, walletCard(ctx.view, wallet, [later && [laterLines(later, ctx.view), ""]]));
      },
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
          const without = ({ offeredWallet: _offered, ...person }: Person): Person => person;
          await store.write((tx) => people.changePerson(tx, ctx.userId, without));
          await ctx.answerCallbackQuery();
          return editTapped(ctx, card([ctx.words.wallet.kept]));
        }
        const changed = await catchUserError(ctx.words, () => changeWallet(parts, ctx.userId, mark));
        if (!changed.ok) return alertOnTap(ctx, changed.card.text);
        if (changed.value === undefined) return alertOnTap(ctx, ctx.words.common.oldButton);
        await ctx.answerCallbackQuery();
        // A new message notifies the user, so that nobody's address changes unnoticed.
        await ctx.editMessageReplyMarkup();
        return replyCard(ctx, changed.value);
      },
    },
    pasted: (ctx, text) => (ADDRESS_LIKE.test(text) ? () => answerAddress(base, ctx, text) : undefined),
    forms: [form],
  };
}

async function answerAddress({ store }: BotBase, ctx: BotContext, text: string): Promise<unknown> {
  const read = await catchUserError(ctx.words, () => parseAccountAddress(text));
  if (!read.ok) return replyCard(ctx, read.card);
  const { wallet } = ctx.person;
  if (read.value === wallet?.address) return replyCard(ctx, walletCard(ctx.view, wallet));
  const offered = (person: Person): Person => ({ ...person, offeredWallet: read.value });
  await store.write((tx) => people.changePerson(tx, ctx.userId, offered));
  return replyCard(ctx, pastedAddressCard(ctx.words, read.value, wallet !== undefined));
}

/**
 * Saves the first address. A different one is only offered, since someone else's message may have led here.
 * @throws Fault `address-…`, `frozen`.
 */
export async function saveWallet(base: BotBase, userId: number, text: string): Promise<Card> {
  const address = parseAccountAddress(text);
  const since = base.clock.now();
  return base.store.write(async (tx) => {
    const before = await people.personIn(tx, userId);
    const view = viewOf(before, base);
    people.assertNotFrozen(before);
    if (before.wallet !== undefined && before.wallet.address !== address) {
      await people.putPerson(tx, userId, { ...before, offeredWallet: address });
      return changeWalletCard(view.words, before.wallet.address, address);
    }
    const wallet = before.wallet ?? { address, since };
    if (before.wallet === undefined)
      await people.putPerson(tx, userId, people.withChange({ ...before, wallet }, "first-wallet", since));
    return walletCard(view, wallet, [view.words.settings.saved, ""]);
  });
}

/** @returns undefined for an old button. @throws Fault `frozen`. */
async function changeWallet(parts: WalletParts, userId: number, mark: string): Promise<Card | undefined> {
  const { base, delays, shownCards } = parts;
  const now = base.clock.now();
  const delay = base.settings.guardDelaySeconds * 1000;
  const changed = await base.store.write(async (tx) => {
    const known = await people.personIn(tx, userId);
    const { offeredWallet: address, wallet: before, ...rest } = known;
    if (address === undefined || before === undefined || walletMark(address) !== mark) return undefined;
    people.assertNotFrozen(known);
    const later = { guard: "wallet", address, from: now + delay } as const;
    const asked = { ...rest, wallet: before };
    const person = delay === 0 ? people.inEffect(asked, later, now) : people.withLater(asked, later);
    await people.putPerson(tx, userId, person);
    return { before: before.address, person, later };
  });
  if (changed === undefined) return undefined;
  const { person, before, later } = changed;
  const view = viewOf(person, base);
  if (delay > 0 || person.wallet === undefined) {
    await delays.note(userId);
    return laterCard(later, view);
  }
  const closed = await shownCards.closeOpen(userId);
  await shownCards.showClosed(closed);
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
