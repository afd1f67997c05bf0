import { addAmounts, formatAmount, type Amount, type Token } from "../encoding/amount.js";
import { shortened } from "../encoding/decimal.js";
import type { Messages } from "../locales/messages.js";
import { figure, withToken, referralPercent } from "./amount.js";
import { buttons, button, commandButton } from "./buttons.js";
import { card, bold, code, line, say, momentOf, type Card, type View, type Lines } from "./card.js";

const MAX_LINES = 8;
const DIGITS = 6;

type Held = readonly { readonly amount: Amount; readonly worth?: Amount | undefined }[];

/** @param held undefined where it is not known; `worth` in one token for all. */
export function homeCard(address: string, held: Held | undefined, view: View) {
  const { help, balance, common } = view.words;
  const [first, ...others] = held?.flatMap(({ worth }) => worth ?? []) ?? [];
  const about = (amount: Amount) =>
    `${figure(shortened(formatAmount(amount), "down", DIGITS), view.words)} ${amount.token.id}`;
  const lines: Lines = [
    bold(help.homeTitle),
    code(address),
    "",
    held === undefined && help.homeUnseen,
    held?.length === 0 && balance.nothing,
    held?.slice(0, MAX_LINES).map(({ amount, worth }) => {
      const text = bold(withToken(amount, view.words));
      return worth === undefined || worth.token.id === amount.token.id ? text : line(text, ` ≈ ${about(worth)}`);
    }),
    held !== undefined && held.length > MAX_LINES && common.andMore(held.length - MAX_LINES),
    first && others.length > 0 && ["", help.homeTotal(about(others.reduce(addAmounts, first)))],
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
