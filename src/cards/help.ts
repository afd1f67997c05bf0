import { formatReferralPercentage } from "../encoding/percent.js";
import type { Token } from "../encoding/token.js";
import type { Messages } from "../locales/messages.js";
import { buttons } from "./buttons.js";
import { bold, button, card, code, type Card } from "./card.js";

/** One-line commands that work with the tokens that can be traded here; the first of the list stand for all. */
function examplesFor(tokens: readonly Token[]) {
  const [from, to, between] = tokens.filter(({ kind }) => kind === "fungible").map(({ id }) => id);
  if (from === undefined || to === undefined) return [];
  const route = between === undefined ? [] : [`/multihop 100 ${from} ${between} ${to}`];
  return [`/quote 100 ${from} ${to}`, `/swap 100 ${from} ${to}`, ...route, `/lock 5 ${to} 30d`];
}

/** The first thing that a person sees: what this is, what it never does, and the one next step. */
export function welcomeCard({ help }: Messages): Card {
  return card(
    [bold(help.welcomeTitle), "", help.welcome, help.holdsNoKeys, "", help.nextWallet],
    [[button(help.swapButton, buttons.command, "swap")]],
  );
}

/** All commands with what they do, the one-line forms, and the fee. */
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
    help.fee(formatReferralPercentage(referralPercentage)),
    help.holdsNoKeys,
  ]);
}
