import type { Guard } from "../../model/security-change.js";

export const security = {
  title: "Security",
  notFrozen: "Trading is open. 🧊 stops everything at once.",
  frozen: (since: string) => `Frozen since ${since}. /unfreeze opens trading again.`,
  phrase: "Your phrase",
  noPhrase: "No phrase yet. Choose words for every card to show: a bot that imitates me can't know them.",
  limits: "Your limits",
  noLimits: "None. A limit takes effect at once; raising one takes 24 hours.",
  most: (atATime: string, inADay: string) => `${atATime} at a time, ${inADay} a day`,
  unlimited: "no limit",
  later: (from: string, most: string) => `from ${from}: ${most}`,
  changes: "Recent changes",
  noChanges: "None.",
  guards: {
    wallet: "payout address",
    freeze: "frozen",
    unfreeze: "unfrozen",
    limit: "limit",
    phrase: "phrase",
    slippage: "slippage",
    timezone: "time zone",
  } satisfies Record<Guard, string>,
  setLimit: "Set a limit",
  setPhrase: "Choose a phrase",
  freeze: "🧊 Freeze",
  askLimit:
    "Send the token, the most at a time and the most in a day, such as KLV 100 / 500. A dash means no limit: KLV - / 500. Swaps, routes, locks and deposits count. Lower limits take effect at once, higher ones after 24 hours.",
  askPhrase: "Send a few words, 40 characters at most, to be shown on every card you confirm.",
  badPhrase: "Send plain words, 1 to 40 characters.",
  slippageZero: "⚠️ At 0 % almost every swap fails: any price move is too much.",
  slippageHigh: (percent: string) =>
    `⚠️ At ${percent} % you may get that much less than quoted. Others can exploit that.`,
};
