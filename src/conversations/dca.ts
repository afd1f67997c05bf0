import { card } from "../cards/card.js";
import { isFault } from "../fault.js";
import type { Messages } from "../locales/messages.js";
import { inLots } from "../services/base/lots.js";
import { isParsed, type Parsed } from "../services/base/typed-line.js";
import type { TokenList } from "../services/market/token-list.js";
import { dcaParts, readDca, type DcaRequest } from "../services/standing/dca-request.js";
import { createForm, type AnswerParser } from "./interview.js";
import { pick, readingLine, withWallet } from "./questions.js";
import { zoneQuestion } from "./settings.js";
import { askedTrade, setUp, type StandingFormParts, type StandingInterview } from "./standing.js";

/** The dialog of `/dca`. With `id`, changes that order. */
export function dcaForm(parts: StandingFormParts) {
  return createForm("dca.1", parts, async (begun, typed: string = "", id?: string) => {
    const interview = await withWallet(begun, parts);
    const read = readDca(typed, interview.tokens);
    if (isParsed(read)) {
      if (read.zone === undefined) await askedZone(interview, parts);
      return setUp("dca", interview, parts, typed, id);
    }
    return setUp("dca", interview, parts, await collectSchedule(interview, parts, typed), id);
  });
}

const DAY_CHOICES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const MONTH_DAYS = ["1", "5", "10", "15", "20", "31"];
const HOUR_CHOICES = ["07:00", "08:00", "09:00", "12:00", "18:00", "21:00"];
const TIMES_CHOICES = ["4", "8", "12", "26", "52"];

/** Schedules that say it all, so that nothing else is asked. */
function usualSchedules({ standing: { dayOfMonth, every, weekdays } }: Messages) {
  const usual = [
    ["daily 09:00 x30", every.d(1, "09:00"), "30"],
    ["monday 09:00 x12", every.w(1, weekdays[1] ?? "", "09:00"), "12"],
    ["monthly 1 09:00 x12", every.m(1, dayOfMonth(1), "09:00"), "12"],
  ] as const;
  return usual.map(([answer, label, times]) => [pick(answer, `${label} · ${times}×`)]);
}

/** Asks how often, on which day, when and how many times. An answer that says it all ends the questions. */
async function collectSchedule(interview: StandingInterview, parts: StandingFormParts, typed: string): Promise<string> {
  const { words, tokens, ask } = interview;
  const { standing } = words;
  const { trade, when } = dcaParts(typed, tokens);
  // A share of what is held would be another amount each time.
  const asks = { askIn: words.swap.askIn, askAmount: standing.askPayEach, hasShares: false };
  const { head } = await askedTrade(interview, trade, asks);
  /** Reads what comes next in a line. */
  const next = (before: string, written = (text: string) => text.trim()): AnswerParser<string> => {
    const reading = readingLine(words, standing.usage.dca, (text) => readBegun(`${before} ${written(text)}`, tokens));
    return (text) => {
      const made = reading(text);
      return made.ok ? { ok: true, value: `${before} ${written(text)}` } : made;
    };
  };
  const isWhole = (line: string) => isParsed(readDca(line, tokens));
  const often = inLots(
    Object.entries(standing.oftenAs).map(([answer, label]) => pick(answer, label)),
    2,
  );
  const told = when === "" ? undefined : next(head)(when);
  // What was said of the time stays, if all that it lacks is how often.
  const rest = isParsed(readBegun(`${head} daily ${when}`, tokens)) ? when : "";
  const asksEvery = {
    name: "every",
    prompt: card([standing.askEvery], rest === "" ? [...usualSchedules(words), ...often] : often),
    read: next(head, (text) => `${text.trim()} ${rest}`.trim()),
  };
  let line = told?.ok === true ? told.value : await ask(asksEvery);
  const begun = readBegun(line, tokens);
  const { every, on, zone: named } = isParsed(begun) ? begun : {};
  const zone = named ?? (await askedZone(interview, parts));
  if (isWhole(line)) return line;

  if (every?.unit === "w" && on === undefined) {
    const days = DAY_CHOICES.map((day, at) => [pick(day, standing.weekdays[(at + 1) % 7])]);
    line = await ask({
      name: "day",
      prompt: card([standing.askWeekday], inLots(days.flat(), 2)),
      read: next(line),
    });
  } else if (every?.unit === "m" && on === undefined) {
    const days = inLots(
      MONTH_DAYS.map((day) => pick(day)),
      3,
    );
    line = await ask({ name: "day", prompt: card([standing.askDay], days), read: next(line) });
  }
  if (isWhole(line)) return line;

  const isTimed = isParsed(readDca(`${line} x1`, tokens));
  if (!isTimed) {
    const hour = (text: string) => text.trim().replace(/^([01]?[0-9]|2[0-3])$/, "$1:00");
    const hours = inLots(
      HOUR_CHOICES.map((time) => pick(time)),
      3,
    );
    line = await ask({ name: "time", prompt: card([standing.askTime(zone)], hours), read: next(line, hour) });
  }
  if (isWhole(line)) return line;
  const count = (text: string) =>
    text
      .trim()
      .replace(/^([0-9]{1,6})$/, "x$1")
      .replace(/^(?=[0-9]{4}-[0-9]{2}-[0-9]{2}$)/, "until ");
  const times = [TIMES_CHOICES.map((times) => pick(times, `${times}×`))];
  return ask({ name: "times", prompt: card([standing.askTimes], times), read: next(line, count) });
}

/** Reads a line that may still lack its time, or how many times. Words that mean nothing are no time zone here. */
function readBegun(line: string, tokens: TokenList): Parsed<DcaRequest> {
  const [whole = "unreadable", ...made] = ["", " x1", " 09:00", " 09:00 x1"].map((end) => readDca(line + end, tokens));
  const read = [whole, ...made].find(isParsed) ?? whole;
  const isZone =
    typeof read === "object" &&
    "faults" in read &&
    read.faults.some((fault) => isFault(fault, "standing-town", "standing-zone"));
  return isZone ? "unreadable" : read;
}

/** Asks for the user's city, unless they have a time zone. */
async function askedZone({ userId, words, ask, external }: StandingInterview, parts: StandingFormParts) {
  const known = await external(() => parts.zoneOf(userId));
  if (known !== undefined) return known;
  const zone = await ask({ name: "zone", ...zoneQuestion(words) });
  await external(() => parts.saveZone(userId, zone));
  return zone;
}
