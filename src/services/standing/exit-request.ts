import { BPS, formatAmount, formatBps, NATIVE_TOKEN, type Amount, type Token } from "../../encoding/amount.js";
import {
  formatUntil,
  isNumeric,
  isShare,
  parseAmount,
  parseBps,
  parseUntil,
  type Until,
} from "../../encoding/typed.js";
import { Fault } from "../../fault.js";
import { collectFaults, type Parsed } from "../base/typed-line.js";
import type { TokenList } from "../market/token-list.js";
import type { Pay } from "../terms/swap-terms.js";
import { payText } from "../terms/terms.js";
import { allWords, assertOwnPayout, priceable, readPay } from "../trade/swap-request.js";
import { MAX_WORDS } from "./standing-request.js";

/** A share of all, sold once it brings so much more. */
interface TargetRequest {
  readonly shareBps: bigint;
  readonly upBps: bigint;
}

/** A typed exit: targets, nearest first, and what sells the rest. */
export interface ExitRequest {
  readonly kind: "exit";
  readonly pay: Pay;
  readonly from: Token;
  readonly to: Token;
  readonly targets: readonly TargetRequest[];
  /** So far below what percentages are of; or so far below the highest, which counts from `fromBps` above that on. */
  readonly floor?: { readonly downBps: bigint } | { readonly trailBps: bigint; readonly fromBps?: bigint };
  /** What percentages are of; absent: what all of it brings now. */
  readonly paid?: Amount;
  readonly until?: Until;
}

const MAX_TARGETS = 5;
/** Below that, fees and jitter would set it off. */
const MIN_MOVE_BPS = 100n;
const MAX_UP_BPS = 100n * BPS;

/** Words in any of the bot's languages. */
const TRAILING = /^(?:trail|trailing|m[oó]vel|seguindo)$/i;
const STOPPING = /^(?:stop|floor|piso)$/i;
const SINCE = /^(?:from|after|de|desde|após|apos)$/i;
const PAID = /^(?:paid|cost|pago|pagos|paguei|custou)$/i;
const EXIT_END = /^(?:[0-9]{1,6}[hdwy]|[0-9]{4}-[0-9]{2}-[0-9]{2})$/i;
const FILLING =
  /^(?:of|at|and|to|for|if|below|above|until|till|within|targets?|de|do|da|em|e|ou|or|com|with|por|para|abaixo|acima|até|ate|alvos?|its|highest|→|->)$/i;
/** `25%@+50%`, `+50%`, `-20%`. */
const MOVE = /^(?:([0-9]{1,3}(?:\.[0-9]{1,2})?)%?@)?([+\-−])([0-9]{1,5}(?:\.[0-9]{1,2})?)%$/;
const BARE_PERCENT = /^[0-9]{1,3}(?:\.[0-9]{1,2})?%$/;

interface ExitWords {
  readonly names: string[];
  readonly amounts: string[];
  readonly moves: { readonly share: string | undefined; readonly up: string }[];
  readonly floors: ({ readonly down: string } | { readonly trail: string; readonly since?: string })[];
  readonly paid: { readonly figure: string; readonly unit: string | undefined }[];
  readonly ends: string[];
}

/** Parses `KFI +50% -20%`, `5 KFI 25%@+25% 25%@+50% trail 15%`, `KFI móvel 15% de +20% 90d`. */
export function readExit(line: string, tokens: TokenList): Parsed<ExitRequest> {
  const { faults, attempt } = collectFaults();
  attempt(() => assertOwnPayout(line));
  if (faults.length > 0) return { faults };
  const words = allWords(line.replace(/%\s*@\s*(?=[+\-−])/g, "%@"), tokens);
  const said = words.length > MAX_WORDS ? undefined : wordsByMeaning(words, tokens);
  if (said === undefined) return "unreadable";
  const { names, amounts, moves, floors, paid: costs, ends } = said;
  const [name, other, more] = names;
  if (more !== undefined || [amounts, floors, costs, ends].some((each) => each.length > 1)) return "unreadable";
  const from = attempt(() => name && priceable(name, tokens)) || undefined;
  const counter = other ?? (from === undefined || from.id === NATIVE_TOKEN ? undefined : NATIVE_TOKEN);
  const to = attempt(() => counter && priceable(counter, tokens)) || undefined;
  if (from !== undefined && from.id === to?.id) faults.push(new Fault("tokens-identical", { token: from.id }));
  const pay = attempt(() => readPay(amounts[0] ?? "max", from));
  const [cost] = costs;
  const paid = attempt(() => (cost === undefined || to === undefined ? undefined : parseAmount(cost.figure, to)));
  const unit = attempt(() => cost?.unit && tokens.find(cost.unit)) || undefined;
  const until = attempt(() => ends[0] && parseUntil(ends[0])) || undefined;
  const targets = attempt(() => targetsRead(moves));
  const floor = attempt(() => floors[0] && floorOf(floors[0]));
  if (faults.length > 0) return { faults };
  if (from === undefined || to === undefined || pay === undefined || targets === undefined) return "incomplete";
  if (targets.length === 0 && !floor) return "incomplete";
  // What was paid in another token says nothing of lines in this one.
  if (unit !== undefined && unit.id !== to.id) return "unreadable";
  return {
    kind: "exit",
    pay,
    from,
    to,
    targets,
    ...(floor && { floor }),
    ...(paid && { paid }),
    ...(until && { until }),
  };
}

/** The words by what they say; undefined if some say nothing. */
function wordsByMeaning(words: readonly string[], tokens: TokenList): ExitWords | undefined {
  const said: ExitWords = { names: [], amounts: [], moves: [], floors: [], paid: [], ends: [] };
  for (let at = 0; at < words.length; at += 1) {
    const [word = "", next = "", between = "", last = ""] = words.slice(at, at + 4);
    const [, share, sign, percent = ""] = MOVE.exec(word) ?? [];
    if (sign === "+") said.moves.push({ share, up: percent });
    else if (sign !== undefined && share === undefined) said.floors.push({ down: percent });
    else if (sign !== undefined) return undefined;
    else if (TRAILING.test(word) && BARE_PERCENT.test(next)) {
      const [, part, plus, since] = SINCE.test(between) ? (MOVE.exec(last) ?? []) : [];
      const isSince = plus === "+" && part === undefined;
      said.floors.push({ trail: next.slice(0, -1), ...(isSince && since !== undefined && { since }) });
      at += isSince ? 3 : 1;
    } else if (STOPPING.test(word) && BARE_PERCENT.test(next)) {
      said.floors.push({ down: next.slice(0, -1) });
      at += 1;
    } else if (PAID.test(word) && isNumeric(next)) {
      const unit = tokens.knows(between) ? between : undefined;
      // Before any token is named, it may be the one that is sold.
      if (unit !== undefined && said.names.length === 0) return undefined;
      said.paid.push({ figure: next, unit });
      at += unit === undefined ? 1 : 2;
    } else if (EXIT_END.test(word)) said.ends.push(word);
    else if (isNumeric(word) || isShare(word)) said.amounts.push(word);
    else if (tokens.knows(word) || !(FILLING.test(word) || STOPPING.test(word))) said.names.push(word);
  }
  return said;
}

/** @throws Fault `exit-percent`. */
function bpsOf(percent: string, most: bigint): bigint {
  const [whole = "0", part = ""] = percent.split(".");
  const bps = BigInt(whole) * 100n + BigInt(part.padEnd(2, "0"));
  if (bps < MIN_MOVE_BPS || bps >= most) throw new Fault("exit-percent", { text: `${percent}%` });
  return bps;
}

function floorOf(floor: ExitWords["floors"][number]): NonNullable<ExitRequest["floor"]> {
  if ("down" in floor) return { downBps: bpsOf(floor.down, BPS) };
  const trailBps = bpsOf(floor.trail, BPS);
  return floor.since === undefined ? { trailBps } : { trailBps, fromBps: bpsOf(floor.since, MAX_UP_BPS) };
}

/**
 * Without shares, equal ones, of which the last takes the rest. @throws Fault `exit-percent`; `exit-shares` if there are
 * too many targets, two at one price, shares of some only, or of more than all.
 */
function targetsRead(moves: ExitWords["moves"]): readonly TargetRequest[] {
  const count = BigInt(moves.length);
  const read = moves.map(({ share, up }) => ({ share: shareOf(share), upBps: bpsOf(up, MAX_UP_BPS) }));
  const nearest = read.toSorted((one, other) => (one.upBps < other.upBps ? -1 : 1));
  const targets = nearest.map(({ share, upBps }, at) => {
    const isLast = at === nearest.length - 1;
    return { shareBps: share ?? (isLast ? BPS - (BPS / count) * (count - 1n) : BPS / count), upBps };
  });
  const unsaid = read.filter(({ share }) => share === undefined).length;
  const isTwice = new Set(targets.map(({ upBps }) => upBps)).size < targets.length;
  const isMixed = unsaid > 0 && unsaid < read.length;
  const total = targets.reduce((sum, { shareBps }) => sum + shareBps, 0n);
  if (moves.length > MAX_TARGETS || isTwice || isMixed || total > BPS) throw new Fault("exit-shares", {});
  return targets;
}

function shareOf(text: string | undefined): bigint | undefined {
  const bps = text === undefined ? undefined : parseBps(text);
  if (bps === 0) throw new Fault("exit-percent", { text: `${text}%` });
  return bps === undefined ? undefined : BigInt(bps);
}

/** The typed form: `5 KFI KLV 25%@+25% -20% paid 500 30d`. */
export function exitLine({ pay, from, to, targets, floor, paid, until }: ExitRequest): string {
  const words = [
    `${payText(pay)} ${from.id} ${to.id}`,
    ...targets.map(({ shareBps, upBps }) => `${formatBps(shareBps)}%@+${formatBps(upBps)}%`),
    floor && floorWords(floor),
    paid && `paid ${formatAmount(paid)}`,
    until && formatUntil(until),
  ];
  return words.filter((word) => word !== undefined).join(" ");
}

function floorWords(floor: NonNullable<ExitRequest["floor"]>): string {
  if ("downBps" in floor) return `-${formatBps(floor.downBps)}%`;
  const since = floor.fromBps === undefined ? "" : ` from +${formatBps(floor.fromBps)}%`;
  return `trail ${formatBps(floor.trailBps)}%${since}`;
}
