import * as z from "zod";
import { DAY_MS } from "../../clock.js";
import { formatUntil, isNumeric, isShare, parseUntil, type Until } from "../../encoding/typed.js";
import type { Token } from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import { collectFaults, type Parsed } from "../base/typed-line.js";
import type { TokenList } from "../market/token-list.js";
import { readZone } from "../person/typed-zone.js";
import { lastMoment } from "../person/until.js";
import { dayAfter, instantOf, zoneOf } from "../person/zone.js";
import type { Pay } from "../terms/swap-terms.js";
import { payText } from "../terms/terms.js";
import { BETWEEN, allWords, assertOwnPayout, priceable, readPay, tradeWords } from "../trade/swap-request.js";
import { MAX_WORDS } from "./standing-request.js";
import { localNow, occurrenceAt, type Every, type Schedule } from "./schedule.js";

/** A typed request to buy regularly. */
export interface DcaRequest {
  readonly kind: "dca";
  readonly pay: Pay;
  readonly from: Token;
  readonly to: Token;
  readonly every: Every;
  /** `09:00`, by the clocks of the zone. */
  readonly time: string;
  /** The day of the first: of the week (0 is Sunday), of the month, or a date; absent: as soon as the clocks show the time. */
  readonly on?:
    | { readonly weekday: number }
    | { readonly day: number }
    | { readonly date: string }
    | { readonly inDays: 0 | 1 };
  /** How often; absent: until it ends. */
  readonly times?: number;
  readonly until?: Until;
  /** Absent: the user's. */
  readonly zone?: string;
}

const MAX_TIMES = 366;
/** A date in the next year may be a leap day further away. */
const MAX_SCHEDULE_MS = 366 * DAY_MS;

/** Words in any of the bot's languages. */
const WEEKDAYS = [
  /^(?:sun(?:days?)?|dom(?:ingos?)?)$/,
  /^(?:mon(?:days?)?|seg(?:undas?(?:-?feiras?)?)?)$/,
  /^(?:tue(?:s(?:days?)?)?|ter(?:[cç]as?(?:-?feiras?)?)?)$/,
  /^(?:wed(?:nesdays?)?|qua(?:rtas?(?:-?feiras?)?)?)$/,
  /^(?:thu(?:rs?(?:days?)?)?|qui(?:ntas?(?:-?feiras?)?)?)$/,
  /^(?:fri(?:days?)?|sex(?:tas?(?:-?feiras?)?)?)$/,
  /^(?:sat(?:urdays?)?|s[aá]b(?:ados?)?)$/,
];
const UNITS: readonly (readonly [unit: Every["unit"], RegExp])[] = [
  ["d", /^(?:d|daily|days?|di[aá]ri[oa]s?|diariamente|dias?)$/],
  ["w", /^(?:w|weekly|weeks?|semanal|semanalmente|semanas?)$/],
  ["m", /^(?:m|monthly|months?|mensal|mensalmente|m[eê]s|meses)$/],
];
const EVERY = /^(?:every|each|cada|tod[oa]s?)$/;
const DAY_OF_MONTH = /^(?:([1-9]|[12][0-9]|3[01])(?:st|nd|rd|th|º)?)$/;
const DAY_WORD = /^(?:day|dia)$/;
const TIMES_WORD = /^(?:x|times|vezes|vez)$/;
const WHEN_FILLING = /^(?:at|on|o|a|as|às|os|no|na|em|de|the|of|from|starting|desde|e|and)$/;
const BEFORE_UNTIL = /^(?:until|till|for|até|ate|por|durante)$/;
const CLOCK = /^([01]?[0-9]|2[0-3])(?::([0-5][0-9])|h([0-5][0-9])?)$/;
const TWELVE_HOURS = /^(1[0-2]|0?[1-9])(?::([0-5][0-9]))?(am|pm)$/;
const CLOCK_LIKE = /^[0-9]{1,3}[:h][0-9]{0,3}$|^[0-9]{1,3}(?::[0-9]{1,3})?(?:am|pm)$/;
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const DCA_SPAN = /^[0-9]{1,6}[dwy]$/;
const RELATIVE = new Map<string, 0 | 1>([
  ["today", 0],
  ["hoje", 0],
  ["tomorrow", 1],
  ["amanhã", 1],
  ["amanha", 1],
]);

/** Whether a word says when, rather than what. */
function isOfSchedule(word: string): boolean {
  const forms = [
    ...WEEKDAYS,
    ...UNITS.map(([, form]) => form),
    EVERY,
    CLOCK_LIKE,
    DATE,
    DCA_SPAN,
    /^x[0-9]+$|^[0-9]+x$/,
  ];
  return RELATIVE.has(word) || forms.some((form) => form.test(word));
}

/** Parses `100 KLV KFI monday 09:00 x12`, `100 KLV KFI every 2 weeks 09:00 6 times`, `… 31 09:00 90d` and so on. */
export function readDca(line: string, tokens: TokenList): Parsed<DcaRequest> {
  const { faults, attempt } = collectFaults();
  attempt(() => assertOwnPayout(line));
  if (faults.length > 0) return { faults };
  const all = allWords(line, tokens);
  if (all.length > MAX_WORDS) return "unreadable";
  const length = headLength(all);
  const trade = tradeWords(all.slice(0, length).join(" "), tokens);
  if (trade === undefined) return "unreadable";
  const { amount, tokenIn, tokenOut } = trade;
  const from = attempt(() => tokenIn && priceable(tokenIn, tokens)) || undefined;
  const to = attempt(() => tokenOut && priceable(tokenOut, tokens)) || undefined;
  if (from !== undefined && from.id === to?.id) faults.push(new Fault("tokens-identical", { token: from.id }));
  const pay = attempt(() => amount && readPay(amount, from)) || undefined;
  const when = attempt(() => readWhen(all.slice(length)));
  if (faults.length > 0) return { faults };
  if (when === "unreadable") return when;
  const { every, time, times, until } = when ?? {};
  if (from === undefined || to === undefined || pay === undefined || every === undefined || time === undefined)
    return "incomplete";
  if (times === undefined && until === undefined) return "incomplete";
  return { kind: "dca", pay, from, to, ...when, every, time };
}

/** What is traded, and when, as far as a line says them: `KLV KFI` and `monday 09:00 x12`. */
export function dcaParts(line: string, tokens: TokenList) {
  const all = allWords(line, tokens);
  const length = headLength(all);
  return { trade: all.slice(0, length).join(" "), when: all.slice(length).join(" ") };
}

/** The number of words that say what is traded: an amount and two tokens, with what stands between them. */
function headLength(words: readonly string[]): number {
  let tokens = 0;
  for (const [at, word] of words.entries()) {
    const small = word.toLowerCase();
    if (isOfSchedule(small) || (at > 0 && CLOCK_LIKE.test(small))) return at;
    const isAmount = isNumeric(word) || isShare(word);
    // A second number is a day of the month.
    if (isAmount && tokens >= 2) return at;
    if (isAmount || BETWEEN.test(word) || /^(?:of|de)$/i.test(word)) continue;
    if (tokens === 2) return at;
    tokens += 1;
  }
  return words.length;
}

/** What is left of a request without its trade. @throws Fault `standing-…`, `unlock-time-…`. */
function readWhen(words: readonly string[]): Partial<Omit<DcaRequest, "from" | "kind" | "pay" | "to">> | "unreadable" {
  const found: { -readonly [Key in keyof DcaRequest]?: DcaRequest[Key] } = {};
  const others: string[] = [];
  const small = words.map((word) => word.toLowerCase());
  let [said, isOfWeekday] = ["", false];
  /** @throws Fault `standing-twice` if it is said a second time. */
  const note = <Key extends keyof DcaRequest>(key: Key, value: DcaRequest[Key]): void => {
    if (found[key] !== undefined) throw new Fault("standing-twice", { text: said });
    found[key] = value;
  };
  /** A date says its weekday too. */
  const noteDate = (date: string): void => {
    isOfWeekday = found.on !== undefined && "weekday" in found.on && isOn(date, found.on);
    if (isOfWeekday) found.on = { date };
    else note("on", { date });
  };
  for (let at = 0; at < small.length; at += 1) {
    const [before = "", word = "", next = ""] = [small[at - 1], small[at], small[at + 1]];
    said = word;
    const weekday = WEEKDAYS.findIndex((form) => form.test(word));
    const unit = UNITS.find(([, form]) => form.test(word))?.[0];
    const [, counted, countedUnit] = /^([0-9]{1,3})([dwm])$/.exec(word) ?? [];
    const [, glued, behind = glued] = /^(?:x([0-9]{1,6})|([0-9]{1,6})x)$/.exec(word) ?? [];
    const relative = RELATIVE.get(word);
    const nextUnit = UNITS.find(([, form]) => form.test(next))?.[0];
    if (CLOCK_LIKE.test(word)) note("time", timeOfDay(word));
    else if (behind !== undefined) note("times", timesOf(behind));
    else if (/^[0-9]{1,6}$/.test(word) && TIMES_WORD.test(next)) {
      note("times", timesOf(word));
      at += 1;
    } else if (weekday >= 0) note("on", { weekday });
    else if (relative !== undefined) note("on", { inDays: relative });
    else if (DATE.test(word) && BEFORE_UNTIL.test(before)) note("until", parseUntil(word));
    else if (DATE.test(word)) noteDate(dateOnly(word));
    else if (counted !== undefined && EVERY.test(before)) note("every", everyOf(counted, countedUnit as Every["unit"]));
    else if (DCA_SPAN.test(word)) note("until", parseUntil(word));
    else if (DAY_WORD.test(word) && DAY_OF_MONTH.test(next)) continue;
    else if (/^[0-9]{1,3}$/.test(word) && nextUnit !== undefined) {
      // `every 2 weeks`, or for so long.
      if (BEFORE_UNTIL.test(before)) note("until", parseUntil(`${word}${nextUnit === "m" ? " months" : nextUnit}`));
      else note("every", everyOf(word, nextUnit));
      at += 1;
    } else if (DAY_OF_MONTH.test(word)) note("on", { day: digitsOf(word) });
    else if (unit !== undefined) note("every", everyOf("1", unit));
    else if (!(EVERY.test(word) || WHEN_FILLING.test(word) || BEFORE_UNTIL.test(word))) others.push(words[at] ?? "");
  }
  const { on } = found;
  const isWeekly = isOfWeekday || (on !== undefined && "weekday" in on);
  const isMonthly = on !== undefined && "day" in on;
  const every = found.every ?? (isWeekly ? everyOf("1", "w") : isMonthly ? everyOf("1", "m") : undefined);
  // A day of the week goes with weeks only, and one of the month with months.
  if ((isWeekly && every?.unit !== "w") || (isMonthly && every?.unit !== "m") || others.length > 3) return "unreadable";
  const zone = others.length === 0 ? undefined : zoneNamed(others.join(" "));
  return { ...found, ...(every && { every }), ...(zone !== undefined && { zone }) };
}

function zoneNamed(text: string): string {
  const zone = readZone(text);
  const asked = { text: text.trim().slice(0, 40) };
  if (zone.kind === "several") throw new Fault("standing-town", { ...asked, meant: zone.names });
  if (zone.kind !== "zone") throw new Fault("standing-zone", asked);
  return zone.name;
}

function timeOfDay(text: string): string {
  const [, hours, minutes, after] = CLOCK.exec(text) ?? [];
  if (hours !== undefined) return `${hours.padStart(2, "0")}:${minutes ?? after ?? "00"}`;
  const [, hour, past = "00", half] = TWELVE_HOURS.exec(text) ?? [];
  if (hour === undefined) throw new Fault("standing-time", { text });
  const of24 = (digitsOf(hour) % 12) + (half === "pm" ? 12 : 0);
  return `${String(of24).padStart(2, "0")}:${past}`;
}

/** The number that a word begins with, of six digits at most. */
function digitsOf(word: string): number {
  // oxlint-disable-next-line money/no-floating-point -- a count, a day or an hour
  return parseInt(word, 10);
}

function timesOf(text: string): number {
  const times = digitsOf(text);
  if (times < 1 || times > MAX_TIMES) throw new Fault("standing-times", { text });
  return times;
}

function everyOf(text: string, unit: Every["unit"]): Every {
  const count = digitsOf(text);
  if (count < 1 || count > MAX_TIMES) throw new Fault("standing-span", { text: `${text}${unit}` });
  return { count, unit };
}

/** @throws Fault `standing-past` for a date that doesn't exist. */
function dateOnly(text: string): string {
  if (!z.iso.date().safeParse(text).success) throw new Fault("standing-past", { text });
  return text;
}

/**
 * The schedule of a request, from its first occurrence on.
 * @throws Fault `standing-past`, `standing-times`, `standing-span`, `standing-town`, `standing-zone`.
 */
export function scheduleOf(
  request: Omit<DcaRequest, "from" | "kind" | "pay" | "to">,
  ownZone: string,
  now: number,
): Schedule {
  const { time, every, on } = request;
  const zone = request.zone ?? ownZone;
  const at = (date: string) => instantOf(zoneOf({ timeZone: zone }), { date, time });
  let { date } = localNow(zone, now);
  if (on !== undefined && ("date" in on || "inDays" in on)) {
    const day = "date" in on ? on.date : on.inDays === 0 ? date : dayAfter(date);
    if (at(day) <= now) throw new Fault("standing-past", { text: `${day} ${time}` });
    if (at(day) > now + MAX_SCHEDULE_MS) throw new Fault("standing-begins", { text: day });
    date = day;
  } else {
    const isDay = (one: string) => on === undefined || isOn(one, on);
    while (!isDay(date) || at(date) <= now) date = dayAfter(date);
  }
  const day = on !== undefined && "day" in on ? { day: on.day } : {};
  const most: Schedule = { zone, from: { date, time }, every, times: request.times ?? MAX_TIMES, ...day };
  const end = request.until === undefined ? undefined : lastMoment(request.until, zone, now);
  if (request.until !== undefined && end !== undefined && end <= now)
    throw new Fault("standing-past", { text: formatUntil(request.until) });
  let times = 0;
  while (times < most.times && (end === undefined || occurrenceAt(most, times) <= end)) times += 1;
  if (times === 0) throw new Fault("standing-times", { text: "0" });
  if (occurrenceAt(most, times - 1) > now + MAX_SCHEDULE_MS) throw new Fault("standing-span", { text: `x${times}` });
  return { ...most, times };
}

function isOn(date: string, on: { readonly weekday: number } | { readonly day: number }): boolean {
  const day = new Date(`${date}T00:00Z`);
  if ("weekday" in on) return day.getUTCDay() === on.weekday;
  const lastDay = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  return day.getUTCDate() === Math.min(on.day, lastDay);
}

/** The typed form: `100 KLV KFI every 1w 2026-12-07 09:00 x12`. */
export function dcaLine({ pay, from, to, every, time, on, times, until, zone }: DcaRequest): string {
  const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
  const first =
    on === undefined
      ? ""
      : "weekday" in on
        ? (weekdays[on.weekday] ?? "")
        : "day" in on
          ? `${on.day}`
          : "date" in on
            ? on.date
            : on.inDays === 0
              ? "today"
              : "tomorrow";
  const words = [payText(pay), from.id, to.id, `every ${every.count}${every.unit}`, first, time];
  const end = [
    times === undefined ? "" : `x${times}`,
    until === undefined ? "" : `until ${formatUntil(until)}`,
    zone ?? "",
  ];
  return [...words, ...end].filter((word) => word !== "").join(" ");
}
