import { changeWalletCard, pastedAddressCard, walletCard } from "../../src/cards/account.js";
import { arrivalRows, arrivedCard } from "../../src/cards/arrivals.js";
import { addressesCard, removedLines } from "../../src/cards/addresses.js";
import { freezeCard } from "../../src/cards/freeze.js";
import { helpCard, homeCard } from "../../src/cards/account.js";
import { type Account, balanceCard } from "../../src/cards/portfolio.js";
import {
  forgetCard,
  laterCard,
  reallyForgetCard,
  securityCard,
  usedUpCard,
  alertSettingsCard,
  languageCard,
  settingsCard,
  slippageCard,
  laterLines,
} from "../../src/cards/settings.js";
import { noticeCard } from "../../src/cards/admin.js";
import { card, type View } from "../../src/cards/card.js";
import { amountOf } from "../../src/encoding/amount.js";
import { people } from "../support/documents.js";
import { sharesOf } from "../../src/services/market/pool.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import { lock, lp } from "../services/trade/launch-samples.js";
import { poolOf } from "../services/market/pool-samples.js";
import { alice, kfi, klv, operator } from "../services/samples.js";
import { dvk, now } from "./arrange.js";
import { asIs, type CardSample } from "./card-sample.js";
import { menuSamples } from "./menu-samples.js";

const lpPool = poolOf(1, ["DVK-34ZH", 1_000_000_000n], ["KFI", 20_000_000n], {
  lpTokenId: lp.id,
  totalSupply: 141_421_356n,
});
const since = { address: alice, since: now };
const list = tokenListOf([klv, kfi]);
const held = { KLV: 1_250_000_000n, KFI: 5_000_000n, [lp.id]: 141_420_356n, "LKTOK-1A2B/3": 5_000_000n };
const account: Account = {
  address: alice,
  holdings: held,
  tokens: [klv, kfi, dvk, lp],
  locks: [
    {
      ...lock(5_000_000n, 5500n, { amount: amountOf(kfi, 5_000_000n) }),
      epoch: 5500n,
      beginsAt: now + 26 * 86_400_000,
    },
  ],
  otherLocks: [amountOf({ ...kfi, id: "LKTOK-1A2B/1" }, 25_000_000n)],
  shares: sharesOf([lpPool], held, tokenListOf([klv, kfi, dvk, lp]).named),
  watched: [],
};
const savings = { name: "Savings", address: operator };
const watchOnly = [savings, { name: "Mum’s", address: alice }];
const atHome = [
  { amount: amountOf(klv, 1_250_000_000n), worth: { amount: amountOf(klv, 1_250_000_000n), isThin: false } },
  { amount: amountOf(kfi, 5_000_000n), worth: { amount: amountOf(klv, 501_060_000n), isThin: false } },
  { amount: amountOf(dvk, 7_000_000n), worth: { amount: amountOf(klv, 70_000_000n), isThin: true } },
  { amount: amountOf(lp, 141_420_356n) },
];
const person = people.create("1001");
const guarded = {
  ...person,
  phrase: "blue bicycle",
  limits: {
    KLV: {
      most: { perTransaction: amountOf(klv, 100_000_000n), perDay: amountOf(klv, 500_000_000n) },
      later: { most: {}, from: now + 86_400_000 },
    },
  },
  changes: (["phrase", "limit", "wallet", "unfreeze", "timezone", "slippage", "freeze", "first-wallet"] as const).map(
    (guard) => ({
      at: now,
      guard,
    }),
  ),
};
const settingsOf = ({ timeZone }: View) => ({
  presets: ["10", "50", "250"],
  language: timeZone === "UTC" ? "en" : "pt",
  timeZone,
});
const slippages = { defaultSlippageBps: 100, maxSlippageBps: 1500 };

/** What users see of the bot, their own account and tokens. */
export const peopleSamples: readonly CardSample[] = [
  ...menuSamples,
  { name: "home", draw: (view) => homeCard(alice, atHome, view, "KFI/KLV") },
  {
    name: "home, while all that is kept waits to be deleted",
    draw: (view) => homeCard(alice, undefined, view, undefined, {}, laterLines({ guard: "forget", from: now }, view)),
  },
  { name: "home, where nothing can be seen", draw: (view) => homeCard(alice, undefined, view) },
  {
    name: "help",
    draw: ({ words }) => helpCard(words, { referralPercentage: 1000 }, list.all),
  },
  { name: "balances", draw: (view, as = asIs) => balanceCard({ ...as(account), address: alice }, view) },
  {
    name: "balances, with watch-only addresses",
    draw: (view, as = asIs) => {
      const many = Array.from({ length: 7 }, (_, at) => amountOf(at === 0 ? klv : kfi, 1_250_000_000n + BigInt(at)));
      const watched = [
        { ...savings, held: many },
        { name: "Mum’s", held: [] },
        { name: "Till", held: undefined },
      ];
      return balanceCard(as({ ...account, watched: watched.map((each) => ({ address: operator, ...each })) }), view);
    },
  },
  {
    name: "watch-only addresses",
    draw: ({ words }, as = asIs) => addressesCard({ watchOnly: as(watchOnly), wallet: since }, words),
  },
  { name: "a watch-only address removed", draw: ({ words }) => addressesCard({}, words, removedLines(savings, words)) },
  {
    name: "balances, where one can be told of what arrives",
    draw: (view) => balanceCard({ ...account, address: alice }, view, arrivalRows(false, view)),
  },
  {
    name: "something has arrived",
    draw: (view) =>
      arrivedCard(
        { amounts: [["KLV", 120_500_000n]], hash: "ab".repeat(32) },
        { ...view, tokenOf: list.named, explorerUrl: "https://explorer.example" },
      ),
  },
  {
    name: "much has arrived",
    draw: (view, as = asIs) => {
      const ids = ["KLV", "KFI", "DVK-34ZH", "SPM-9Z9Z", "CHP-1A2B", "NEW-1C2D", "LKTOK-1A2B"];
      const amounts = ids.map((id, at) => [id, 1_250_000n * BigInt(at + 1)] as const);
      return arrivedCard(as({ amounts }), { ...view, tokenOf: list.named });
    },
  },
  {
    name: "told of what arrives, or not",
    draw: ({ words }) => card([words.arrivals.chosen.on, words.arrivals.chosen.off]),
  },
  { name: "no balance", draw: (view) => balanceCard({ ...account, holdings: {}, otherLocks: [] }, view) },
  { name: "the wallet address", draw: (view) => walletCard(view, since) },
  {
    name: "the wallet address, where wallets sign",
    draw: (view) => walletCard({ ...view, publicUrl: "https://bot.example" }, since),
  },
  { name: "a pasted address", draw: ({ words }) => pastedAddressCard(words, alice, false) },
  { name: "another pasted address", draw: ({ words }) => pastedAddressCard(words, operator, true) },
  { name: "another wallet address", draw: ({ words }) => changeWalletCard(words, alice, operator) },
  ...(
    [
      { guard: "wallet", address: operator, from: now },
      { guard: "unfreeze", from: now },
    ] as const
  ).flatMap((later) => [
    { name: `${later.guard}, waiting`, draw: (view: View) => laterCard(later, view) },
    { name: `${later.guard}, in effect`, draw: (view: View) => noticeCard({ kind: "in-effect", change: later }, view) },
  ]),
  { name: "forget, waiting", draw: (view) => laterCard({ guard: "forget", from: now }, view) },
  { name: "what is kept", draw: (view) => forgetCard(0, now / 1000, view) },
  { name: "what is kept, with unknown outcomes", draw: (view) => forgetCard(2, now / 1000, view) },
  { name: "what is kept, with an unknown outcome", draw: (view) => forgetCard(1, now / 1000, view) },
  { name: "really forget", draw: (view) => reallyForgetCard(now, now / 1000, view) },
  { name: "really forget, at once", draw: (view) => reallyForgetCard(undefined, now / 1000, view) },
  { name: "forgotten", draw: ({ words }) => card([words.security.forgotten]) },
  { name: "security", draw: (view, as = asIs) => securityCard(as(guarded), view) },
  { name: "security, defaults", draw: (view) => securityCard(person, view) },
  { name: "freeze, asked", draw: (view) => freezeCard(view) },
  { name: "freeze, asked, without a delay", draw: (view) => freezeCard({ ...view, guardDelaySeconds: 0 }) },
  { name: "not frozen", draw: ({ words }) => card([words.security.kept]) },
  {
    name: "home, frozen",
    draw: (view) => homeCard(alice, undefined, view, undefined, { frozenSince: now }),
  },
  {
    name: "home, frozen until",
    draw: (view) =>
      homeCard(alice, undefined, view, undefined, {
        frozenSince: now,
        later: [{ guard: "unfreeze", from: now + 3_600_000 }],
      }),
  },
  { name: "security, frozen", draw: (view) => securityCard({ ...person, frozenSince: now }, view) },
  {
    name: "security, after a change of limits",
    draw: (view, as = asIs) =>
      securityCard(as(guarded), view, view.words.settings.saved, { id: "a".repeat(22), until: now + 60_000 }),
  },
  { name: "security, limits taken back", draw: (view) => securityCard(person, view, view.words.security.takenBack) },
  { name: "security, limits kept", draw: (view) => securityCard(person, view, view.words.security.limitsKept) },
  {
    name: "a limit that today's trades have used up",
    draw: (view) =>
      usedUpCard({ spent: amountOf(klv, 1_100_000_000n), perDay: amountOf(klv, 500_000_000n) }, "KLV 100 / 500", view),
  },
  { name: "settings", draw: (view) => settingsCard(settingsOf(view), slippages) },
  {
    name: "settings, with the week on Sundays",
    draw: (view) => settingsCard({ ...settingsOf(view), weekly: { sunday: "2026-07-05" } }, slippages),
  },
  {
    name: "settings, light pictures",
    draw: (view) => settingsCard({ ...settingsOf(view), pictures: "light" }, slippages),
  },
  {
    name: "settings, with a time zone that isn't known",
    draw: (view) => settingsCard({ ...settingsOf(view), timeZone: "Mars/Olympus" }, slippages),
  },
  {
    name: "settings, with an offset",
    draw: (view) => settingsCard({ ...settingsOf(view), timeZone: "Etc/GMT-5" }, slippages),
  },
  {
    name: "settings, with quiet hours",
    draw: (view) =>
      settingsCard({ ...settingsOf(view), alerts: { modes: {}, quiet: { from: "22:00", to: "07:00" } } }, slippages),
  },
  { name: "slippage", draw: (view) => slippageCard(settingsOf(view), slippages) },
  { name: "language", draw: (view) => languageCard(settingsOf(view)) },
  { name: "alerts", draw: (view) => alertSettingsCard({ modes: { fill: "silent", other: "off" } }, view) },
  {
    name: "alerts, with quiet hours",
    draw: (view) => alertSettingsCard({ modes: {}, quiet: { from: "22:00", to: "07:00" } }, view),
  },
];
