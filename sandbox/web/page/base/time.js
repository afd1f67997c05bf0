/** Times as a chat shows them, in the time zone of whoever looks. */

const clock = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const exact = new Intl.DateTimeFormat([], {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});
const thisYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "long" });
const otherYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", year: "numeric" });

/** @param {number} seconds since 1970 */
export const clockTime = (seconds) => clock.format(seconds * 1000);

/** @param {number} milliseconds since 1970 */
export const exactTime = (milliseconds) => exact.format(milliseconds);

/**
 * Names the day of a message: Today, Yesterday, 20 November, 20 November 2025.
 * @param {number} seconds since 1970
 * @param {Date} [now]
 */
export function dayName(seconds, now = new Date()) {
  const day = new Date(seconds * 1000);
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (day.toDateString() === now.toDateString()) return "Today";
  if (day.toDateString() === yesterday.toDateString()) return "Yesterday";
  return (day.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(day);
}

/**
 * Whether two messages belong under the same day divider.
 * @param {number} first seconds
 * @param {number} second seconds
 */
export const sameDay = (first, second) =>
  new Date(first * 1000).toDateString() === new Date(second * 1000).toDateString();

/**
 * A duration in its two largest units: 3 h 20 min.
 * @param {number} milliseconds
 */
export function durationText(milliseconds) {
  const minutes = Math.ceil(milliseconds / 60_000);
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}
