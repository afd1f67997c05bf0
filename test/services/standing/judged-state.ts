/**
 * What exits are promised, reckoned a second time from what was asked for, what prices were answered and what arrived. It
 * shares no code with the bot: also its figures are written here once more. A limit is an exit with one target that sells
 * all, a stop one without targets.
 */

export interface JudgedExit {
  readonly id: string;
  readonly userId: number;
  readonly kind: "exit" | "limit" | "stop";
  readonly market: string;
  readonly quantity: bigint;
  /** What percentages are of. */
  readonly base: bigint;
  /** Nearest first. */
  readonly targets: readonly { readonly shareBps: bigint; readonly upBps: bigint }[];
  readonly floor?: { readonly downBps: bigint } | { readonly trailBps: bigint; readonly fromBps: bigint };
  readonly setAt: number;
  readonly endsAt: number;
  /** Whether its owner has quiet hours, from 23:00 to 07:00. */
  readonly hasQuiet: boolean;
}

/** `place`: of the part. */
export interface JudgedCard {
  readonly exit: string;
  readonly card: string;
  readonly madeAt: number;
  readonly place: number;
  readonly pays: bigint;
  readonly least?: bigint;
  readonly most?: bigint;
  /** What was quoted for it, before the fee. */
  readonly quoted: bigint;
}

/** What happened at a time. `known`: what others would have been told then, and soon after, of an amount. */
export type Happening = { readonly at: number } & (
  | { readonly what: "set"; readonly exit: string }
  | {
      readonly what: "answer";
      readonly market: string;
      readonly pays: bigint;
      readonly units: bigint;
      readonly known: (pays: bigint) => readonly bigint[];
    }
  | { readonly what: "made"; readonly card: JudgedCard }
  | { readonly what: "arrived"; readonly card: JudgedCard }
  | { readonly what: "sold"; readonly card: JudgedCard; readonly got: bigint }
  | { readonly what: "unknown"; readonly card: JudgedCard; readonly got: bigint }
  | { readonly what: "settled"; readonly card: JudgedCard; readonly hasSold: boolean }
  | { readonly what: "failed"; readonly exit: string }
  | { readonly what: "held"; readonly exit: string; readonly units: bigint }
  | { readonly what: "high"; readonly exit: string; readonly units: bigint }
  | { readonly what: "ended"; readonly exit: string; readonly why: string }
);

/** Something that keeps cards from coming, with how long after it they may still be on their way. */
export interface Hold {
  readonly kind: string;
  readonly from: number;
  readonly until: number;
  /** Whom it concerns, if it isn't everybody. */
  readonly userId?: number;
}

export const net = (units: bigint): bigint => units - units / 100n;
export const up = (over: bigint, under: bigint): bigint => (over + under - 1n) / under;
/** The least that leaves so much after the fee. */
export function gross(wanted: bigint): bigint {
  let units = wanted + wanted / 99n - 2n;
  while (net(units) < wanted) units += 1n;
  return units;
}

interface Target {
  readonly place: number;
  takes: bigint;
  line: bigint;
}

export interface Demand {
  readonly at: number;
  readonly place: number;
  /** Whether the price was one percent back since the part's last card. */
  readonly isNew: boolean;
}

export interface State {
  readonly asked: JudgedExit;
  readonly cards: (JudgedCard & { readonly at: number })[];
  readonly demands: Demand[];
  /** When a call's outcome was awaited, or ended without a trade. */
  readonly waits: { readonly from: number; until: number }[];
  readonly failures: number[];
  targets: Target[];
  left: bigint;
  sold: bigint;
  places: number[];
  high: bigint;
  newest?: JudgedCard;
  /** A call of which nobody knows how it ended. */
  unknown?: JudgedCard;
  /** What is held, once its owner has traded by hand. */
  held?: bigint;
  isShrunk: boolean;
  overAt?: number;
  /** Parts whose price was back since their last card. */
  readonly rearmed: Set<number>;
  /** Numbers of the questions that it watches. */
  watched: readonly string[];
}

export interface Question {
  readonly by: Set<State>;
  /** Answers that began less than ten seconds after this one count as one, the least of them. */
  stretch?: { readonly at: number; least: bigint };
}

export function begun(asked: JudgedExit): State {
  const { quantity, base, targets } = asked;
  let shares = 0n;
  const parts = targets.map(({ shareBps, upBps }, place): Target => {
    const before = (quantity * shares) / 10_000n;
    shares += shareBps;
    const takes = (quantity * shares) / 10_000n - before;
    return { place, takes, line: up(base * (10_000n + upBps) * takes, quantity * 10_000n) };
  });
  return {
    ...{ asked, cards: [], demands: [], waits: [], failures: [], targets: parts, left: quantity, sold: 0n, places: [] },
    ...{ high: 0n, isShrunk: false, rearmed: new Set<number>(), watched: [] },
  };
}

/** What a part would sell. */
export const taken = ({ asked, targets, left }: State, place: number): bigint | undefined =>
  place === asked.targets.length ? left : targets.find((target) => target.place === place)?.takes;

/** The line of the floor for what is left, after the fee; undefined of a trail without a high. */
export function floorLine({ asked: { floor, base, quantity }, left, high }: State): bigint | undefined {
  if (floor === undefined) return undefined;
  if ("downBps" in floor) return (((base * (10_000n - floor.downBps)) / 10_000n) * left) / quantity;
  return high === 0n ? undefined : net((high * (10_000n - floor.trailBps)) / 10_000n);
}

/** Whether an answer reaches a part. */
export function reaches(state: State, place: number, units: bigint): boolean {
  const { asked, targets, high } = state;
  const target = targets.find((one) => one.place === place);
  if (target !== undefined) return net(units) >= target.line;
  const { floor } = asked;
  if (floor !== undefined && "trailBps" in floor)
    return high > 0n && units <= (high * (10_000n - floor.trailBps)) / 10_000n;
  return net(units) <= (floorLine(state) ?? 0n);
}

/** Whether an answer is one percent back, or a little more. */
export function isBack(state: State, place: number, units: bigint): boolean {
  const target = state.targets.find((one) => one.place === place);
  if (target !== undefined) return net(units) * 1000n <= target.line * 989n;
  return net(units) * 1000n >= (floorLine(state) ?? 0n) * 1011n;
}

/** Those that may come next, with what is asked about for them. */
export function partsOf({ asked, targets, left }: State): readonly { readonly place: number; readonly pays: bigint }[] {
  const next = targets.slice(0, 1).map(({ place, takes }) => ({ place, pays: takes }));
  return asked.floor === undefined ? next : [...next, { place: asked.targets.length, pays: left }];
}

/** Whether less is held than planned. */
export const isShort = (state: State): state is State & { readonly held: bigint } =>
  state.asked.kind === "exit" && state.held !== undefined && state.held < state.left;

/** What is left of an exit of which so much is held. */
export function shrunk(
  { targets, high, left }: State,
  held: bigint,
): Pick<State, "high" | "isShrunk" | "left" | "targets"> {
  let rest = held;
  const fitting = targets.flatMap((target) => {
    const takes = target.takes < rest ? target.takes : rest;
    rest -= takes;
    return takes === 0n ? [] : [{ ...target, takes, line: up(target.line * takes, target.takes) }];
  });
  return { targets: fitting, high: (high * held) / left, left: held, isShrunk: true };
}
