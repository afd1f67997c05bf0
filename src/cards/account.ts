import { addAmounts, amountOf, formatAssetId, isZero } from "../encoding/amount.js";
import type { Amount, Token } from "../encoding/amount.js";
import type { Address } from "../encoding/address.js";
import type { Messages } from "../locales/messages.js";
import type { Holdings } from "../services/intent/kind.js";
import type { Person } from "../services/person/person.js";
import type { Portfolio } from "../services/portfolio/portfolio.js";
import { aboutWithToken, exactWithToken, referralPercent, withToken } from "./amount.js";
import { button, buttons, commandButton } from "./buttons.js";
import { bold, card, code, line, momentOf, say, type Card, type Line, type Lines, type View } from "./card.js";
import { listCard, type Entry, type Parts } from "./list.js";

const MAX_LINES = 8;

type Held = readonly { readonly amount: Amount; readonly worth?: Amount | undefined }[];

/** @param held undefined where it is not known; `worth` in one token for all. */
export function homeCard(address: string, held: Held | undefined, view: View) {
  const { help, balance, common } = view.words;
  const [first, ...others] = held?.flatMap(({ worth }) => worth ?? []) ?? [];
  const lines: Lines = [
    bold(help.homeTitle),
    code(address),
    "",
    held === undefined && help.homeUnseen,
    held?.length === 0 && balance.nothing,
    held?.slice(0, MAX_LINES).map(({ amount, worth }) => {
      const about = worth && worth.token.id !== amount.token.id && ` ≈ ${aboutWithToken(worth, view.words)}`;
      return line(bold(withToken(amount, view.words)), about);
    }),
    held !== undefined && held.length > MAX_LINES && common.andMore(held.length - MAX_LINES),
    first && others.length > 0 && ["", help.homeTotal(aboutWithToken(others.reduce(addAmounts, first), view.words))],
    held !== undefined && say(help.homeAsOf, momentOf(view.now, view, "time")),
  ];
  return card(lines, [
    [button(help.swapButton, buttons.command, "swap"), commandButton(help.ordersButton, "orders")],
    [commandButton(help.locksButton, "locks"), commandButton(help.historyButton, "history")],
    [button(common.refresh, buttons.home, "now")],
  ]);
}

function examplesFor(tokens: readonly Token[]) {
  const [from, to, between] = tokens.filter(({ kind }) => kind === "fungible").map(({ id }) => id);
  if (from === undefined || to === undefined) return [];
  const route = between === undefined ? [] : [`/multihop 100 ${from} ${between} ${to}`];
  return [`/quote 100 ${from} ${to}`, `/swap 100 ${from} ${to}`, ...route, `/lock 5 ${to} 30d`];
}

export function welcomeCard({ help }: Messages): Card {
  const lines = [bold(help.welcomeTitle), "", help.welcome, help.holdsNoKeys, "", help.nextWallet];
  return card(lines, [[button(help.swapButton, buttons.command, "swap")]]);
}

export function helpCard(words: Messages, referralPercentage: number, tokens: readonly Token[]): Card {
  const { help } = words;
  return card([
    bold(help.commands.help),
    "",
    Object.entries(help.commands).map(([command, description]) => `/${command} — ${description}`),
    "",
    help.oneLine,
    [...examplesFor(tokens), "/wallet klv1…"].map(code),
    "",
    help.fee(referralPercent(referralPercentage, words)),
    help.holdsNoKeys,
  ]);
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
  return card(lines, [[button(changeButton, buttons.wallet, walletMark(offered))]]);
}

export const walletMark = (address: Address): string => address.slice(-24);

export function pastedAddressCard(words: Messages, address: Address, hasWallet: boolean): Card {
  const { pasted, pastedOther, useButton } = words.wallet;
  const use = button(useButton, buttons.useAddress, walletMark(address));
  return card([hasWallet ? pastedOther : pasted, code(address)], [[use]]);
}

export interface Account extends Pick<Portfolio, "locks"> {
  readonly address: string;
  readonly holdings: Holdings;
  readonly tokens: readonly Token[];
  /** Locked tokens of which the bot has no record. */
  readonly otherLocks: readonly Amount[];
  readonly shares: NonNullable<Portfolio["shares"]>;
}

const MAX_ENTRIES = 25;

export function balanceCard(account: Account, view: View): Card {
  const { words } = view;
  const { balance, common, help } = words;
  const heldOf = (token: Token, asset = token.id) => amountOf(token, account.holdings[asset] ?? 0n);
  const entryOf = (amount: Amount, note?: Line): Entry[] =>
    isZero(amount) ? [] : [{ cells: [bold(exactWithToken(amount, words)), note] }];
  const held = account.tokens.flatMap((token) => {
    const share = account.shares.find(({ amount }) => amount.token.id === token.id);
    const standsFor = share && balance.standsFor(withToken(share.first, words), withToken(share.second, words));
    return entryOf(heldOf(token), standsFor);
  });
  const onRecord = account.locks.flatMap(({ locked, amount, unlockEpoch, beginsAt }) => {
    const asset = formatAssetId(locked);
    const until = say(balance.until, asset, `${unlockEpoch}`, momentOf(beginsAt, view, "day"));
    return entryOf(heldOf(amount.token, asset), until);
  });
  const locked = [...onRecord, ...account.otherLocks.flatMap((amount) => entryOf(amount))];
  const lockedShown = locked.slice(0, Math.max(0, MAX_ENTRIES - held.length));
  const more = held.length + locked.length - MAX_ENTRIES;
  const parts: Parts = [
    bold(help.commands.balance),
    code(account.address),
    "",
    held.length + locked.length === 0 && balance.nothing,
    { layout: "amounts", entries: held.slice(0, MAX_ENTRIES) },
    held.length > 0 && lockedShown.length > 0 && "",
    lockedShown.length > 0 && balance.locked,
    { layout: "amounts", entries: lockedShown },
    more > 0 && common.andMore(more),
    "",
    balance.onlyKnown,
  ];
  return listCard(parts, view);
}
