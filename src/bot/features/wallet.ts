import { card, type Card } from "../../cards/card.js";
import { laterCard, laterLines } from "../../cards/settings.js";
import { changeWalletCard, KEEP, pastedAddressCard, walletCard, walletMark } from "../../cards/account.js";
import { createForm } from "../../conversations/interview.js";
import { walletQuestion } from "../../conversations/questions.js";
import { replyCard } from "../../conversations/reply-card.js";
import { ADDRESS_LIKE, type Address, parseAccountAddress } from "../../encoding/address.js";
import type { Person } from "../../services/person/person.js";
import * as people from "../../services/person/person.js";
import { type BotContext, type ViewParts, viewOf } from "../context.js";
import { enterDialog } from "../dialogs.js";
import type { Feature } from "../feature.js";
import { closeOpenCards, cardList, showClosed } from "../intents/card.js";
import { alertOnTap, catchUserError, editTapped, replyOrError, shownTo } from "../reply.js";
import type { Needs } from "../shared.js";
import { isTrade } from "../../services/terms/terms.js";

type WalletParts = Needs<"delays" | "forms" | "intents" | "outbox">;

export function walletFeature(parts: WalletParts): Feature {
  const submit = (userId: number, address: Address) => shownTo(parts, userId, () => saveWallet(parts, userId, address));
  const form = createForm("wallet.1", { ...parts.forms, submit }, ({ words, askAndSubmit }) =>
    askAndSubmit(walletQuestion(words), (address) => address),
  );
  const save = (ctx: BotContext, typed: string) => replyOrError(ctx, () => saveWallet(parts, ctx.userId, typed));

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
          await parts.store.write((tx) => people.changePerson(tx, ctx.userId, without));
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
    pasted: (ctx, text) => (ADDRESS_LIKE.test(text) ? () => answerAddress(parts, ctx, text) : undefined),
    forms: [form],
  };
}

async function answerAddress(parts: WalletParts, ctx: BotContext, text: string): Promise<unknown> {
  const read = await catchUserError(ctx.words, () => parseAccountAddress(text));
  if (!read.ok) return replyCard(ctx, read.card);
  const { wallet } = ctx.person;
  if (read.value === wallet?.address) return replyCard(ctx, walletCard(ctx.view, wallet));
  const offered = (person: Person): Person => ({ ...person, offeredWallet: read.value });
  await parts.store.write((tx) => people.changePerson(tx, ctx.userId, offered));
  return replyCard(ctx, pastedAddressCard(ctx.words, read.value, wallet !== undefined));
}

/**
 * Saves the first address. A different one is only offered, since someone else's message may have led here.
 * @throws Fault `address-…`, `frozen`.
 */
export async function saveWallet(parts: ViewParts, userId: number, text: string): Promise<Card> {
  const address = parseAccountAddress(text);
  const since = parts.clock.now();
  return parts.store.write(async (tx) => {
    const before = await people.personIn(tx, userId);
    const view = viewOf(before, parts);
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
  const now = parts.clock.now();
  const delay = parts.settings.guardDelaySeconds * 1000;
  const changed = await parts.store.write(async (tx) => {
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
  const view = viewOf(person, parts);
  if (delay > 0 || person.wallet === undefined) {
    await parts.delays.note(userId);
    return laterCard(later, view);
  }
  const closed = await closeOpenCards(parts, userId);
  await showClosed(parts, closed);
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
