import type pg from "pg";
import { Fault } from "../../fault.js";
import { withConnection } from "./pool.js";

/** Each brings the schema from one version to the next; never edit one that was released. */
const migrations = [
  // A document is kept as the very text that the embedded store writes; an own key of it never meets JSON of the server's.
  // `revisions` names its last writings, the newest first. `is_open` was decided by the rule `open_rule`.
  `CREATE TABLE swapdesk.documents (
     collection text COLLATE "C" NOT NULL,
     id text COLLATE "C" NOT NULL,
     content text NOT NULL,
     revisions uuid[] NOT NULL,
     is_open boolean NOT NULL,
     open_rule integer NOT NULL,
     PRIMARY KEY (collection, id)
   ) WITH (fillfactor = 80);
   CREATE INDEX documents_open ON swapdesk.documents (collection, id) WHERE is_open;
   CREATE INDEX documents_open_rule ON swapdesk.documents (collection, open_rule);
   CREATE TABLE swapdesk.set_aside (
     collection text NOT NULL,
     id text NOT NULL,
     content text NOT NULL,
     set_aside_at timestamptz NOT NULL DEFAULT now()
   );`,
  // What instances share besides documents (see instances.ts and update-log.ts). `waiting` is an update's text until it was
  // handled; the row stays for some days, so that a repeated one is known. `has_more`: somebody else had something for them.
  `CREATE TABLE swapdesk.instances (
     fence integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     run text NOT NULL,
     sessions integer NOT NULL DEFAULT 1,
     absent_since timestamptz,
     worker_pool text
   );
   CREATE TABLE swapdesk.updates (
     update_id bigint PRIMARY KEY,
     person bigint NOT NULL,
     waiting text,
     received_at timestamptz NOT NULL DEFAULT now()
   );
   CREATE INDEX updates_waiting ON swapdesk.updates (person, update_id) WHERE waiting IS NOT NULL;
   CREATE INDEX updates_received ON swapdesk.updates (received_at);
   CREATE TABLE swapdesk.people_at_work (
     person bigint PRIMARY KEY,
     fence integer NOT NULL REFERENCES swapdesk.instances ON DELETE CASCADE,
     has_more boolean NOT NULL DEFAULT false
   );
   CREATE INDEX people_at_work_fence ON swapdesk.people_at_work (fence);
   CREATE TABLE swapdesk.request_slots (
     service text NOT NULL,
     slot integer NOT NULL,
     taken_at timestamptz NOT NULL DEFAULT '-infinity',
     PRIMARY KEY (service, slot)
   );`,
  "ALTER TABLE swapdesk.request_slots RENAME taken_at TO free_at;",
];

/**
 * Brings the schema `swapdesk` to today's version. Of several programs that start together one does it and the others wait.
 * @throws Fault `database-newer` when a later version of the program has used it.
 */
export async function migrate(pool: pg.Pool): Promise<void> {
  // On an error the connection is closed, which undoes what was begun.
  await withConnection(pool, async (connection) => {
    await connection.query("BEGIN");
    await connection.query("SELECT pg_advisory_xact_lock(hashtext('swapdesk.migrations'))");
    await connection.query("CREATE SCHEMA IF NOT EXISTS swapdesk");
    await connection.query("CREATE TABLE IF NOT EXISTS swapdesk.version (version integer NOT NULL)");
    const { rows } = await connection.query<{ version: number }>("SELECT version FROM swapdesk.version");
    const version = rows[0]?.version ?? 0;
    if (version > migrations.length) throw new Fault("database-newer", { version, known: migrations.length });
    if (version < migrations.length) {
      for (const migration of migrations.slice(version)) await connection.query(migration);
      await connection.query("DELETE FROM swapdesk.version");
      await connection.query("INSERT INTO swapdesk.version VALUES ($1)", [migrations.length]);
    }
    await connection.query("COMMIT");
  });
}
