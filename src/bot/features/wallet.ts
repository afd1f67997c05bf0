import { buttons } from "../../cards/buttons.js";
import { walletCard, walletMark, changeWalletCard } from "../../cards/wallet.js";
import type { BotContext, Parts } from "../context.js";
import { alertOnTap, onTapToAnswer } from "../tap.js";
import { enterDialog } from "../dialogs/mount.js";
import type { Commands, Feature } from "../feature.js";
import { orSentence, replyOrSentence } from "../or-sentence.js";
import { replyCard } from "../../conversations/reply-card.js";
import type { Api } from "grammy";
import type { Card } from "../../cards/card.js";
import { laterCard, laterLines } from "../../cards/security.js";
import { inEffect, laterOf, withLater } from "../../services/person/later.js";
import { parseAccountAddress } from "../../encoding/address.js";
import { assertNotFrozen, updatePerson } from "../../services/person/people.js";
import type { Person } from "../../services/person/person.js";
import { viewOf } from "../person.js";
import { withChange } from "../../services/person/security-change.js";
import { closeOpenCards, named, presentClosed } from "../intents/cancel-open.js";

/** `/wallet`: where a person's tokens go. */
export function walletFeature(parts: SaveParts): Feature {
  const save = (ctx: BotContext, typed: string) => replyOrSentence(ctx, () => saveWallet(parts, ctx.userId, typed));

  const commands: Commands = {
    wallet: async (ctx) => {
      const typed = ctx.match.trim();
      if (typed !== "") return save(ctx, typed);
      const { wallet } = ctx.person;
      if (wallet === undefined) return enterDialog(ctx, "wallet");
      const later = laterOf(ctx.person, "wallet");
      return replyCard(ctx, walletCard(ctx.view, wallet, [later && [laterLines(later, ctx.view), ""]]));
    },
  };

  const taps = [
    onTapToAnswer(buttons.useAddress, async (ctx, mark) => {
      const { offeredWallet } = ctx.person;
      if (offeredWallet === undefined || walletMark(offeredWallet) !== mark) {
        return alertOnTap(ctx, ctx.words.common.oldButton);
      }
      await ctx.answerCallbackQuery();
      return save(ctx, offeredWallet);
    }),
    onTapToAnswer(buttons.wallet, async (ctx, mark) => {
      const changed = await orSentence(ctx.words, () => changeWallet(parts, ctx.api, ctx.userId, mark));
      if (!changed.ok) return alertOnTap(ctx, changed.sentence);
      if (changed.value === undefined) return alertOnTap(ctx, ctx.words.common.oldButton);
      await ctx.answerCallbackQuery();
      // A message of its own, which rings, so that nobody's address changes unnoticed.
      await ctx.editMessageReplyMarkup();
      return replyCard(ctx, changed.value);
    }),
  ];

  return { commands, taps };
}

export type SaveParts = Pick<Parts, "clock" | "delays" | "intents" | "settings" | "store">;

/**
 * Saves where a person's tokens go and gives the card that says so. In the place of another address it is only offered: a
 * message that somebody else wrote may have led here, so the change waits for a tap.
 * @throws Fault `address-…`, `frozen`.
 */
export async function saveWallet(
  parts: Pick<SaveParts, "clock" | "settings" | "store">,
  userId: number,
  text: string,
): Promise<Card> {
  const address = parseAccountAddress(text);
  const since = parts.clock.now();
  return updatePerson(parts.store, userId, (before): readonly [Person, Card] => {
    const view = viewOf(before, parts);
    assertNotFrozen(before);
    if (before.wallet !== undefined && before.wallet.address !== address) {
      return [{ ...before, offeredWallet: address }, changeWalletCard(view.words, before.wallet.address, address)];
    }
    const wallet = before.wallet ?? { address, since };
    const after = before.wallet === undefined ? withChange({ ...before, wallet }, "wallet", since) : before;
    return [after, walletCard(view, wallet, [view.words.settings.saved, ""])];
  });
}

/**
 * Changes the payout address to the one that was offered last, if the button is about that one, and gives the card that says
 * so, or from when on; undefined for an old button. Open cards that would still pay to the old address are cancelled then.
 * @throws Fault `frozen`.
 */
async function changeWallet(parts: SaveParts, api: Api, userId: number, mark: string): Promise<Card | undefined> {
  const now = parts.clock.now();
  const delay = parts.settings.guardDelaySeconds * 1000;
  const changed = await updatePerson(parts.store, userId, (person) => {
    const { offeredWallet: address, wallet: before, ...rest } = person;
    if (address === undefined || before === undefined || walletMark(address) !== mark) return [person, undefined];
    assertNotFrozen(person);
    const later = { guard: "wallet", address, from: now + delay } as const;
    const asked = { ...rest, wallet: before };
    const after = delay === 0 ? inEffect(asked, later, now) : withLater(asked, later);
    return [after, { before: before.address, person: after, later }];
  });
  if (changed === undefined) return undefined;
  const { person, before, later } = changed;
  const view = viewOf(person, parts);
  if (delay > 0 || person.wallet === undefined) {
    await parts.delays.note(userId);
    return laterCard(later, view);
  }
  const closed = await closeOpenCards(parts, userId);
  await presentClosed(parts, api, closed);
  const { words } = view;
  return walletCard(view, person.wallet, [
    words.wallet.changed(before),
    closed.cancelled.length > 0 && words.wallet.cardsCanceled(closed.cancelled.length),
    named(words.common.cardsClosing, closed.closing, view),
    "",
  ]);
}
