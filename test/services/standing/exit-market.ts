import type { Amount, Token } from "../../../src/encoding/amount.js";
import { klv } from "../samples.js";
import type { Hold } from "./judged-state.js";
import { DAY, HOUR, MINUTE, NOW } from "./standing-world.js";

interface MarketSize {
  readonly days: number;
  readonly markets: number;
  /** The longest of what holds orders, in minutes. */
  readonly longest: number;
}

/** Below a limit, by chance. */
type Below = (limit: number) => number;

/** What a pool brings: the more is sold, the less a piece. */
const DEPTH = 10_000_000_000n;
/** How long a price stays: it moves by about three percent a day. */
const STEP = HOUR;

/** What exits sell, each for KLV, with prices, and KLV itself, for the first of them. */
export function createExitMarket({ days, markets, longest }: MarketSize, below: Below) {
  const tokens = Array.from({ length: markets }, (_, index): Token => {
    const id = `TK${"ABCDEFGH"[index]}-1A2B`;
    return { id, name: id.slice(0, 3), precision: 6, kind: "fungible" };
  });
  const walks = new Map(
    [...tokens, klv].map(({ id }) => {
      let price = 100_000_000n;
      const walk = Array.from({ length: (days + 1) * 24 + 2 }, () => {
        const back = price > 300_000_000n ? -4000 : price < 33_000_000n ? 4000 : 0;
        price = (price * BigInt(1_000_000 + below(24_001) - 12_000 + back)) / 1_000_000n;
        return price;
      });
      return [id, walk];
    }),
  );
  return {
    tokens,
    /** Units that are quoted for an amount. */
    priceAt: ({ token, units }: Amount, at: number): bigint => {
      const walk = walks.get(token.id)!;
      const price = walk[Math.min(walk.length - 1, Math.max(0, Math.floor((at - NOW) / STEP)))]!;
      return (units * price * DEPTH) / ((DEPTH + units) * 1_000_000n);
    },
    /** Something that comes and goes, for two minutes at least, with pauses of so many hours on average. */
    holdsOf: (kind: string, gap: number, userId?: number): readonly Hold[] => {
      const holds: Hold[] = [];
      for (let at = NOW + below(gap * HOUR); at < NOW + days * DAY - DAY / 8; at += HOUR + below(2 * gap * HOUR)) {
        const until = at + Math.floor(2 * MINUTE * (longest / 2) ** (below(1001) / 1000));
        holds.push({ kind, from: at, until, ...(userId !== undefined && { userId }) });
        at = until;
      }
      return holds;
    },
  };
}

/** Targets as shares and rises, and a floor, all in basis points. */
export interface ExitShape {
  readonly targets: readonly (readonly [shareBps: number, upBps: number])[];
  readonly down?: number;
  readonly trail?: number;
  readonly from?: number;
}

/** Brackets, ladders and trails of several widths. */
export const exitShapes: readonly ExitShape[] = [
  { targets: [[10_000, 1200]], down: 900 },
  { targets: [[10_000, 2500]], down: 1500 },
  { targets: [800, 1600, 3000].map((up) => [2500, up]), trail: 1200 },
  { targets: [[5000, 1000]], trail: 800, from: 1500 },
  { targets: [600, 1400].map((up) => [3333, up]), down: 1200 },
  { targets: [], trail: 1000 },
  { targets: [], trail: 1500, from: 400 },
  { targets: [400, 900, 1500, 2200, 3000].map((up) => [2000, up]) },
];

/** As typed. */
export function shapeLine({ targets, down, trail, from }: ExitShape): string {
  const floor = down !== undefined ? `-${down / 100}%` : trail === undefined ? "" : `trail ${trail / 100}%`;
  const since = from === undefined ? "" : ` from +${from / 100}%`;
  return [...targets.map(([share, up]) => `${share / 100}%@+${up / 100}%`), floor + since].join(" ");
}

/** Of six decimals, what no share divides. */
export const QUANTITY = 50_000_001n;
