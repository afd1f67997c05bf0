import {
  begun,
  floorLine,
  gross,
  isBack,
  isShort,
  net,
  partsOf,
  reaches,
  shrunk,
  taken,
  up,
  type Happening,
  type Demand,
  type Hold,
  type JudgedCard,
  type JudgedExit,
  type Question,
  type State,
} from "./judged-state.js";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000] as const;
const SOON = MINUTE;
const CARD_LIVES = 10 * MINUTE;
const AGAIN = 4 * HOUR;

export interface Verdict {
  readonly faults: readonly string[];
  /** How often each thing was seen. */
  readonly counts: ReadonlyMap<string, number>;
  readonly ends: ReadonlyMap<string, { readonly left: bigint; readonly isOver: boolean; readonly sold: bigint }>;
}

/** Everything that happened, against what was asked for. */
export function judgeExits(
  exits: readonly JudgedExit[],
  happenings: readonly Happening[],
  holds: readonly Hold[],
  end: number,
): Verdict {
  const faults: string[] = [];
  const counts = new Map<string, number>();
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const time = (at: number): string => new Date(at).toISOString().slice(5, 23);
  const states = new Map(exits.map((asked) => [asked.id, begun(asked)]));
  const questions = new Map<string, Question>();
  /** Those whose owners have traded by hand. */
  const traded = new Set<State>();
  const fault = ({ asked }: State, at: number, what: string): void => {
    const { kind, id, userId, market } = asked;
    faults.push(`${kind} ${id} of ${userId} about ${market} at ${time(at)}: ${what}`);
  };

  const watch = (state: State): void => {
    const { market } = state.asked;
    const parts = state.overAt === undefined ? partsOf(state) : [];
    const wanted = [...new Set(parts.map(({ pays }) => `${market} ${pays}`))];
    const gone = state.watched.filter((key) => !wanted.includes(key));
    state.watched = wanted;
    for (const key of wanted) {
      if (!questions.has(key)) questions.set(key, { by: new Set() });
      questions.get(key)!.by.add(state);
    }
    for (const key of gone) {
      const question = questions.get(key)!;
      question.by.delete(state);
      if (question.by.size === 0) questions.delete(key);
    }
  };
  const fit = (state: State): void => {
    if (!isShort(state)) return;
    Object.assign(state, shrunk(state, state.held));
    watch(state);
  };
  const rescale = (state: State, left: bigint): void => {
    state.high = (state.high * left) / state.left;
    state.left = left;
  };
  const subtract = (state: State, { place, pays }: JudgedCard, at: number): void => {
    state.places.push(place);
    state.sold += pays;
    if (state.held !== undefined) state.held -= pays;
    const isFloor = place === state.asked.targets.length;
    state.targets = isFloor ? [] : state.targets.filter((target) => target.place !== place);
    rescale(state, state.left - pays);
    const isOver = isFloor || state.left === 0n || (state.targets.length === 0 && state.asked.floor === undefined);
    if (isOver) state.overAt = at;
    watch(state);
  };

  const answered = ({ at, market, pays, units, known }: Extract<Happening, { what: "answer" }>): void => {
    // One that found that less is held asks about that.
    for (const state of traded) if (state.asked.market === market && state.held === pays) fit(state);
    const question = questions.get(`${market} ${pays}`);
    if (question === undefined) {
      count("asked about what nobody watches");
      return;
    }
    const { stretch } = question;
    const isNext = stretch !== undefined && at - stretch.at >= 10 * SECOND;
    const least = stretch === undefined || units < stretch.least ? units : stretch.least;
    question.stretch = stretch === undefined || isNext ? { at, least: units } : { at: stretch.at, least };
    for (const state of question.by) {
      const { floor, base, quantity } = state.asked;
      for (const part of partsOf(state)) {
        if (part.pays !== pays) continue;
        const isTrail = floor !== undefined && "trailBps" in floor && part.place === state.asked.targets.length;
        if (isTrail && isNext) {
          const from = floor.fromBps === 0n ? 0n : gross(up(base * (10_000n + floor.fromBps), 10_000n));
          if (least > state.high && least >= (from * state.left) / quantity) state.high = least;
        }
        if (isBack(state, part.place, units)) state.rearmed.add(part.place);
        // What a trail of less than planned has reached, only the bot knows.
        if (!reaches(state, part.place, units) || (isTrail && state.held !== undefined)) continue;
        const { place } = part;
        const less = isShort(state) ? { ...state, ...shrunk(state, state.held) } : state;
        const due = partsOf(less).find((one) => one.place === place && one.pays > 0n);
        if (due !== undefined && known(due.pays).every((each) => reaches(less, place, each)))
          state.demands.push({ at, place, isNew: state.rearmed.has(place) });
      }
    }
  };

  const made = (state: State, card: JudgedCard): void => {
    count("cards");
    state.newest = card;
    if (isShort(state)) fit(state);
    const wrong = wrongWith(state, card);
    if (wrong !== undefined) fault(state, card.madeAt, `a card for ${card.pays} of part ${card.place + 1}: ${wrong}`);
    state.rearmed.delete(card.place);
  };

  const sold = (state: State, card: JudgedCard, got: bigint, at: number, isSure: boolean): void => {
    const wrong = (what: string) => fault(state, at, `sold ${card.pays} of part ${card.place + 1}: ${what}`);
    count(isSure ? "sold" : "unknown");
    if (card.card !== state.newest?.card) wrong("its card was an older one");
    if (state.places.includes(card.place)) wrong("a second time");
    if (state.overAt !== undefined) wrong("after its end");
    if (state.unknown !== undefined) wrong("the outcome of another isn't known");
    if (card.pays > state.left) wrong(`only ${state.left} are left`);
    const target = state.targets.find(({ place }) => place === card.place);
    if (target !== undefined && net(got) < target.line) wrong(`for ${net(got)}, although its line is ${target.line}`);
    if (isSure) subtract(state, card, at);
    else {
      state.unknown = card;
      state.waits.push({ from: at, until: end });
    }
  };

  const run: { [What in Happening["what"]]: (event: Extract<Happening, { what: What }>) => void } = {
    set: ({ exit }) => watch(states.get(exit)!),
    answer: answered,
    made: ({ card }) => made(states.get(card.exit)!, card),
    arrived: ({ card, at }) => void states.get(card.exit)!.cards.push({ ...card, at }),
    sold: ({ card, got, at }) => sold(states.get(card.exit)!, card, got, at, true),
    unknown: ({ card, got, at }) => sold(states.get(card.exit)!, card, got, at, false),
    settled: ({ card, hasSold, at }) => {
      const state = states.get(card.exit)!;
      delete state.unknown;
      for (const wait of state.waits) wait.until = Math.min(wait.until, at);
      if (hasSold) subtract(state, card, at);
      else state.failures.push(at);
    },
    failed: ({ exit, at }) => void states.get(exit)!.failures.push(at),
    held: ({ exit, units }) => {
      const state = states.get(exit)!;
      state.held = units;
      traded.add(state);
    },
    high: ({ exit, units, at }) => {
      const state = states.get(exit)!;
      if (state.held !== undefined || state.overAt !== undefined) return;
      count("highs compared");
      if (state.high !== units) fault(state, at, `its high is ${units}, computed again ${state.high}`);
    },
    ended: ({ exit, why, at }) => {
      const state = states.get(exit)!;
      count(`ended: ${why}`);
      const isRight =
        (why === "done" && state.overAt !== undefined) ||
        (why === "time" && at >= state.asked.endsAt && state.overAt === undefined) ||
        (why === "empty" && state.held === 0n && state.overAt === undefined);
      if (!isRight) fault(state, at, `ended: ${why}, although ${state.left} are left`);
      state.overAt ??= at;
      watch(state);
    },
  };
  for (const event of happenings.toSorted((one, other) => one.at - other.at))
    (run[event.what] as (one: Happening) => void)(event);

  for (const state of states.values()) {
    const { userId } = state.asked;
    const own = holds.filter((hold) => (hold.userId ?? userId) === userId);
    for (const demand of state.demands) {
      const excuse = excuseOf(state, demand, own);
      count(excuse ?? "not offered");
      if (excuse === undefined) fault(state, demand.at, `part ${demand.place + 1} is reached, and isn't offered`);
    }
    judgeCards(state, own, fault);
    if (state.sold > state.asked.quantity) fault(state, end, `sold ${state.sold} of ${state.asked.quantity}`);
  }
  const ends = [...states].map(([id, { left, overAt, sold: all }]) => {
    return [id, { left, isOver: overAt !== undefined, sold: all }] as const;
  });
  return { faults, counts, ends: new Map(ends) };
}

/** What a card says that it shouldn't. */
function wrongWith(state: State, { place, pays, least, most, quoted, madeAt }: JudgedCard): string | undefined {
  if (state.overAt !== undefined || madeAt >= state.asked.endsAt) return "it is over";
  if (state.unknown !== undefined) return "the outcome of another isn't known";
  const expected = taken(state, place);
  if (expected !== pays) return `${expected ?? "nothing"} is to be sold`;
  if (!partsOf(state).some((part) => part.place === place)) return "another target is nearer";
  const target = state.targets.find((one) => one.place === place);
  const line = target?.line ?? floorLine(state);
  const own = target === undefined ? most : least;
  if (line === undefined || own === undefined) return "it has no line";
  if (own !== line && !state.isShrunk) return `its line is ${own}, not ${line}`;
  const isThere = target === undefined ? net(quoted) <= own : net(quoted) >= line;
  return isThere ? undefined : `quoted ${net(quoted)}, its line is ${own}`;
}

const dayOf = (at: number): number => Math.floor(at / DAY);
const isAsleep = (at: number): boolean => at % DAY >= 23 * HOUR || at % DAY < 7 * HOUR;

/** Why a part that is reached has no new card soon after, or that it has one. */
function excuseOf(state: State, { at, place, isNew }: Demand, holds: readonly Hold[]): string | undefined {
  const { asked, cards } = state;
  const by = at + SOON;
  const own = cards.filter((card) => card.place === place);
  if (own.some((card) => card.at >= at - SOON && card.at <= by)) return "offered soon";
  if ((state.overAt ?? asked.endsAt) <= by) return "over";
  if (state.waits.some(({ from, until }) => from <= by && until + SOON >= at)) return "unknown outcome";
  const hold = holds.find((one) => one.from <= by && one.until >= at);
  if (hold !== undefined) return hold.kind;
  if (asked.hasQuiet && place < asked.targets.length && (isAsleep(at) || isAsleep(by))) return "quiet hours";
  const before = own.filter((card) => card.at <= at);
  if (before.filter((card) => dayOf(card.at) === dayOf(by)).length >= 3) return "three that day";
  const last = before.at(-1);
  if (last !== undefined && by < last.at + CARD_LIVES + MINUTE) return "its card is open";
  if (last !== undefined && by < last.at + AGAIN + SOON && !isNew) return "told within four hours";
  const other = cards.filter((card) => card.place !== place && card.at <= by).at(-1);
  if (other !== undefined && by < other.at + AGAIN + SOON && other.at > (last?.at ?? 0)) return "the other part's turn";
  return undefined;
}

function judgeCards(
  state: State,
  holds: readonly Hold[],
  fault: (state: State, at: number, what: string) => void,
): void {
  const { cards, failures } = state;
  for (const place of new Set(cards.map((card) => card.place))) {
    const own = cards.filter((card) => card.place === place);
    // Of what was sent while answers were lost, nobody knows whether it has arrived.
    const sure = own.filter(
      ({ at }) => !holds.some(({ kind, from, until }) => kind === "telegram" && from <= at && at < until),
    );
    for (const day of new Set(sure.map(({ at }) => dayOf(at)))) {
      if (sure.filter(({ at }) => dayOf(at) === day).length > 3) fault(state, day * DAY, "four cards of a part a day");
    }
    for (const [index, { at }] of own.entries()) {
      const last = own[index - 1];
      if (last === undefined || at - last.at >= CARD_LIVES) continue;
      const isAgain =
        cards.some((card) => card.place !== place && card.at > last.at && card.at <= at) ||
        failures.some((one) => one >= last.at && one <= at) ||
        holds.some((hold) => hold.from <= at && hold.until >= last.at);
      if (!isAgain) fault(state, at, `another card of part ${place + 1} within ten minutes`);
    }
  }
}
