/** Formats times as a chat does, in the reader's time zone: the browser's, or a chosen one. */

/** @type {string | undefined} */
let timeZone;
/** Languages in which the reader's app writes moments, by ISO 639-1: the person's, or a chosen one. */
let language = "en";
/** @type {string | undefined} */
let chosenLanguage;
/** Number of milliseconds that the world's clock is ahead of the browser's. */
let ahead = 0;
/** Cached, since formats are expensive to create. @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/** @param {string | undefined} zone */
export function setZone(zone) {
  timeZone = zone;
  formats.clear();
}

export function setLanguage(code = "en") {
  language = code;
}

/** @param {string | undefined} code */
export function chooseLanguage(code) {
  chosenLanguage = code;
}

const locale = () => {
  const code = chosenLanguage ?? language;
  return code === "en" ? "en-GB" : code;
};

/** @param {number} milliseconds */
export function setAhead(milliseconds) {
  ahead = milliseconds;
}

const now = () => Date.now() + ahead;

/** The world's date and time. */
export const worldTime = () => `${dateOf(now())}, ${clockTime(now() / 1000)}`;

const HOUR_MS = 3_600_000;

/** The world's next full hour in UTC: `09:00`. */
export const nextHour = () => new Date(Math.ceil(now() / HOUR_MS) * HOUR_MS).toISOString().slice(11, 16);

/** @param {number} milliseconds since 1970 @param {Intl.DateTimeFormatOptions} options @param {string} inLocale */
function format(milliseconds, options, inLocale = "en-GB") {
  const key = `${inLocale} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(inLocale, { ...options, ...(timeZone && { timeZone }) });
  formats.set(key, known);
  return known.format(milliseconds);
}

const minutes = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const seconds = /** @type {const} */ ({ ...minutes, second: "2-digit" });
const day = /** @type {const} */ ({ day: "numeric", month: "long" });

/** @param {number} unix seconds since 1970 */
export const clockTime = (unix) => format(unix * 1000, minutes);

/** @param {number} milliseconds since 1970 */
export const exactTime = (milliseconds) => format(milliseconds, { ...seconds, fractionalSecondDigits: 3 });

/** @param {number} milliseconds */
const dateOf = (milliseconds) => format(milliseconds, { ...day, year: "numeric" });

/**
 * The day of a message: Today, Yesterday, 20 November, 20 November 2025.
 * @param {number} unix seconds since 1970
 */
export function dayName(unix) {
  const yesterday = new Date(now());
  yesterday.setDate(yesterday.getDate() - 1);
  const date = dateOf(unix * 1000);
  if (date === dateOf(now())) return "Today";
  if (date === dateOf(yesterday.getTime())) return "Yesterday";
  const year = /** @type {const} */ ({ year: "numeric" });
  return format(unix * 1000, year) === format(now(), year) ? format(unix * 1000, day) : date;
}

/**
 * Whether two messages belong under the same day divider.
 * @param {number} first seconds
 * @param {number} second seconds
 */
export const sameDay = (first, second) => dateOf(first * 1000) === dateOf(second * 1000);

/**
 * A duration in its two largest units: 3 h 20 min.
 * @param {number} milliseconds
 */
export function durationText(milliseconds) {
  const whole = Math.ceil(milliseconds / 60_000);
  const hours = Math.floor(whole / 60);
  return hours > 0 ? `${hours} h ${whole % 60} min` : `${whole} min`;
}

/** @type {readonly (readonly [Intl.RelativeTimeFormatUnit, number])[]} */
const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/**
 * A moment as Telegram's apps show it: `r` is relative, in one unit, rounded down; other letters select weekday, date
 * and time.
 * @param {number} unix seconds since 1970
 * @param {string} letters
 */
export function momentText(unix, letters) {
  if (letters === "r") {
    const left = unix - Math.floor(now() / 1000);
    const [unit, length] = units.find(([, each]) => Math.abs(left) >= each) ?? ["second", 1];
    const relative = new Intl.RelativeTimeFormat(locale(), { numeric: left === 0 ? "auto" : "always" });
    return relative.format(Math.trunc(left / length), unit);
  }
  const parts = /** @type {Intl.DateTimeFormatOptions} */ ({
    ...(letters.includes("w") && { weekday: "long" }),
    ...(letters.includes("d") && { day: "2-digit", month: "2-digit", year: "2-digit" }),
    ...(letters.includes("D") && { ...day, year: "numeric" }),
    ...(letters.includes("t") && minutes),
    ...(letters.includes("T") && seconds),
  });
  return format(unix * 1000, parts, locale());
}
