import { buttons, button } from "./buttons.js";
import type { Address } from "../encoding/address.js";
import type { Messages } from "../locales/messages.js";
import type { Person } from "../services/person/person.js";
import { card, bold, code, say, momentOf, type Card, type View, type Lines } from "./card.js";
import { amountOf, type Amount, formatAssetId, unlistedToken, type Token } from "../encoding/amount.js";
import type { Lock } from "../services/lock/record.js";
import type { Holdings } from "../services/intent/kind.js";
import type { Pool } from "../services/pool/pool.js";
import { exactWithToken, withToken } from "./amount.js";
import { listCard, type Entry, type Parts } from "./list.js";

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

export function walletMark(address: Address): string {
  return address.slice(-24);
}

export function pastedAddressCard(words: Messages, address: Address, hasWallet: boolean): Card {
  const { pasted, pastedOther, useButton } = words.wallet;
  const use = button(useButton, buttons.useAddress, walletMark(address));
  return card([hasWallet ? pastedOther : pasted, code(address)], [[use]]);
}

export interface Account {
  readonly address: string;
  readonly holdings: Holdings;
  readonly tokens: readonly Token[];
  readonly locks: readonly Lock[];
  /** Locked tokens of which the bot has no record. */
  readonly otherLocks: readonly Amount[];
  readonly pools: readonly Pool[] | undefined;
  /** In milliseconds since 1970. */
  readonly beginOf: (epoch: bigint) => number | undefined;
}

const MAX_ENTRIES = 25;

export function balanceCard(account: Account, view: View): Card {
  const words = view.words.balance;
  const held = account.tokens.flatMap((token) => heldEntry(token, account, view));
  const locked = [
    ...account.locks.flatMap((lock) => lockedEntry(lock, account, view)),
    ...account.otherLocks.map((amount) => ({ cells: [bold(exactWithToken(amount, view.words)), undefined] })),
  ];
  const lockedShown = locked.slice(0, Math.max(0, MAX_ENTRIES - held.length));
  const more = Math.max(0, held.length + locked.length - MAX_ENTRIES);
  const parts: Parts = [
    bold(view.words.help.commands.balance),
    code(account.address),
    "",
    held.length + locked.length === 0 && words.nothing,
    { layout: "amounts", entries: held.slice(0, MAX_ENTRIES) },
    held.length > 0 && lockedShown.length > 0 && "",
    lockedShown.length > 0 && words.locked,
    { layout: "amounts", entries: lockedShown },
    more > 0 && view.words.common.andMore(more),
    "",
    words.onlyKnown,
  ];
  return listCard(parts, view);
}

function heldEntry(token: Token, { holdings, pools, tokens }: Account, view: View): Entry[] {
  const units = holdings[token.id] ?? 0n;
  if (units === 0n) return [];
  const amount = exactWithToken(amountOf(token, units), view.words);
  const pool = pools?.find(({ lpTokenId }) => lpTokenId === token.id);
  const { totalSupply = 0n } = pool ?? {};
  if (pool === undefined || totalSupply === 0n) return [{ cells: [bold(amount), undefined] }];
  const part = (id: string, reserve: bigint): Amount =>
    amountOf(tokens.find((each) => each.id === id) ?? unlistedToken(id), (reserve * units) / totalSupply);
  const [first, second] = [part(pool.first, pool.reserveFirst), part(pool.second, pool.reserveSecond)];
  const standsFor = view.words.balance.standsFor(withToken(first, view.words), withToken(second, view.words));
  return [{ cells: [bold(amount), standsFor] }];
}

function lockedEntry({ locked, amount, unlockEpoch }: Lock, { holdings, beginOf }: Account, view: View): Entry[] {
  const asset = formatAssetId(locked);
  const units = holdings[asset] ?? 0n;
  if (units === 0n) return [];
  const held = bold(exactWithToken(amountOf(amount.token, units), view.words));
  const until = (date: string | undefined) => view.words.balance.until(asset, unlockEpoch, date);
  return [{ cells: [held, say(until, momentOf(beginOf(unlockEpoch), view, "day"))] }];
}
