import { stringify } from "csv-stringify/sync";
import { amountOf, compareAmounts, formatAmount, formatRate, isZero, type Amount } from "../encoding/amount.js";
import { formatAssetId } from "../encoding/asset.js";
import { formatBps } from "../encoding/percent.js";
import type { Token } from "../encoding/token.js";
import type { Asset, Portfolio } from "../services/portfolio/portfolio.js";
import { figure, paidWithToken, percent, withToken } from "./amount.js";
import { buttons } from "./buttons.js";
import {
  bold,
  button,
  card,
  labelled,
  line,
  linesIn,
  say,
  type Card,
  type Line,
  type Lines,
  type View,
} from "./card.js";
import { momentOf } from "./time.js";

/** A message has its limits; the file has everything. */
const MAX_LINES = 45;
const INDENT = "     ";

/** @param choices other tokens to count in. */
export function portfolioCard(portfolio: Portfolio, choices: readonly string[], view: View): Card {
  const { countedIn, assets, shares, locks, uncounted, tooOld } = portfolio;
  const { portfolio: words, balance, common, help } = view.words;
  const held = assets.map((asset) => assetLines(asset, countedIn, view));
  const inPools = shares.map(({ amount, first, second }) => [
    bold(withToken(amount, view.words)),
    `${INDENT}${balance.standsFor(withToken(first, view.words), withToken(second, view.words))}`,
  ]);
  const locked = locks.map(({ locked: asset, amount, unlockEpoch, beginsAt }) => {
    const until = (date: string | undefined) => balance.until(formatAssetId(asset), unlockEpoch, date);
    return [bold(withToken(amount, view.words)), line(INDENT, say(until, momentOf(beginsAt, view, "day")))];
  });
  const lines = linesIn([
    held.length === 0 && portfolio.isSeen && words.nothing,
    held,
    inPools.length > 0 && ["", words.shares, inPools],
    locked.length > 0 && ["", words.locks, locked],
  ]);
  return card(
    [
      bold(help.commands.portfolio),
      say((time) => words.asOf(time, countedIn.id), momentOf(portfolio.at, view, "time")),
      !portfolio.isSeen && words.unseen,
      "",
      lines.slice(0, MAX_LINES),
      lines.length > MAX_LINES && balance.more(lines.length - MAX_LINES),
      "",
      totalLines(portfolio, view),
      !portfolio.arePoolsKnown && words.sharesUnknown,
      uncounted > 0 && words.uncounted(uncounted),
      tooOld > 0 && words.tooOld(tooOld),
      words.explain,
    ],
    [
      choices.map((id) => button(id, buttons.portfolio, id)),
      [
        button(common.refresh, buttons.portfolio, countedIn.id),
        button(words.file, buttons.portfolioFile, countedIn.id),
      ],
    ],
  );
}

function assetLines(asset: Asset, countedIn: Token, view: View): Lines {
  const { token, held, sale, counted, countedCost, unrealised, realised, soldUnknown } = asset;
  const words = view.words.portfolio;
  const isCountedIn = token.id === countedIn.id;
  const name = bold(held === undefined ? words.noBalance(token.id) : withToken(held, view.words));
  const value = sale === undefined ? words.valueUnknown : `≈ ${withToken(sale.value, view.words)}`;
  const isHeld = held === undefined || !isZero(held);
  return [
    isCountedIn || !isHeld ? name : line(name, " · ", value),
    !isCountedIn &&
      isHeld &&
      sale?.impactBps !== undefined &&
      indented(words.saleCost(percent(formatBps(sale.impactBps), view.words))),
    !isCountedIn && isHeld && indented(costText(counted, countedCost, held, view)),
    unrealised !== undefined && gainLine(words.unrealised, unrealised, countedIn, view),
    realised !== 0n && gainLine(words.realised, realised, countedIn, view),
    soldUnknown > 0n && indented(words.soldUnknown(withToken(amountOf(token, soldUnknown), view.words))),
  ];
}

function costText(counted: Amount, cost: Amount, held: Amount | undefined, view: View): string {
  const words = view.words.portfolio;
  if (isZero(counted)) return words.costUnknown;
  const price = formatRate(counted, cost);
  const paid = paidWithToken(cost, view.words);
  const known = price === undefined ? words.costUnits(paid) : words.cost(paid, figure(price, view.words));
  const isWhole = held !== undefined && compareAmounts(held, counted) === 0;
  return isWhole ? known : `${known}, ${words.costOnly(withToken(counted, view.words))}`;
}

function totalLines({ assets, countedIn }: Portfolio, view: View): Lines {
  const words = view.words.portfolio;
  const sum = (units: readonly bigint[]) => units.reduce((total, each) => total + each, 0n);
  const values = assets.flatMap(({ sale }) => (sale === undefined ? [] : [sale.value.units]));
  const open = assets.filter(isUnknown).length;
  const unrealised = assets.flatMap(({ unrealised: gain }) => (gain === undefined ? [] : [gain]));
  const realised = sum(assets.map((asset) => asset.realised));
  const total = values.length === 0 ? words.valueUnknown : withToken(amountOf(countedIn, sum(values)), view.words);
  return [
    assets.length > 0 &&
      line(labelled(words.total, total), open > 0 && values.length > 0 ? ` (${words.totalOpen(open)})` : ""),
    unrealised.length > 0 && labelled(words.unrealisedTotal, signed(sum(unrealised), countedIn, view)),
    assets.some((asset) => asset.realised !== 0n) && labelled(words.realisedTotal, signed(realised, countedIn, view)),
  ];
}

function isUnknown({ held, sale, bought }: Asset): boolean {
  return sale === undefined && (held === undefined ? bought > 0n : !isZero(held));
}

const indented = (text: string): string => `${INDENT}${text}`;

function gainLine(label: string, units: bigint, token: Token, view: View): Line {
  return line(INDENT, `${label}: `, signed(units, token, view));
}

/** A gain is rounded down, a loss up. */
function signed(units: bigint, token: Token, { words }: View): string {
  return units < 0n
    ? `−${paidWithToken(amountOf(token, -units), words)}`
    : `+${withToken(amountOf(token, units), words)}`;
}

type Entry = Readonly<Record<(typeof columns)[number], string>>;
const columns = [
  "kind",
  "token",
  "held",
  "value",
  "counted_in",
  "sale_cost_percent",
  "cost_known_for",
  "cost",
  "unrealised",
  "realised",
  "sold_unknown_cost",
  "about",
] as const;

/** RFC 4180, exact, with a point; what is unknown is empty. Fixed words are English, since programs read them. */
export function portfolioFile({ assets, shares, locks, countedIn }: Portfolio): string {
  const entry = (kind: string, { id }: Token, fields: Partial<Entry>): string[] => {
    const all: Partial<Entry> = { kind, token: id, counted_in: countedIn.id, ...fields };
    return columns.map((column) => all[column] ?? "");
  };
  const units = (value: bigint, token: Token) =>
    value < 0n ? `-${formatAmount(amountOf(token, -value))}` : formatAmount(amountOf(token, value));
  const rows = [
    ...assets.map(({ token, held, sale, counted, countedCost, ...asset }) =>
      entry("token", token, {
        held: held === undefined ? "" : formatAmount(held),
        value: sale === undefined ? "" : formatAmount(sale.value),
        sale_cost_percent: sale?.impactBps === undefined ? "" : formatBps(sale.impactBps),
        ...(!isZero(counted) && { cost_known_for: formatAmount(counted), cost: formatAmount(countedCost) }),
        unrealised: asset.unrealised === undefined ? "" : units(asset.unrealised, countedIn),
        realised: units(asset.realised, countedIn),
        sold_unknown_cost: units(asset.soldUnknown, token),
      }),
    ),
    ...shares.map(({ amount, first, second }) => {
      const about = [first, second].map((part) => `${formatAmount(part)} ${part.token.id}`).join(" + ");
      return entry("pool share", amount.token, { held: formatAmount(amount), about });
    }),
    ...locks.map(({ locked, amount, unlockEpoch, beginsAt }) => {
      const from = beginsAt === undefined ? "" : `, about ${new Date(beginsAt).toISOString().slice(0, 10)}`;
      const about = `${formatAssetId(locked)} until epoch ${unlockEpoch}${from}`;
      return entry("lock", amount.token, { held: formatAmount(amount), about });
    }),
  ];
  return `\uFEFF${stringify([[...columns], ...rows], { record_delimiter: "windows" })}`;
}
