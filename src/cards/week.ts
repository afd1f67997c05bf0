import type { Week } from "../services/history/week-figures.js";
import type { Person } from "../services/person/person.js";
import { localTime, zoneOf } from "../services/person/zone.js";
import { figuresPicture } from "../services/picture/picture.js";
import { referralPercent, withToken } from "./amount.js";
import { button, buttons } from "./buttons.js";
import { bold, card, labelled, type ButtonRows, type View } from "./card.js";
import type { PictureCard } from "./picture.js";
import { signed } from "./portfolio.js";

export const isWeeklyOn = ({ weekly }: Pick<Person, "weekly">): boolean => weekly !== undefined && !weekly.isOff;

/** The button to be told every Sunday, or no more. */
export function weekRows(person: Pick<Person, "weekly">, { words: { week: words } }: Pick<View, "words">): ButtonRows {
  const choice = isWeeklyOn(person) ? "off" : "on";
  return [[button(words.choose[choice], buttons.weekly, { choice, on: "week" })]];
}

const toneOf = (gain: bigint): "up" | "down" => (gain > 0n ? "up" : "down");

/** A week's figures as a picture and in words; without trades there is no picture. */
export function weekPicture(week: Week, view: View): PictureCard {
  const {
    countedIn,
    from,
    to,
    gain,
    trades,
    unproven,
    unknownRoyalties,
    tooOld,
    sales,
    unknownSales,
    routes,
    unknownRoutes,
    saved,
  } = week;
  const words = view.words.week;
  const dayOf = (at: number) => localTime(zoneOf(view), at).date;
  const title = words.title(dayOf(from), dayOf(to));
  if (trades + unproven === 0) return { svg: undefined, card: card([bold(title), words.none], weekRows(view, view)) };
  const gained = gain === undefined ? words.unknown : signed(gain, countedIn, view);
  const spared = saved === undefined ? words.unknown : withToken(saved, view.words);
  const tone = sales === 0 || gain === undefined || gain === 0n ? undefined : toneOf(gain);
  const figures = [
    { label: words.gain, value: sales === 0 ? words.nothingSold : gained, tone },
    { label: words.trades, value: String(trades) },
    { label: words.saved, value: routes === 0 ? words.noRoutes : spared },
  ];
  const notes = [
    unknownSales > 0 && words.unknownSales(unknownSales, sales),
    unproven > 0 && words.unproven(unproven),
    unknownRoyalties > 0 && view.words.portfolio.unknownRoyalties(unknownRoyalties),
    tooOld > 0 && view.words.portfolio.tooOld(tooOld),
    routes > 0 && words.savedExplain(referralPercent(view.referralPercentage, view.words)),
    unknownRoutes > 0 && words.unknownRoutes(unknownRoutes, routes, countedIn.id),
  ];
  const lines = [bold(title), figures.map(({ label, value }) => labelled(label, value)), "", notes, words.explain];
  return { svg: figuresPicture({ title, figures }, view.pictures), card: card(lines, weekRows(view, view)) };
}
