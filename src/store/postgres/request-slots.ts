import type pg from "pg";
import type { Clock } from "../../clock.js";
import { Fault, type ServiceName } from "../../fault.js";
import { createTurns } from "../turns.js";

/** How long the database may take to give a slot, at least. One that was given later is not used. */
const SHORTEST_MARGIN_MILLISECONDS = 100;
/** Nobody waits longer for a slot. */
const LONGEST_WAIT_MILLISECONDS = 15_000;

/**
 * The requests to a service that all instances together may begin: as many slots as a second has room for, each of which
 * serves once a second. Of those who come at once each takes another (`SKIP LOCKED`). A request begins some moments after its
 * slot was taken, so the slot is taken for so much longer; where the database is slow, for longer still.
 * @returns what resolves when a request may begin. @throws Fault `service-rate-limited` after a quarter of a minute.
 */
export function createRequestSlots(parts: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly service: ServiceName;
  readonly perSecond: number;
}): () => Promise<void> {
  const { pool, clock, service, perSecond } = parts;
  const count = Math.max(1, Math.floor(perSecond));
  const rests = 1000 * Math.max(1, 1 / perSecond);
  let margin = SHORTEST_MARGIN_MILLISECONDS;
  let made: Promise<unknown> | undefined;
  const turns = createTurns();

  const make = () =>
    pool.query(
      `INSERT INTO swapdesk.request_slots (service, slot) SELECT $1, generate_series(1, $2::integer) ON CONFLICT DO NOTHING`,
      [service, count],
    );

  async function tryToTake(): Promise<boolean> {
    try {
      await (made ??= make());
      const asked = clock.monotonic();
      const { rowCount } = await pool.query(
        `UPDATE swapdesk.request_slots SET free_at = clock_timestamp() + $3 * interval '1 millisecond'
         WHERE service = $1 AND slot = (
           SELECT slot FROM swapdesk.request_slots
           WHERE service = $1 AND slot <= $2 AND free_at < clock_timestamp()
           ORDER BY free_at LIMIT 1 FOR UPDATE SKIP LOCKED
         )`,
        [service, count, rests + margin],
      );
      const took = clock.monotonic() - asked;
      const isInTime = took < margin;
      margin = Math.max(SHORTEST_MARGIN_MILLISECONDS, 2 * took);
      return rowCount === 1 && isInTime;
    } catch {
      // While nobody can count requests, nobody may make any.
      made = undefined;
      return false;
    }
  }

  async function take(until: number): Promise<void> {
    while (!(await tryToTake())) {
      if (clock.monotonic() > until) throw new Fault("service-rate-limited", { service, retryAfterSeconds: 5 });
      await clock.sleep(Math.min(rests, 500 / perSecond));
    }
  }

  return () => {
    const until = clock.monotonic() + LONGEST_WAIT_MILLISECONDS;
    // Within an instance one after the other, so that each gets its share: one polls all day, from the others people ask.
    return turns.take(service, () => take(until));
  };
}
