import type pg from "pg";
import type { StoredText } from "../archive.js";

const BATCH = 500;

/** All documents as they were at one instant, also while others write. */
export async function* postgresSnapshot(pool: pg.Pool): AsyncGenerator<StoredText> {
  const connection = await pool.connect();
  try {
    await connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await connection.query(
      `DECLARE documents NO SCROLL CURSOR FOR
       SELECT collection, id, content AS text FROM swapdesk.documents ORDER BY collection, id`,
    );
    for (;;) {
      const { rows } = await connection.query<StoredText>(`FETCH ${BATCH} FROM documents`);
      if (rows.length === 0) return;
      yield* rows;
    }
  } finally {
    // The transaction ends with the connection.
    connection.release(true);
  }
}

/** Lets the next start decide again which documents are open. */
export async function forgetOpen(pool: pg.Pool): Promise<void> {
  await pool.query("UPDATE swapdesk.documents SET open_rule = 0");
}
