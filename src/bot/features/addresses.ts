import { addressesCard, removedLines } from "../../cards/addresses.js";
import { NEW_ADDRESS } from "../../cards/buttons.js";
import { card } from "../../cards/card.js";
import { createForm } from "../../conversations/interview.js";
import { reading } from "../../conversations/questions.js";
import { type Address, parseAccountAddress } from "../../encoding/address.js";
import { splitWords } from "../../services/base/typed-line.js";
import { personIn } from "../../services/person/person.js";
import { walletMark } from "../../services/person/wallet-address.js";
import {
  assertWatchable,
  parseWatchOnlyName,
  unwatchAddress,
  watchAddress,
  type WatchOnly,
} from "../../services/person/watch-only.js";
import type { BotBase, BotContext, PersonFlavor } from "../context.js";
import { enterDialog } from "../dialogs.js";
import type { Feature } from "../feature.js";
import type { Forms } from "../forms.js";
import { alertOnTap, catchUserError, editTapped, replyCard, shownTo } from "../reply.js";

interface AddressesParts {
  readonly base: BotBase;
  readonly forms: Forms;
}

/** `/addresses`: addresses that a user only looks at. */
export function addressesFeature({ base, forms }: AddressesParts): Feature {
  const { store, tokens } = base;
  const submit = (whose: number | PersonFlavor, named: WatchOnly) =>
    shownTo(base, whose, async ({ userId, words }) =>
      addressesCard(await watchAddress(store, userId, named), words, [words.settings.saved, ""]),
    );
  const form = createForm("addresses.1", { ...forms, submit }, async (interview, known?: Address) => {
    const { userId, words, ask, askAndSubmit } = interview;
    const refuse = async (address: Address) => {
      const made = await catchUserError(words, async () => assertWatchable(await personIn(store.db, userId), address));
      return made.ok ? null : made.card;
    };
    const asksAddress = { prompt: card([words.addresses.ask]), read: reading(words, parseAccountAddress) };
    const address = known ?? (await ask({ name: "address", ...asksAddress }, refuse));
    const read = reading(words, (text) => parseWatchOnlyName(text, tokens.knows));
    return askAndSubmit({ prompt: card([words.addresses.askName(address)]), read }, (name) => ({ address, name }));
  });

  /** Asks for a name, unless one is typed. */
  const add = async (ctx: BotContext, address: string, typed = "") => {
    const read = await catchUserError(ctx.words, () => {
      const parsed = parseAccountAddress(address);
      assertWatchable(ctx.person, parsed);
      return { address: parsed, name: typed === "" ? undefined : parseWatchOnlyName(typed, tokens.knows) };
    });
    if (!read.ok) return replyCard(ctx, read.card);
    const { name, ...named } = read.value;
    if (name === undefined) return enterDialog(ctx, form, named.address);
    return replyCard(ctx, (await submit(ctx, { ...named, name })).card);
  };

  return {
    commands: {
      addresses: (ctx, typed) => {
        const [address, ...name] = splitWords(typed);
        return address === undefined
          ? replyCard(ctx, addressesCard(ctx.person, ctx.words))
          : add(ctx, address, name.join(" "));
      },
    },
    buttons: {
      addAddress: async (ctx, mark) => {
        const { offeredWallet } = ctx.person;
        const isOffered = offeredWallet !== undefined && walletMark(offeredWallet) === mark;
        if (!isOffered && mark !== NEW_ADDRESS) return alertOnTap(ctx, ctx.words.common.oldButton);
        await ctx.answerCallbackQuery();
        return isOffered ? add(ctx, offeredWallet) : enterDialog(ctx, form);
      },
      watchOnly: async (ctx, { action, mark }) => {
        const tapped = ctx.person.watchOnly?.find(({ address }) => walletMark(address) === mark);
        if (tapped === undefined) return alertOnTap(ctx, ctx.words.common.oldButton);
        await ctx.answerCallbackQuery();
        if (action === "rename") return enterDialog(ctx, form, tapped.address);
        const person = await unwatchAddress(store, ctx.userId, tapped.address);
        return editTapped(ctx, addressesCard(person, ctx.words, removedLines(tapped, ctx.words)));
      },
    },
    forms: [form],
  };
}
