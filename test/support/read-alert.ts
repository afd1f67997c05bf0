import { asRead } from "./as-read.js";

/** An order's state according to alerts. */
export interface ToldState {
  readonly status: string;
  readonly filled: bigint;
}

/** An alert about an order of the exchange stub, parsed from its English text. */
export interface ToldAlert {
  readonly orderId: string;
  /** The previous state, derived from the change that the alert reports. */
  readonly from: ToldState;
  readonly to: ToldState;
  /** Quantity filled since the last alert. */
  readonly since: bigint;
}

const STATUS: Readonly<Record<string, string>> = {
  open: "OPEN",
  "partially filled": "PARTIALLY",
  filled: "DONE",
  cancelled: "CANCELED",
};
const HEADLINES: readonly (readonly [RegExp, string])[] = [
  [/^🟡 [0-9.]+%/, "PARTIALLY"],
  [/^✅ Filled/, "DONE"],
  [/^✖️ Cancelled/, "CANCELED"],
];

/** @throws Error if the text is no alert, or contradicts itself. */
export function readAlert(sent: string): ToldAlert {
  const text = asRead(sent);
  const headline = HEADLINES.find(([pattern]) => pattern.test(text))?.[1];
  const orderId = /^[0-9a-f-]{36}$/m.exec(text)?.[0];
  const filled = /^Filled: ([0-9,]+) of [0-9,]+ KLV/m.exec(text)?.[1]?.replaceAll(",", "");
  const [, before, after] = / · ([a-z ]+) → ([a-z ]+)$/m.exec(text) ?? [];
  const since = (/^.* · ([0-9,]+) KLV/.exec(text)?.[1] ?? "0").replaceAll(",", "");
  if (headline === undefined || orderId === undefined || filled === undefined) throw new Error(`no alert:\n${text}`);
  if (after !== undefined && STATUS[after] !== headline) throw new Error(`the alert contradicts itself:\n${text}`);
  const to = { status: headline, filled: BigInt(filled) };
  const status = before === undefined ? headline : (STATUS[before] ?? before);
  return { orderId, from: { status, filled: to.filled - BigInt(since) }, to, since: BigInt(since) };
}

export function isSameState(left: ToldState, right: ToldState): boolean {
  return left.status === right.status && left.filled === right.filled;
}
