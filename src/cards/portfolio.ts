import { dayOf } from "../clock.js";
import { amountOf, compareAmounts, formatAmount, formatAssetId, formatBps } from "../encoding/amount.js";
import { formatRate, isZero, type Amount, type Holdings, type Token } from "../encoding/amount.js";
import { type Asset, type Portfolio, totalOf, type DayValue } from "../services/history/portfolio.js";
import type { WatchedAccount } from "../services/history/portfolio.js";
import type { StandingView } from "../services/standing/standing-news.js";
import type { Unclear } from "../services/telegram/outbox-unclear.js";
import { watchedParts } from "./addresses.js";
import { aboutText, exactWithToken, figure, paidWithToken, withToken, percentOfBps } from "./amount.js";
import { buttons, type PortfolioForm, button } from "./buttons.js";
import { card, bold, code, labelled, line, linesIn, say, momentOf } from "./card.js";
import type { ButtonRows, Card, Line, Lines, View } from "./card.js";
import { csvOf, listCard, type Columns, type Entry, type Parts } from "./list.js";
import { type PictureCard, lineChart } from "./picture.js";
import { positionButton } from "./position-button.js";
import { exitLinesIn } from "./standing-state.js";
import { unclearLine } from "./unclear.js";

/** A message's length is limited; the file has everything. */
const MAX_PORTFOLIO_LINES = 45;

/**
 * @param choices other tokens to express values in. @param exits that are set for what is held.
 * @param pictured tokens whose positions have a button to a picture.
 */
export function portfolioCard(
  portfolio: Portfolio,
  choices: readonly string[],
  view: View,
  exits: readonly StandingView[] = [],
  pictured: readonly string[] = [],
): Card {
  const { countedIn, assets, shares, locks, otherLocks, uncounted, tooOld } = portfolio;
  const { portfolio: words, common, help, history } = view.words;
  const entry = (amount: Amount, note: Line) => [bold(withToken(amount, view.words)), note];
  const inPools = shares?.map((share) => entry(share.amount, standsFor(share, view)));
  const locked = [
    ...locks.map((lock) => entry(lock.amount, lockedUntilLine(lock, view))),
    ...otherLocks.map(({ amount }) => entry(amount, view.words.lock.elsewhere)),
  ];
  const to = (label: string, tokenId: string, as: PortfolioForm = "card") =>
    button(label, buttons.portfolio, { tokenId, as });
  const listed = linesIn([
    assets.length === 0 && portfolio.isSeen && history.empty,
    assets.map((asset) => {
      const own = exits.filter(({ order }) => order.request.from.id === asset.token.id);
      return [assetLines(asset, countedIn, view), own.map((exit) => exitLinesIn(exit, view))];
    }),
    inPools !== undefined && inPools.length > 0 && ["", words.shares, inPools],
    locked.length > 0 && ["", words.locks, locked],
  ]);
  const lines: Lines = [
    bold(help.commands.portfolio),
    assets.length > 0 && totalLines(portfolio, view),
    say(words.asOf, momentOf(portfolio.at, view, "time"), countedIn.id),
    !portfolio.isSeen && words.unseen,
    "",
    listed.slice(0, MAX_PORTFOLIO_LINES),
    listed.length > MAX_PORTFOLIO_LINES && common.andMore(listed.length - MAX_PORTFOLIO_LINES),
    watchOnlyLines(portfolio, view),
    "",
    shares === undefined && words.sharesUnknown,
    uncounted > 0 && words.uncounted(uncounted),
    portfolio.unknownRoyalties > 0 && words.unknownRoyalties(portfolio.unknownRoyalties),
    tooOld > 0 && words.tooOld(tooOld),
    words.explain,
  ];
  const others = [to(words.overTime, countedIn.id, "picture"), to(history.file, countedIn.id, "csv")];
  const pictures = pictured.map((id) => positionButton(`🖼 ${shortIn(pictured, id)}`, id, countedIn.id));
  const refresh = to(common.refresh, countedIn.id);
  return card(lines, [choices.map((id) => to(words.countIn(id), id)), others, [refresh, ...pictures]]);
}

/** Draws the total of each day on which it was looked at; undefined for fewer than two days. */
export function portfolioPicture(values: readonly DayValue[], view: View): PictureCard | undefined {
  const { portfolio: words, common, picture } = view.words;
  const tokenId = values.at(-1)?.value.token.id ?? "";
  const title = `${words.total} · ${tokenId}`;
  const points = values.map(({ at, value }) => ({ at, value: value.units, text: withToken(value, view.words) }));
  const chart = lineChart(title, points, dayOf, view);
  if (chart === undefined || points.length === 1) return undefined;
  const { svg, first, last } = chart;
  const lines = [bold(title), picture.valueOn(last.text, dayOf(last.at)), chart.lines, words.lookedAt(dayOf(first.at))];
  const refresh = button(common.refresh, buttons.portfolio, { tokenId, as: "picture" });
  return { svg, card: card(lines, [[refresh]]) };
}

/** A ticker, or the whole id beside another token of that ticker. */
function shortIn(ids: readonly string[], id: string): string {
  const [ticker = id] = id.split("-");
  return ids.some((other) => other !== id && other.split("-")[0] === ticker) ? id : ticker;
}

export function assetLines(asset: Asset, countedIn: Token, view: View): Lines {
  const { head, costs, gain, more } = assetParts(asset, countedIn, view);
  return [head, costs, gain, more];
}

/** What an asset is worth, what selling and buying it cost, its gain, and what there is besides. */
export function assetParts({ token, held, sale, paid, ...asset }: Asset, countedIn: Token, view: View) {
  const words = view.words.portfolio;
  const name = bold(held === undefined ? words.noBalance(token.id) : withToken(held, view.words));
  const value = sale === undefined ? words.valueUnknown : aboutText(withToken(sale.value, view.words), sale, view);
  const isPriced = token.id !== countedIn.id && (held === undefined || !isZero(held));
  const gain = (label: string, units: bigint) => `${label}: ${signed(units, countedIn, view)}`;
  const more = [
    asset.realised !== 0n && gain(words.realised, asset.realised),
    asset.soldUnknown > 0n && words.soldUnknown(withToken(amountOf(token, asset.soldUnknown), view.words)),
  ];
  return {
    head: [isPriced ? line(name, " · ", value) : name, sale?.isRoyaltyUnknown === true && words.beforeRoyalty],
    costs: [
      sale?.costBps !== undefined && words.saleCost(percentOfBps(sale.costBps, view.words)),
      isPriced && paidText(paid, held, view),
    ],
    gain: asset.unrealised !== undefined && gain(words.unrealised, asset.unrealised),
    more,
  } satisfies Readonly<Record<string, Lines[number]>>;
}

function paidText(paid: Asset["paid"], held: Amount | undefined, { words }: View): string {
  if (paid === undefined) return words.portfolio.costUnknown;
  const price = formatRate(paid.known, paid.cost);
  const cost = words.portfolio.cost(paidWithToken(paid.cost, words), price && figure(price, words));
  const isWhole = held !== undefined && compareAmounts(held, paid.known) === 0;
  return isWhole ? cost : `${cost}, ${words.portfolio.costOnly(withToken(paid.known, words))}`;
}

function totalLines(portfolio: Portfolio, view: View): Lines {
  const { assets, countedIn } = portfolio;
  const words = view.words.portfolio;
  const { total, open } = totalOf(portfolio);
  const unrealised = assets.flatMap(({ sale, unrealised: gain }) => (sale?.isThin === true ? [] : (gain ?? [])));
  const realised = assets.map((asset) => asset.realised);
  const sumOf = (gains: readonly bigint[]) => gains.reduce((sum, gain) => sum + gain, 0n);
  const value = total === undefined ? words.totalUnknown : withToken(total, view.words);
  return [
    line(labelled(words.total, value), open > 0 ? ` (${words.totalOpen(open)})` : ""),
    assets.some(({ sale }) => sale?.isThin) && view.words.common.thinExplain,
    unrealised.length > 0 && labelled(words.unrealisedTotal, signed(sumOf(unrealised), countedIn, view)),
    realised.some((gain) => gain !== 0n) && labelled(words.realisedTotal, signed(sumOf(realised), countedIn, view)),
  ];
}

/** Watch-only addresses with what they are worth, and the total with them. */
function watchOnlyLines({ assets, watchOnly, countedIn }: Portfolio, view: View): Lines {
  const { addresses, portfolio: words } = view.words;
  const worth = (some: Parameters<typeof totalOf>[0]["assets"], unread = 0) => {
    const { total = some.length === 0 ? amountOf(countedIn, 0n) : undefined, open } = totalOf({ assets: some });
    const value = total === undefined ? words.totalUnknown : withToken(total, view.words);
    return line(bold(value), open + unread > 0 && ` (${words.totalOpen(open + unread)})`);
  };
  const unread = watchOnly.filter((each) => each.assets === undefined).length;
  const all = [...assets, ...watchOnly.flatMap((each) => each.assets ?? [])];
  return watchOnly.length === 0
    ? []
    : [
        "",
        addresses.notInTotal,
        watchOnly.map((each) => line(`${each.name}: `, each.assets ? worth(each.assets) : words.totalUnknown)),
        labelled(addresses.withTotal, worth(all, unread)),
      ];
}

/** Rounds gains down and losses up. */
export function signed(units: bigint, token: Token, { words }: View): string {
  return units < 0n
    ? `−${paidWithToken(amountOf(token, -units), words)}`
    : `+${withToken(amountOf(token, units), words)}`;
}

type CsvRow = Partial<Asset> & { readonly kind: string; readonly token: Token; readonly about?: string };

/** The same figures as a file, with every digit. */
export function portfolioFile({ assets, watchOnly, shares = [], locks, otherLocks, countedIn }: Portfolio): Buffer {
  const gain = (units: bigint) =>
    (units < 0n ? "-" : "") + formatAmount(amountOf(countedIn, units < 0n ? -units : units));
  const columns: Columns<CsvRow> = {
    kind: ({ kind }) => kind,
    token: ({ token }) => token.id,
    held: ({ held }) => held && formatAmount(held),
    value: ({ sale }) => sale && formatAmount(sale.value),
    counted_in: () => countedIn.id,
    sale_cost_percent: ({ sale }) => (sale?.costBps === undefined ? undefined : formatBps(sale.costBps)),
    cost_known_for: ({ paid }) => paid && formatAmount(paid.known),
    cost: ({ paid }) => paid && formatAmount(paid.cost),
    unrealised: ({ unrealised }) => (unrealised === undefined ? undefined : gain(unrealised)),
    realised: ({ realised }) => (realised === undefined ? undefined : gain(realised)),
    sold_unknown_cost: ({ token, soldUnknown }) =>
      soldUnknown === undefined ? undefined : formatAmount(amountOf(token, soldUnknown)),
    about: ({ about }) => about,
  };
  const day = (at: number | undefined) => (at === undefined ? "" : `, about ${dayOf(at)}`);
  return csvOf(columns, [
    ...assets.map((asset) => ({ kind: "token", ...asset, ...(asset.sale?.isThin === true && { about: "thin" }) })),
    ...watchOnly.flatMap(({ name, address, assets: held }) => {
      const row = { kind: "watch-only", about: `${name} ${address}` };
      return (
        held?.map((asset) => ({ ...row, ...asset, token: asset.held.token })) ?? [
          { ...row, token: countedIn, about: `${row.about}, unknown` },
        ]
      );
    }),
    ...shares.map(({ amount, first, second }) => {
      const about = [first, second].map((part) => `${formatAmount(part)} ${part.token.id}`).join(" + ");
      return { kind: "pool share", token: amount.token, held: amount, about };
    }),
    ...locks.map(({ locked, amount, unlockEpoch, beginsAt }) => {
      const about = `${formatAssetId(locked)} until epoch ${unlockEpoch}${day(beginsAt)}`;
      return { kind: "lock", token: amount.token, held: amount, about };
    }),
    ...otherLocks.map(({ amount }) => ({ kind: "lock", token: amount.token, held: amount, about: "locked elsewhere" })),
  ]);
}

export interface Account extends Pick<Portfolio, "locks"> {
  readonly address: string;
  readonly holdings: Holdings;
  readonly tokens: readonly Token[];
  /** Locked tokens that the bot has no record of. */
  readonly otherLocks: readonly Amount[];
  readonly shares: NonNullable<Portfolio["shares"]>;
  readonly watched: readonly WatchedAccount[];
  /** Messages about what arrived that may not have reached their user. */
  readonly unclear?: Unclear | undefined;
}

const MAX_ASSETS = 25;

/** @param rows further buttons. */
export function balanceCard(account: Account, view: View, rows: ButtonRows = []): Card {
  const { balance, common, help } = view.words;
  const heldOf = (token: Token, asset = token.id) => amountOf(token, account.holdings[asset] ?? 0n);
  const entryOf = (amount: Amount, note?: Line): Entry[] =>
    isZero(amount) ? [] : [{ lines: [bold(exactWithToken(amount, view.words)), note] }];
  const held = account.tokens.flatMap((token) => {
    const share = account.shares.find(({ amount }) => amount.token.id === token.id);
    return entryOf(heldOf(token), share && standsFor(share, view));
  });
  const onRecord = account.locks.flatMap((lock) =>
    entryOf(heldOf(lock.amount.token, formatAssetId(lock.locked)), lockedUntilLine(lock, view)),
  );
  const locked = [...onRecord, ...account.otherLocks.flatMap((amount) => entryOf(amount, view.words.lock.elsewhere))];
  const lockedShown = locked.slice(0, Math.max(0, MAX_ASSETS - held.length));
  const more = held.length + locked.length - MAX_ASSETS;
  const parts: Parts = [
    bold(help.commands.balance),
    code(account.address),
    "",
    held.length + locked.length === 0 && balance.nothing,
    { layout: "close", entries: held.slice(0, MAX_ASSETS) },
    held.length > 0 && lockedShown.length > 0 && "",
    lockedShown.length > 0 && balance.locked,
    { layout: "close", entries: lockedShown },
    more > 0 && common.andMore(more),
    ...watchedParts(account.watched, view),
    "",
    balance.onlyKnown,
    unclearLine(account.unclear, view),
  ];
  return listCard(parts, rows);
}

/** What LP tokens represent. */
export function standsFor({ first, second }: Account["shares"][number], { words }: View): string {
  return words.balance.standsFor(withToken(first, words), withToken(second, words));
}

function lockedUntilLine({ locked, unlockEpoch, beginsAt }: Portfolio["locks"][number], view: View): Line {
  return say(view.words.balance.until, formatAssetId(locked), `${unlockEpoch}`, momentOf(beginsAt, view, "day"));
}
