import * as z from "zod";
import { amountOf, type Amount, type Token } from "../../encoding/amount.js";
import { stored, whole } from "../../store/store.js";
import type { ExitRule } from "./exit-plan.js";

/** Its number, and what it `takes`, `pay`s, brings `net`, and leaves `then`. */
const targetRow = z.tuple([z.int(), whole, whole, whole, whole]);
const stopRow = stored({ n: z.int(), net: whole });
const trailRow = stored({
  n: z.int(),
  bps: whole,
  from: whole,
  line: whole.exactOptional(),
  high: whole.exactOptional(),
});
const otherRow = stored({
  n: z.int(),
  offeredAt: z.int().nullable(),
  offeredMoved: z.int(),
  offeredOn: z.string().nullable(),
  today: z.int(),
});

/** An exit's rule as stored: amounts are base units, whose tokens the request beside it names. */
export const storedExit = stored({
  begins: z.int(),
  of: z.int(),
  all: whole,
  left: whole,
  sold: whole.exactOptional(),
  targets: z.array(targetRow).readonly(),
  floor: z.union([stopRow, trailRow]).exactOptional(),
  comesAtNight: z.boolean(),
  other: otherRow.exactOptional(),
  shrunk: stored({ planned: whole, held: whole }).exactOptional(),
});
type ExitRow = z.output<typeof storedExit>;
type StoredExitRow = z.input<typeof storedExit>;

export function exitToRow({ sold, floor, shrunk, ...rule }: ExitRule): StoredExitRow {
  return {
    ...rule,
    all: bare(rule.all),
    left: bare(rule.left),
    ...(sold && { sold: bare(sold) }),
    targets: rule.targets.map(({ n, takes, pay, net, then }) => [n, bare(takes), bare(pay), bare(net), bare(then)]),
    ...(floor && { floor: floorToRow(floor) }),
    ...(shrunk && { shrunk: { planned: bare(shrunk.planned), held: bare(shrunk.held) } }),
  };
}

const bare = ({ units }: Amount): string => String(units);

function floorToRow(floor: NonNullable<ExitRule["floor"]>): NonNullable<StoredExitRow["floor"]> {
  if ("net" in floor) return { n: floor.n, net: bare(floor.net) };
  const { n, bps, from, line, high } = floor;
  const reached = { ...(line && { line: bare(line) }), ...(high !== undefined && { high: String(high) }) };
  return { n, bps: String(bps), from: String(from), ...reached };
}

/** @param tokens what it sells for what. */
export function exitOfRow(row: ExitRow, tokens: Readonly<Record<"from" | "to", Token>>): ExitRule {
  const { sold, floor, shrunk, ...rule } = row;
  const paid = (units: bigint) => amountOf(tokens.from, units);
  const got = (units: bigint) => amountOf(tokens.to, units);
  const targets = row.targets.map(([n, takes, pay, net, then]) => ({
    n,
    takes: paid(takes),
    pay: paid(pay),
    net: got(net),
    then: paid(then),
  }));
  return {
    ...rule,
    all: paid(row.all),
    left: paid(row.left),
    ...(sold !== undefined && { sold: paid(sold) }),
    targets,
    ...(floor && { floor: floorOfRow(floor, got) }),
    ...(shrunk && { shrunk: { planned: paid(shrunk.planned), held: paid(shrunk.held) } }),
  };
}

function floorOfRow(floor: NonNullable<ExitRow["floor"]>, got: (units: bigint) => Amount) {
  if ("net" in floor) return { n: floor.n, net: got(floor.net) };
  const { line, ...trail } = floor;
  return { ...trail, ...(line !== undefined && { line: got(line) }) };
}
