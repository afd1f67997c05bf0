import type pg from "pg";

/** The task that the queue runs for each person who has updates waiting. */
export const UPDATES_TASK = "updates";

/** Updates of one person that wait at most; the rest are dropped, but known. */
const MOST_WAITING = 50;

export type UpdateLog = ReturnType<typeof createUpdateLog>;

export interface WaitingUpdate {
  readonly updateId: string;
  readonly update: string;
}

/** More than the server allows anyone to remember: the jobs of those who died count as tried. */
const MOST_ATTEMPTS = 32_767;
/** Whoever writes again keeps their place in the line. */
const ADD_JOB = `graphile_worker.add_job('${UPDATES_TASK}', json_build_object('person', $1::bigint),
  job_key := '${UPDATES_TASK} ' || $1::bigint, job_key_mode := 'preserve_run_at', max_attempts := ${MOST_ATTEMPTS})`;

/**
 * Telegram's updates as all instances share them: each is kept once, and a person's are handled in order by one instance at a
 * time. That a person has some waiting is a job of the queue (graphile-worker), written in the same statement.
 * @param fence of the instance. Nothing is noted for one that was given up.
 */
export function createUpdateLog(pool: pg.Pool, fence: number) {
  const nothing: WaitingUpdate = { updateId: "-1", update: "" };

  /** Notes one as handled and gives the next; undefined when there is none, and the person is out of hand. */
  async function settle(personId: number, handled: WaitingUpdate): Promise<WaitingUpdate | undefined> {
    const { rows } = await pool.query<{ updateId: string | null; update: string | null; isFree: boolean }>(
      `WITH handled AS (
         UPDATE swapdesk.updates SET waiting = NULL
         WHERE update_id = $3 AND EXISTS (SELECT FROM swapdesk.instances WHERE fence = $2)
       ), following AS (
         SELECT update_id, waiting FROM swapdesk.updates
         WHERE person = $1 AND waiting IS NOT NULL AND update_id <> $3
           AND EXISTS (SELECT FROM swapdesk.people_at_work WHERE person = $1 AND fence = $2)
         ORDER BY update_id LIMIT 1
       ), freed AS (
         DELETE FROM swapdesk.people_at_work
         WHERE person = $1 AND fence = $2 AND NOT has_more AND NOT EXISTS (SELECT FROM following) RETURNING person
       ), heard AS (
         UPDATE swapdesk.people_at_work SET has_more = false WHERE person = $1 AND fence = $2 AND has_more
       )
       SELECT (SELECT update_id FROM following) AS "updateId", (SELECT waiting FROM following) AS update,
         EXISTS (SELECT FROM freed) AS "isFree"`,
      [personId, fence, handled.updateId],
    );
    const [row] = rows;
    if (row?.updateId != null && row.update !== null) return { updateId: row.updateId, update: row.update };
    return row?.isFree === false && (await isInHand(personId)) ? settle(personId, nothing) : undefined;
  }

  async function isInHand(personId: number): Promise<boolean> {
    const { rowCount } = await pool.query("SELECT FROM swapdesk.people_at_work WHERE person = $1 AND fence = $2", [
      personId,
      fence,
    ]);
    return rowCount === 1;
  }

  return {
    /** Durable when it resolves. One that was kept before is `known`, however long ago it was handled. */
    keep: async (updateId: number, personId: number, update: string): Promise<"kept" | "known" | "dropped"> => {
      const { rows } = await pool.query<{ isWaiting: boolean }>(
        `WITH ahead AS (
           SELECT count(*) AS count FROM (
             SELECT FROM swapdesk.updates WHERE person = $1 AND waiting IS NOT NULL LIMIT ${MOST_WAITING}
           ) AS line
         ), kept AS (
           INSERT INTO swapdesk.updates (update_id, person, waiting)
           SELECT $2, $1, CASE WHEN count < ${MOST_WAITING} THEN $3::text END FROM ahead
           ON CONFLICT DO NOTHING RETURNING waiting IS NOT NULL AS "isWaiting"
         )
         SELECT "isWaiting", CASE WHEN "isWaiting" THEN (${ADD_JOB}).id END FROM kept`,
        [personId, updateId, update],
      );
      const [row] = rows;
      if (row === undefined) return "known";
      return row.isWaiting ? "kept" : "dropped";
    },
    /**
     * Takes a person's updates in hand, and gives the first one; never twice at once within an instance. Undefined where there
     * is none, or where another instance has them and will see to all.
     */
    begin: async (personId: number): Promise<WaitingUpdate | undefined> => {
      const { rows } = await pool.query<{ fence: number }>(
        `INSERT INTO swapdesk.people_at_work (person, fence) VALUES ($1, $2)
         ON CONFLICT (person) DO UPDATE SET has_more = true RETURNING fence`,
        [personId, fence],
      );
      return rows[0]?.fence === fence ? settle(personId, nothing) : undefined;
    },
    next: settle,
    /** Leaves a person's updates to another instance. */
    handBack: async (personId: number): Promise<void> => {
      await pool.query(
        `WITH freed AS (DELETE FROM swapdesk.people_at_work WHERE person = $1 AND fence = $2 RETURNING person)
         SELECT (${ADD_JOB}).id FROM freed`,
        [personId, fence],
      );
    },
    /** How many are not handled yet, in all instances. */
    waiting: async (): Promise<{ readonly count: number; readonly oldestMilliseconds: number }> => {
      const { rows } = await pool.query<{ count: number; oldestMilliseconds: number }>(
        `SELECT count(*)::integer AS count,
           coalesce(1000 * extract(epoch FROM clock_timestamp() - min(received_at)), 0)::float8 AS "oldestMilliseconds"
         FROM swapdesk.updates WHERE waiting IS NOT NULL`,
      );
      return rows[0] ?? { count: 0, oldestMilliseconds: 0 };
    },
    /** Frees the jobs of pools that are nobody's any more, sees to people who were left behind, and forgets what was handled days ago. */
    tidy: async (): Promise<void> => {
      await pool.query(
        `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by)) FROM graphile_worker.jobs
         WHERE locked_at < now() - interval '3 seconds'
           AND locked_by NOT IN (SELECT worker_pool FROM swapdesk.instances WHERE worker_pool IS NOT NULL)`,
      );
      // A job that failed is put off longer each time that it was tried, and dying counts as trying.
      await pool.query(
        `SELECT (${ADD_JOB.replaceAll("$1", "person")}).id FROM (
           SELECT DISTINCT person FROM swapdesk.updates
           WHERE waiting IS NOT NULL AND received_at < now() - interval '5 seconds'
             AND person NOT IN (SELECT person FROM swapdesk.people_at_work)
             AND NOT EXISTS (
               SELECT FROM graphile_worker.jobs WHERE key = '${UPDATES_TASK} ' || person AND run_at <= now()
             )
         ) AS left_behind`,
      );
      await pool.query(
        "DELETE FROM swapdesk.updates WHERE received_at < now() - interval '2 days' AND waiting IS NULL",
      );
    },
  };
}
