import { ordersCard } from "../../src/cards/order.js";
import { intentCard } from "../../src/cards/intent.js";
import { metCard, setUpCard, standingCard, standingNewsCard } from "../../src/cards/standing.js";
import { amountOf } from "../../src/encoding/amount.js";
import { exitFigures, shrunkTo, withoutDone } from "../../src/services/standing/exit-plan.js";
import { readExit, type ExitRequest } from "../../src/services/standing/exit-request.js";
import type { StandingView } from "../../src/services/standing/standing-news.js";
import type { StandingPreview } from "../../src/services/standing/standing-preview.js";
import type { StandingOrder } from "../../src/services/standing/standing-queries.js";
import type { StandingReference } from "../../src/services/terms/standing-terms.js";
import { tokenListOf } from "../../src/services/market/token-list.js";
import { kfi, klv } from "../services/samples.js";
import { intent, now, swapTerms } from "./arrange.js";
import type { CardSample } from "./card-sample.js";
import { limitOrder } from "./standing-samples.js";

const LINES = 22;
const all = amountOf(kfi, 5_000_000n);

/** An exit of 5 KFI, for which 500 KLV were paid. */
function exitOf(line: string, change: (order: StandingOrder) => Partial<StandingOrder> = () => ({})): StandingOrder {
  const request = readExit(`5 KFI ${line}`, tokenListOf([klv, kfi])) as ExitRequest;
  const figures = { all, base: amountOf(klv, 500_000_000n), payable: (takes: typeof all) => takes, fixed: 0n };
  const { rule, pay } = exitFigures(request, { ...figures, referralPercentage: 1000 });
  const asked = { kind: "exit", request: { pay, from: kfi, to: klv }, rule, comesInQuietHours: true } as const;
  const order: StandingOrder = { ...limitOrder.order, ...asked };
  return { ...order, ...change(order) };
}

const last = (units: bigint) => ({ last: { units, at: now - 120_000 } });
const watch = (units: bigint) => ({ ...last(units), missingSince: undefined, asked: undefined });
const floorWatch = (units: bigint, high = 0n): NonNullable<StandingView["floorWatch"]> => ({
  ...{ amount: all, anchor: high, ...last(units) },
  rule: high === 0n ? { way: "most", units: 1n } : { way: "trail", bps: 1500n, from: 0n },
});
const shown = (order: StandingOrder, more: Partial<StandingView> = {}): StandingView => ({
  ...limitOrder,
  watch: watch(505_050_505n),
  floorWatch: floorWatch(505_050_505n),
  ...more,
  order,
});

const bracket = exitOf("+50% -20%");
const ladder = exitOf("25%@+25% 25%@+50% 25%@+100% trail 15%");
const sold = exitOf("25%@+25% 25%@+50% 25%@+100% trail 15%", ({ rule, request }) => {
  const rest = "targets" in rule && withoutDone({ rule, pay: request.pay }, [0]);
  return rest ? { rule: rest.rule, request: { ...request, pay: rest.pay }, n: 1 } : {};
});
const less = exitOf("50%@+50% -20%", ({ rule, request }) => {
  const rest = "targets" in rule && shrunkTo({ rule, pay: request.pay }, amountOf(kfi, 3_000_000n), (takes) => takes);
  return rest ? { rule: rest.rule, request: { ...request, pay: rest.pay } } : {};
});
const half = exitOf("25%@+25% 25%@+50%");
const trail = exitOf("trail 15% from +20%");

const preview = (order: StandingOrder): StandingPreview => ({
  ...{ order, net: amountOf(klv, 500_500_000n), base: amountOf(klv, 500_000_000n) },
  ...{ fee: { amount: amountOf(klv, 4_700_000n), shareBps: 94n }, isMet: false, isFar: false },
});
const part = (reference: Omit<StandingReference, "id" | "kind">) =>
  intent({ ...swapTerms, request: { ...swapTerms.request, standing: { id: bracket.id, kind: "exit", ...reference } } });
const quietHours = { modes: {}, quiet: { from: "22:00", to: "07:00" } };
const set =
  (order: StandingOrder): CardSample["draw"] =>
  (view) =>
    standingCard(shown(order), { ...view, alerts: quietHours }, view.words.standing.setTitle.exit);

export const exitSamples: readonly CardSample[] = [
  { name: "an exit to set", draw: (view) => setUpCard(preview(bracket), false, view), lines: LINES },
  {
    name: "an exit to set, of four parts, of somebody with quiet hours",
    draw: (view) => setUpCard(preview(ladder), false, { ...view, alerts: quietHours }),
    lines: LINES,
  },
  { name: "an exit to set that sells a half", draw: (view) => setUpCard(preview(half), false, view), lines: LINES },
  { name: "an exit to set, one of whose prices is there", draw: (view) => metCard(preview(bracket), view) },
  { name: "an exit that trails from a price on, to set", draw: (view) => setUpCard(preview(trail), false, view) },
  { name: "an exit that has just been set", draw: set(bracket), lines: LINES },
  {
    name: "an exit whose parts do the opposite at night",
    draw: set({ ...bracket, rule: { ...bracket.rule, comesAtNight: true }, comesInQuietHours: false }),
    lines: LINES,
  },
  {
    name: "an exit with a high, of which a part is sold",
    draw: (view) => standingCard(shown(sold, { floorWatch: floorWatch(600_000_000n, 700_000_000n) }), view),
    lines: LINES,
  },
  {
    name: "an exit without a price yet",
    draw: (view) => standingCard(shown(trail, { watch: undefined, floorWatch: undefined }), view),
  },
  {
    name: "an exit without a high yet, just set",
    draw: (view) => {
      const unasked = { watch: undefined, floorWatch: undefined, netNow: amountOf(klv, 500_500_000n) };
      return standingCard(shown(trail, unasked), view);
    },
  },
  {
    name: "an exit of a token, another of which is bought",
    draw: (view) => standingCard(shown(bracket), view, undefined, true),
  },
  { name: "an exit of which less is held", draw: (view) => standingCard(shown(less), view), lines: LINES },
  {
    name: "exits in the list, one of which is reached",
    draw: (view) => {
      const reached = shown({ ...bracket, n: 1 }, { floorWatch: floorWatch(400_000_000n) });
      return ordersCard(
        { standing: [shown(sold, { floorWatch: floorWatch(600_000_000n, 700_000_000n) }), reached], watched: [] },
        0,
        view,
      );
    },
  },
  {
    name: "an exit that is reached, held",
    draw: (view) => standingNewsCard({ kind: "held", hold: "frozen", orders: [bracket] }, view),
  },
  ...(["done", "empty", "time"] as const).map(
    (ended): CardSample => ({
      name: `an exit that has ended: ${ended}`,
      draw: (view) => standingNewsCard({ kind: "order", view: shown({ ...sold, ended }), missed: {} }, view),
    }),
  ),
  {
    name: "a target's swap",
    draw: (view) => intentCard(part({ least: amountOf(kfi, 970_000n), occurrence: { n: 1, place: 1, of: 4 } }), view),
  },
  {
    name: "the swap of an exit's floor, of which less is held, at night",
    draw: (view) => {
      const shrunk = { planned: all, held: amountOf(kfi, 3_000_000n) };
      const most = amountOf(kfi, 995_000n);
      return intentCard(part({ most, shrunk, occurrence: { n: 3, place: 3, of: 4 } }), view, {
        comesAtNight: bracket.id,
      });
    },
    lines: LINES,
  },
];
export const exitView = shown(sold, { floorWatch: floorWatch(600_000_000n, 700_000_000n) });
