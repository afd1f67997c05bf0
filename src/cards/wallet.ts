import { buttons } from "./buttons.js";
import type { Address } from "../encoding/address.js";
import type { Messages } from "../locales/messages.js";
import type { Person } from "../services/person/person.js";
import { bold, button, card, type Card, code, type Lines, say, type View } from "./card.js";
import { momentOf } from "./time.js";

export function walletCard(view: View, wallet: NonNullable<Person["wallet"]>, notices: Lines = []): Card {
  const { words, publicUrl } = view;
  return card(
    [
      notices,
      bold(words.help.commands.wallet),
      code(wallet.address),
      publicUrl !== undefined && words.wallet.signs,
      words.wallet.explain,
      say(words.wallet.since, momentOf(wallet.since, view)),
      "",
      words.wallet.change,
    ],
    [[button(words.help.swapButton, buttons.command, "swap")]],
  );
}

export function changeWalletCard(words: Messages, before: Address, offered: Address): Card {
  const { changeTitle, from, to, changeWarning, changeButton } = words.wallet;
  const lines = [bold(changeTitle), "", `${from}:`, code(before), `${to}:`, code(offered), "", changeWarning];
  return card(lines, [[button(changeButton, buttons.wallet, walletMark(offered))]]);
}

export function walletMark(address: Address): string {
  return address.slice(-24);
}

export function pastedAddressCard(words: Messages, address: Address, hasWallet: boolean): Card {
  const { pasted, pastedOther, useButton } = words.wallet;
  const use = button(useButton, buttons.useAddress, walletMark(address));
  return card([hasWallet ? pastedOther : pasted, code(address)], [[use]]);
}
