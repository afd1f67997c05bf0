import { formatReferralPercentage } from "../encoding/percent.js";
import type { Messages } from "../locales/messages.js";
import { buttons } from "./buttons.js";
import { bold, button, card, code, line, type Card } from "./card.js";

const EXAMPLE_SWAP = "/swap 100 KLV KFI";
const EXAMPLES = [
  "/quote 100 KLV KFI",
  EXAMPLE_SWAP,
  "/multihop 100 KLV DVK-34ZH KFI",
  "/lock 5 LPKLVKFI-3I0N 30d",
  "/wallet klv1…",
];

/** The first thing that a person sees: what this is, what it never does, and the one next step. */
export function welcomeCard(words: Messages, hasWallet: boolean): Card {
  const { help } = words;
  return card(
    [
      bold(help.welcomeTitle),
      "",
      help.welcome,
      help.holdsNoKeys,
      "",
      hasWallet ? help.nextSwap : help.nextWallet,
      hasWallet ? code(EXAMPLE_SWAP) : undefined,
    ],
    [[button(help.swapButton, buttons.command, "swap")]],
  );
}

/** All commands with what they do, the one-line forms, and the fee. */
export function helpCard(words: Messages, referralPercentage: number): Card {
  const { help } = words;
  return card([
    bold(help.title),
    "",
    ...Object.entries(help.commands).map(([command, description]) => `/${command} — ${description}`),
    "",
    help.oneLine,
    ...EXAMPLES.map((example) => code(example)),
    "",
    line(help.fee(formatReferralPercentage(referralPercentage))),
    help.holdsNoKeys,
  ]);
}
