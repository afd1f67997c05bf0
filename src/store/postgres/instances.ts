import pg from "pg";
import type { Clock } from "../../clock.js";
import { Fault } from "../../fault.js";
import { createTurns } from "../turns.js";

/** One running program among those that share a database. */
export type Instance = Awaited<ReturnType<typeof joinInstances>>;

/** How often an instance shows that it is alive, and looks at the others. */
const LOOK_EVERY_MILLISECONDS = 250;
/** The server ends the session of one that has been silent for this long, though its connection may still be open. */
const SILENT_MILLISECONDS = 7_000;
/** For this long after it was seen, an instance may send without asking again. */
const HELD_MILLISECONDS = 3_000;
/** Whose session ended while ours stood is dead, or hangs; one that is neither comes back at once. */
const GIVEN_UP_MILLISECONDS = 400;
/** Whom ours has never met may have lost its session with the server, as we did: more than it may count on without one. */
const STRANGER_GIVEN_UP_MILLISECONDS = 3_500;
/** For a connection, and for an answer: less than it may be silent. */
const TIMEOUT_MILLISECONDS = 5_000;

/** Advisory locks have two numbers: this one, and the instance's. */
const SPACE = "hashtext('swapdesk.instances')";
/** The channel of what is told to the leader. */
const CHANNEL = "swapdesk_leader";

const goneFault = () => new Fault("store-lost", { directory: "DATABASE_URL" });

interface Seen {
  readonly fence: number;
  /** How many sessions it has had: a new one is a new sign of life. */
  readonly sessions: number;
  /** Whether none of them holds its lock now. */
  readonly isAbsent: boolean;
  /** Whether somebody has noted that. */
  readonly isNoted: boolean;
}

/**
 * Joins the programs that share a database. Each has a row, and a session that holds an advisory lock on the row's number: the
 * server lets go of it when the program dies, and when it hangs (`idle_session_timeout`). Whoever finds a lock free for longer
 * than its owner may trust in it removes the row, and with it all that the owner was at. The oldest row leads.
 * @throws Error of the server when it can't be reached.
 */
export async function joinInstances(parts: {
  /** The database. A session of its own is what others know this instance by. */
  readonly url: string;
  /** As intents name it. */
  readonly run: string;
  readonly clock: Clock;
  /** Leads from now on, or others have come or gone since: what they left is to be taken up. */
  readonly onTakeOver: () => void;
  /** Hears of what was told to the leader, while leading. */
  readonly onNews: (news: string) => void;
  /** Hears once that the others have given this instance up. It can write nothing any more. */
  readonly onLost: (fault: Fault) => void;
}) {
  const { clock, run } = parts;
  const leaving = new AbortController();
  let others: readonly number[] = [];
  let leads = false;
  let heldAt = Number.NEGATIVE_INFINITY;
  let lost: Fault | undefined;
  let looking: Promise<void> | undefined;
  let session: pg.Client | undefined;
  /** Whom this session has seen there, as long as they have a row. */
  let met: readonly number[] = [];
  const turns = createTurns();
  let fence = 0;
  let sessions = 1;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: parts.url,
      application_name: "swapdesk",
      connectionTimeoutMillis: TIMEOUT_MILLISECONDS,
      query_timeout: TIMEOUT_MILLISECONDS,
      keepAlive: true,
    });
    // Without a listener it would end the program; the next question fails, which is noticed.
    client.on("error", () => undefined);
    client.on("end", () => {
      if (session !== client) return;
      dropSession();
      // The others wait no longer than a moment.
      if (lost === undefined && !leaving.signal.aborted) void look().catch(() => undefined);
    });
    client.on("notification", ({ payload }) => {
      if (leads && payload !== undefined) parts.onNews(payload);
    });
    try {
      await client.connect();
      await client.query(`SET idle_session_timeout = ${SILENT_MILLISECONDS}`);
      await client.query(`LISTEN ${CHANNEL}`);
      await takePart(client);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  function dropSession(): void {
    void session?.end().catch(() => undefined);
    session = undefined;
    heldAt = Number.NEGATIVE_INFINITY;
  }

  /** One question after the other, as the session takes them. */
  function ask<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
    return turns.take("session", async () => {
      if (session === undefined) throw new Fault("store-away", {});
      return session.query<Row>(text, [...values]);
    });
  }

  /** As a new instance, or as who it was before its last session ended. */
  async function takePart(client: pg.Client): Promise<void> {
    const isNew = fence === 0;
    if (isNew) {
      const { rows } = await client.query<{ fence: number }>(
        // One after the other, so that nobody with a smaller number appears later.
        `WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(${SPACE}::bigint))
         INSERT INTO swapdesk.instances (run) SELECT $1 FROM turn RETURNING fence`,
        [run],
      );
      fence = rows[0]?.fence ?? 0;
    }
    await client.query(`SELECT pg_advisory_lock(${SPACE}, $1)`, [fence]);
    if (isNew) return;
    const { rowCount } = await client.query(
      "UPDATE swapdesk.instances SET sessions = sessions + 1, absent_since = NULL WHERE fence = $1",
      [fence],
    );
    if (rowCount === 0) lose();
    sessions += 1;
    met = [];
    // What was said in the meantime reached nobody.
    if (leads) parts.onTakeOver();
  }

  function lose(): void {
    if (lost !== undefined || leaving.signal.aborted) return;
    leads = false;
    lost = goneFault();
    parts.onLost(lost);
  }

  /** Shows that this instance is there, and looks at who else is; all who ask meanwhile share one look. */
  function look(): Promise<void> {
    looking ??= lookNow().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function lookNow(): Promise<void> {
    const now = clock.monotonic();
    session ??= await connect();
    const { rows } = await ask<Seen>(
      `SELECT fence, sessions, pg_try_advisory_xact_lock_shared(${SPACE}, fence) AS "isAbsent",
         absent_since IS NOT NULL AS "isNoted"
       FROM swapdesk.instances ORDER BY fence`,
    );
    if (!rows.some((row) => row.fence === fence)) {
      lose();
      return;
    }
    heldAt = now;
    met = rows.filter((row) => !row.isAbsent || met.includes(row.fence)).map((row) => row.fence);
    for (const row of rows) if (row.fence !== fence) await judge(row);
    const present = rows.map((row) => row.fence);
    const isLeading = present[0] === fence;
    if (isLeading && (!leads || others.some((other) => !present.includes(other)))) {
      leads = true;
      parts.onTakeOver();
    }
    others = present;
  }

  /** Notes since when an instance is absent, for all to see: none of those who look may live long enough to see it alone. */
  async function judge({ fence: other, sessions, isAbsent, isNoted }: Seen): Promise<void> {
    if (!isAbsent && isNoted) {
      await ask("UPDATE swapdesk.instances SET absent_since = NULL WHERE fence = $1", [other]);
    } else if (isAbsent && !isNoted) {
      await ask("UPDATE swapdesk.instances SET absent_since = clock_timestamp() WHERE fence = $1 AND sessions = $2", [
        other,
        sessions,
      ]);
    } else if (isAbsent) {
      // Under its lock, so that it can't come back in between and take the row for its own.
      await ask(
        `WITH gone AS (
           DELETE FROM swapdesk.instances WHERE fence = $1 AND sessions = $2
             AND absent_since < clock_timestamp() - $3 * interval '1 millisecond'
             AND pg_try_advisory_xact_lock_shared(${SPACE}, $1) RETURNING worker_pool
         ) SELECT graphile_worker.force_unlock_workers(array_agg(worker_pool)) FROM gone`,
        [other, sessions, met.includes(other) ? GIVEN_UP_MILLISECONDS : STRANGER_GIVEN_UP_MILLISECONDS],
      );
    }
  }

  async function watch(): Promise<void> {
    while (lost === undefined && !leaving.signal.aborted) {
      // A question that got no answer in time would hold up all those after it.
      await look().catch(dropSession);
      await clock.sleep(LOOK_EVERY_MILLISECONDS, leaving.signal).catch(() => undefined);
    }
  }

  session = await connect();
  await look();
  const watching = watch();

  return {
    /** Its number. Whatever carries it is void once this instance has been given up. */
    fence,
    /** Whether it does the work that only one may do: the oldest instance does. */
    isLeading: (): boolean => leads,
    /** How many sessions it has had: one more after each time that the database was away. */
    sessions: (): number => sessions,
    /**
     * To be asked right before something leaves that must not leave from two instances.
     * @throws Fault `store-lost` when the others have given this one up; `store-away` while that is unknown.
     */
    assertHeld: async (): Promise<void> => {
      if (lost === undefined && clock.monotonic() - heldAt >= HELD_MILLISECONDS) await look().catch(() => undefined);
      if (lost !== undefined) throw lost;
      if (clock.monotonic() - heldAt >= HELD_MILLISECONDS) throw new Fault("store-away", {});
    },
    /** Tells the leading instance. One that has only just taken the lead hears nothing of what was said before. */
    tellLeader: async (news: string): Promise<void> => {
      await ask(`SELECT pg_notify('${CHANNEL}', $1)`, [news]);
    },
    /** The runs that are not over, this one included. */
    liveRuns: async (): Promise<ReadonlySet<string>> => {
      const { rows } = await ask<{ run: string }>("SELECT run FROM swapdesk.instances");
      return new Set(rows.map((row) => row.run));
    },
    /** Says by which name the queue knows the jobs that it takes: when it is given up, they are anybody's. */
    nameWorkers: async (pool: string): Promise<void> => {
      await ask("UPDATE swapdesk.instances SET worker_pool = $2 WHERE fence = $1", [fence, pool]);
    },
    /** Goes, so that the others need not wait for proof. */
    leave: async (): Promise<void> => {
      leaving.abort();
      await watching;
      await ask("DELETE FROM swapdesk.instances WHERE fence = $1", [fence]).catch(() => undefined);
      // From now on it can send and write nothing, like one that was given up.
      lost ??= goneFault();
      await session?.end().catch(() => undefined);
    },
  };
}
