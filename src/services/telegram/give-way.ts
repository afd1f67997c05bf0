import type { Clock } from "../../clock.js";
import type { Away } from "./away.js";
import { BUSY } from "./outbox-turns.js";

/** All that give way count together so often at most. */
const COUNTED_MS = 250;
/** News give way to what is due now for so long; from then on, one person a second is told all the same. */
const MAX_GIVEN_WAY_MS = 60_000;
const FORCED_EVERY_MS = 1000;
/** Who hasn't asked for longer has nothing to tell any more. */
const FORGOTTEN_MS = 60_000;
/** What failed is tried again within this time: if nothing was, Telegram may be back. */
const DOUBTED_MS = 60_000;

/** How news, announcements and weeks give way to what is due now. */
export interface GiveWay {
  /** How many people may be told now. Ask only while somebody is to be told. */
  readonly room: () => Promise<number>;
  /** Call it once so many people more are told, or with 0 if that isn't needed, or has happened. */
  readonly moved: (people: number) => void;
}

interface GiveWayParts {
  readonly clock: Pick<Clock, "monotonic">;
  readonly away: Pick<Away, "isAway">;
  /** For how many people a message is due, counted up to {@link BUSY}. */
  readonly due: () => Promise<number>;
}

/** Lets news wait, but not for ever, while messages are due, and while Telegram takes none. */
export function createGiveWays({ clock, away, due }: GiveWayParts) {
  const stuck: (() => number)[] = [];
  let counted = { at: Number.NEGATIVE_INFINITY, count: Promise.resolve(0), moved: 0 };
  let failedAt = Number.NEGATIVE_INFINITY;

  /** Those who were told since they were counted are waited for, too. */
  const waiting = async (): Promise<number> => {
    const now = clock.monotonic();
    if (now - counted.at >= COUNTED_MS) counted = { at: now, count: due(), moved: 0 };
    const own = counted;
    try {
      return (await own.count) + own.moved;
    } catch (error) {
      // It is asked again.
      own.at = Number.NEGATIVE_INFINITY;
      throw error;
    }
  };

  return {
    /** For one kind of news. */
    giveWay: (): GiveWay => {
      let [askedAt, movedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
      let wantsSince: number | undefined;
      let busySince: number | undefined;
      stuck.push(() => {
        const now = clock.monotonic();
        return wantsSince === undefined || now - askedAt > FORGOTTEN_MS ? 0 : now - wantsSince;
      });
      return {
        room: async () => {
          const now = clock.monotonic();
          const isAway = away.isAway() || now - failedAt < DOUBTED_MS;
          if (isAway || now - askedAt > FORGOTTEN_MS) [wantsSince, busySince] = [undefined, undefined];
          if (isAway) return 0;
          askedAt = now;
          wantsSince ??= now;
          const count = await waiting();
          busySince = count < BUSY ? undefined : (busySince ?? now);
          if (busySince === undefined) return BUSY - count;
          return now - busySince >= MAX_GIVEN_WAY_MS && now - movedAt >= FORCED_EVERY_MS ? 1 : 0;
        },
        moved: (people) => {
          counted.moved += people;
          if (people > 0) movedAt = clock.monotonic();
          wantsSince = undefined;
        },
      };
    },
    /** For how many milliseconds some kind of news hasn't moved although somebody is to be told; 0 if all move. */
    stuckMilliseconds: () => Math.max(0, ...stuck.map((since) => since())),
    /** Telegram took a message, or it didn't, whatever the message. */
    noteTaken: (isTaken: boolean): void => {
      failedAt = isTaken ? Number.NEGATIVE_INFINITY : clock.monotonic();
    },
  };
}
