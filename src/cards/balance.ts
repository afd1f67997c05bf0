import { amountOf, type Amount } from "../encoding/amount.js";
import { formatAssetId } from "../encoding/asset.js";
import { unlistedToken, type Token } from "../encoding/token.js";
import type { Lock } from "../model/lock.js";
import type { Holdings } from "../model/movement.js";
import type { Pool } from "../services/routes/pool.js";
import { exactWithToken, withToken } from "./amount.js";
import { bold, card, code, linesIn, type Card, type Line, type View } from "./card.js";
import { formatMoment } from "./time.js";

/** What is known about an account: what it holds, and what some of that stands for. */
export interface Account {
  readonly address: string;
  readonly holdings: Holdings;
  readonly tokens: readonly Token[];
  readonly locks: readonly Lock[];
  /** Undefined where they are not known. */
  readonly pools: readonly Pool[] | undefined;
  /** When an epoch begins, in milliseconds since 1970; undefined where that is unknown. */
  readonly beginOf: (epoch: bigint) => number | undefined;
}

/** A message has its limits. */
const MAX_LINES = 40;

/** What an account holds: tokens, shares in pools with what they stand for, and locked tokens with their date. */
export function balanceCard(account: Account, view: View): Card {
  const words = view.words.balance;
  const held = account.tokens.flatMap((token) => heldLines(token, account, view));
  const locked = account.locks.flatMap((lock) => lockedLines(lock, account, view));
  const lines = linesIn([held, locked.length > 0 && ["", words.locked, locked]]);
  return card([
    bold(view.words.help.commands.balance),
    code(account.address),
    "",
    lines.length === 0 ? words.nothing : lines.slice(0, MAX_LINES),
    lines.length > MAX_LINES && words.more(lines.length - MAX_LINES),
    "",
    words.onlyKnown,
  ]);
}

function heldLines(token: Token, { holdings, pools, tokens }: Account, view: View): Line[] {
  const units = holdings[token.id] ?? 0n;
  if (units === 0n) return [];
  const amount = exactWithToken(amountOf(token, units), view.words);
  const pool = pools?.find(({ lpTokenId }) => lpTokenId === token.id);
  if (pool === undefined || pool.totalSupply === undefined || pool.totalSupply === 0n) return [bold(amount)];
  const { totalSupply } = pool;
  const part = (id: string, reserve: bigint): Amount =>
    amountOf(tokens.find((each) => each.id === id) ?? unlistedToken(id), (reserve * units) / totalSupply);
  const [first, second] = [part(pool.first, pool.reserveFirst), part(pool.second, pool.reserveSecond)];
  const standsFor = view.words.balance.standsFor(withToken(first, view.words), withToken(second, view.words));
  return [bold(amount), `     ${standsFor}`];
}

function lockedLines({ locked, amount, unlockEpoch }: Lock, { holdings, beginOf }: Account, view: View): Line[] {
  const asset = formatAssetId(locked);
  const units = holdings[asset] ?? 0n;
  if (units === 0n) return [];
  const date = formatMoment(beginOf(unlockEpoch), view.timeZone)?.slice(0, 10);
  return [
    bold(exactWithToken(amountOf(amount.token, units), view.words)),
    `     ${view.words.balance.until(asset, unlockEpoch, date)}`,
  ];
}
