import type pg from "pg";

/** The setting that says of data that it was restored, or has lost its last writes. */
export const RESTORED = "restored";

/**
 * Leaves the mark: the next start says from when on nothing is known, and asks what must not happen twice.
 * `from`: the last moment that is known, in milliseconds since 1970; null if the data has to say.
 */
export const markText = (from: number | null): string => JSON.stringify({ from, until: null });

/**
 * Leaves the mark in PostgreSQL, whose writes went back. @param renewedAt of the last write that it has, 0 if the lease
 * was given up since. One that no start has seen yet stays.
 */
export async function leaveMark(connection: pg.ClientBase, renewedAt: number): Promise<void> {
  await connection.query(
    `INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value
      WHERE settings.value NOT LIKE '%"until":null%'`,
    [RESTORED, markText(renewedAt === 0 ? null : renewedAt)],
  );
}
