import { welcomeCard } from "../../src/cards/account.js";
import { menuCard } from "../../src/cards/menu.js";
import { privacyCard } from "../../src/cards/settings.js";
import { people } from "../support/documents.js";
import { alice } from "../services/samples.js";
import { now } from "./arrange.js";
import type { CardSample } from "./card-sample.js";

const slippages = { defaultSlippageBps: 100, maxSlippageBps: 1500 };
const person = { ...people.create("1001"), wallet: { address: alice, since: now } };
const state = {
  orders: { here: 2, watched: 1 },
  alerts: { prices: 3, pairs: 1, newPairs: true, arrivals: false },
};
const tokens = ["KLV", "KFI", "DVK-34ZH"];
const parts = ["trade", "orders", "alerts", "portfolio", "safety"] as const;

/** The menu that `/start` leads to. */
export const menuSamples: readonly CardSample[] = [
  { name: "welcome", draw: ({ words }) => welcomeCard(words) },
  ...parts.map(
    (part): CardSample => ({
      name: `menu: ${part}`,
      draw: (view) => menuCard(part, state, tokens, person, slippages, view),
    }),
  ),
  { name: "who can see what", draw: ({ words }) => privacyCard(words) },
  {
    name: "menu: safety, with a phrase, frozen",
    draw: (view) =>
      menuCard("safety", {}, tokens, { ...person, phrase: "blue bicycle", frozenSince: now }, slippages, view),
  },
  {
    name: "menu: a list of one token, and no address",
    draw: (view) => menuCard("portfolio", {}, ["KLV"], people.create("1001"), slippages, view),
  },
];
