import type { Config } from "../config.js";
import { addAmounts, type Amount, type Token } from "../encoding/amount.js";
import type { Address } from "../encoding/address.js";
import type { Messages } from "../locales/messages.js";
import type { Person } from "../services/person/person.js";
import { walletMark } from "../services/person/wallet-address.js";
import { aboutText, aboutWithToken, referralPercent, withToken } from "./amount.js";
import { button, buttons, giving, type MenuPart, shortButton } from "./buttons.js";
import { frozenLines, unfreezeRow } from "./freeze.js";
import { menuCommands, menuRows } from "./menu.js";
import { bold, card, code, line, momentOf, say, type Card, type Lines, type View } from "./card.js";

const MAX_LINES = 8;

type AssetWorth = { readonly amount: Amount; readonly isThin: boolean };
type HeldAssets = readonly { readonly amount: Amount; readonly worth?: AssetWorth | undefined }[];

type Frozen = Pick<Person, "frozenSince" | "later">;

/**
 * @param held undefined if unknown; every `worth` is in the same token. What is thin isn't in the total.
 * @param charted the pair of the chart's button; absent if there is none.
 */
export function homeCard(
  address: string,
  held: HeldAssets | undefined,
  view: View,
  charted?: string,
  person: Frozen = {},
  notices: Lines = [],
) {
  const { help, balance, common, picture } = view.words;
  const isThin = held?.some(({ worth }) => worth?.isThin) ?? false;
  const [first, ...others] = held?.flatMap(({ worth }) => (worth && !worth.isThin ? worth.amount : [])) ?? [];
  const lines: Lines = [
    bold(help.homeTitle),
    frozenLines(person, view),
    notices,
    code(address),
    "",
    held === undefined && help.homeUnseen,
    held?.length === 0 && balance.nothing,
    held?.slice(0, MAX_LINES).map(({ amount, worth }) => {
      const isOther = worth !== undefined && worth.amount.token.id !== amount.token.id;
      const about = isOther && aboutText(aboutWithToken(worth.amount, view.words), worth, view);
      return line(bold(withToken(amount, view.words)), about && `${worth.isThin ? " · " : " "}${about}`);
    }),
    held !== undefined && held.length > MAX_LINES && common.andMore(held.length - MAX_LINES),
    first && others.length > 0 && ["", help.homeTotal(aboutWithToken(others.reduce(addAmounts, first), view.words))],
    isThin && common.thinExplain,
    held !== undefined && say(help.homeAsOf, momentOf(view.now, view, "time")),
  ];
  const chart = charted !== undefined && shortButton(picture.chart, buttons.chart, { grain: "minute", pair: charted });
  const freeze = person.frozenSince === undefined && giving(button(view.words.security.freeze, buttons.freeze, "ask"));
  return card(lines, [
    unfreezeRow(person),
    ...menuRows(view.words),
    [chart, button(common.refresh, buttons.home, "now"), freeze],
  ]);
}

export function welcomeCard(words: Messages, notices: Lines = []): Card {
  const { help } = words;
  const lines = [bold(help.welcomeTitle), notices, "", help.welcome, help.holdsNoKeys, "", help.nextWallet];
  return card(lines, [[button(help.swapButton, buttons.command, "swap")], ...menuRows(words)]);
}

type HelpSettings = Pick<Config, "referralPercentage">;

/** What is quickest, and then every command, by the parts of the menu. */
export function helpCard(words: Messages, settings: HelpSettings, tokens: readonly Token[]): Card {
  const { help, menu } = words;
  const [, token] = tokens.filter(({ kind }) => kind === "fungible").map(({ id }) => id);
  const parts = Object.entries(menuCommands) as [MenuPart, readonly string[]][];
  const written = (commands: readonly string[]) => commands.map((command) => `/${command}`).join(" ");
  return card(
    [
      bold(help.commands.help),
      "",
      bold(help.quick.title),
      token !== undefined && [help.quick.token(token), help.quick.spoken(token)],
      help.quick.reply,
      "",
      parts.map(([part, commands]) => line(bold(menu.title[part]), ` ${written(commands)}`)),
      line(bold(menu.title.settings), ` ${written(["settings", "fees", "cancel"])}`),
      "",
      help.fee(referralPercent(settings.referralPercentage, words)),
      help.holdsNoKeys,
    ],
    menuRows(words),
  );
}

export function walletCard(view: View, wallet: NonNullable<Person["wallet"]>, notices: Lines = []): Card {
  const { words, publicUrl } = view;
  const lines: Lines = [
    notices,
    bold(words.help.commands.wallet),
    code(wallet.address),
    publicUrl !== undefined && words.wallet.signs,
    words.wallet.explain,
    say(words.wallet.since, momentOf(wallet.since, view)),
    "",
    words.wallet.change,
  ];
  return card(lines, [[button(words.help.swapButton, buttons.command, "swap")]]);
}

export function changeWalletCard(words: Messages, before: Address, offered: Address): Card {
  const { changeTitle, from, to, changeWarning, changeButton } = words.wallet;
  const lines = [bold(changeTitle), "", `${from}:`, code(before), `${to}:`, code(offered), "", changeWarning];
  const keep = button(words.security.undo.wallet, buttons.wallet, KEEP);
  return card(lines, [[keep], [button(changeButton, buttons.wallet, walletMark(offered))]]);
}

/** In place of an address's mark: the address stays as it is. */
export const KEEP = "keep";

export function pastedAddressCard(words: Messages, address: Address, hasWallet: boolean): Card {
  const { pasted, pastedOther, useButton } = words.wallet;
  const mark = walletMark(address);
  const use = button(useButton, buttons.useAddress, mark);
  const watch = button(words.addresses.watch, buttons.addAddress, mark);
  return card([hasWallet ? pastedOther : pasted, code(address)], [[use], [watch]]);
}
