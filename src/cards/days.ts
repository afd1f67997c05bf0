import { amountOf } from "../encoding/amount.js";
import type { Token } from "../encoding/token.js";
import { DAY_MS } from "../services/intent/limits.js";
import { chartPicture } from "../services/picture/chart.js";
import { withToken } from "./amount.js";
import type { View } from "./card.js";

/** What there was of one token from day to day, in UTC. */
interface Days {
  readonly title: string;
  readonly token: Token;
  readonly parts: readonly { readonly at: number; readonly units: bigint }[];
  /** When the first day and the last one begin, in milliseconds since 1970. */
  readonly first: number;
  readonly last: number;
}

/** A bar for each day, also for those without any, and the largest and the sum of them in words. */
export function daysPicture({ token, parts, title, first, last }: Days, view: View) {
  const points = Array.from({ length: 1 + (last - first) / DAY_MS }, (_, index) => {
    const at = first + index * DAY_MS;
    const ofDay = parts.filter((part) => part.at - (part.at % DAY_MS) === at);
    return { at, value: ofDay.reduce((sum, { units }) => sum + units, 0n) };
  });
  const most = points.reduce((high, { value }) => (value > high ? value : high), 0n);
  const words = (units: bigint) => withToken(amountOf(token, units), view.words);
  const [value, highest] = [words(parts.reduce((sum, { units }) => sum + units, 0n)), words(most)];
  const svg = chartPicture({
    form: "bars",
    theme: view.pictures ?? "dark",
    title,
    value,
    points,
    floor: 0n,
    ceiling: most === 0n ? 1n : most,
    highest,
    lowest: "0",
    from: new Date(first).toISOString().slice(0, 10),
    to: new Date(last).toISOString().slice(0, 10),
  });
  return { svg, total: value, highest };
}
