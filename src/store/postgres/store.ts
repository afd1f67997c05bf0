import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Clock } from "../../clock.js";
import { Fault, isFault } from "../../fault.js";
import { type Adapter, createStore, type Held, nameOf } from "../adapter.js";
import { NewerVersion } from "../defaults.js";
import { fromJson, toJson } from "../json.js";
import type { Collection, OpenRule, Store } from "../store.js";
import type { Instance } from "./instances.js";
import { isRefusal, withConnection } from "./pool.js";

/** Changes under way at once; more wait here rather than for a connection, where they would time out. */
const WIDTH = 32;
/** How many of a document's last writings are known by name: one that is in doubt is still found after that many others. */
const REVISIONS = 8;
/** Between two tries to learn what became of a writing. */
const TRY_AGAIN_MILLISECONDS = 250;
/** How many documents are looked through at a time. */
const BATCH = 500;

interface PostgresStoreParts {
  /** With today's schema: see migrations.ts. It ends with the store. */
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** Whose store it is, where several programs have the database in common: nothing is written for one that was given up. */
  readonly instance?: Pick<Instance, "fence" | "assertHeld"> | undefined;
}

/**
 * The store in PostgreSQL, which any number of processes use at once. A change is one statement that takes effect only on the
 * very version that was read; where another process was faster, it is made again from what is there now. No statement counts
 * on the connection of the one before it.
 *
 * A server that is lost in the middle of a writing is asked until it answers, so that no caller is told something wrong.
 */
export function createPostgresStore({ pool, clock, instance }: PostgresStoreParts): Store {
  const isHeld =
    instance === undefined ? "true" : `EXISTS (SELECT FROM swapdesk.instances WHERE fence = ${instance.fence})`;
  const closing = new AbortController();

  /** One statement that may be carried out twice. @throws Fault of that code, or `store-away`. */
  async function ask<Row extends pg.QueryResultRow>(
    document: string,
    text: string,
    values: readonly unknown[],
    code: "store-read-failed" | "store-write-failed" = "store-read-failed",
  ): Promise<readonly Row[]> {
    try {
      return (await withConnection(pool, (connection) => connection.query<Row>(text, [...values]))).rows;
    } catch (cause) {
      throw isRefusal(cause) ? new Fault(code, { document }, { cause }) : new Fault("store-away", {}, { cause });
    }
  }

  async function load<Document>(collection: Collection<Document>, id: string): Promise<Held<Document>> {
    const name = nameOf(collection, id);
    const [row] = await ask<{ content: string; revision: string }>(
      name,
      "SELECT content, revisions[1] AS revision FROM swapdesk.documents WHERE collection = $1 AND id = $2",
      [collection.name, id],
    );
    if (row === undefined) return {};
    try {
      return { document: collection.parse(fromJson(row.content)), revision: row.revision };
    } catch (cause) {
      if (cause instanceof NewerVersion) throw new Fault("store-newer", { document: name }, { cause });
      await ask(
        name,
        `WITH unreadable AS (
           DELETE FROM swapdesk.documents WHERE collection = $1 AND id = $2 AND revisions[1] = $3
           RETURNING collection, id, content
         ) INSERT INTO swapdesk.set_aside (collection, id, content) SELECT * FROM unreadable`,
        [collection.name, id, row.revision],
      );
      throw new Fault("store-unreadable", { document: name, setAside: `${name} in swapdesk.set_aside` }, { cause });
    }
  }

  async function write<Document>(
    collection: Collection<Document>,
    id: string,
    document: Document,
    { revision: before }: Held<Document>,
  ): Promise<boolean> {
    const name = nameOf(collection, id);
    const revision = randomUUID();
    const { open } = collection;
    const values = [collection.name, id, toJson(document), revision, open?.isOpen(document) === true, open?.rule ?? 0];
    const statement =
      before === undefined
        ? `INSERT INTO swapdesk.documents (collection, id, content, revisions, is_open, open_rule)
           SELECT $1, $2, $3, ARRAY[$4::uuid], $5::boolean, $6::integer WHERE ${isHeld} ON CONFLICT DO NOTHING`
        : `UPDATE swapdesk.documents
           SET content = $3, revisions = ($4::uuid || revisions)[1:${REVISIONS}], is_open = $5, open_rule = $6
           WHERE collection = $1 AND id = $2 AND revisions[1] = $7 AND ${isHeld}`;
    if (before !== undefined) values.push(before);

    /** Whether the document comes from this writing, which was in doubt. @throws Fault when too many others were made since. */
    async function wasWritten(): Promise<boolean> {
      const [row] = await ask<{ revisions: readonly string[] }>(
        name,
        "SELECT revisions::text[] FROM swapdesk.documents WHERE collection = $1 AND id = $2",
        [collection.name, id],
      );
      const revisions = row?.revisions ?? [];
      if (revisions.includes(revision)) return true;
      const isWhole =
        before === undefined ? row !== undefined && revisions.length < REVISIONS : revisions.includes(before);
      if (isWhole) return false;
      throw new Fault("store-write-failed", { document: name });
    }

    let isInDoubt = false;
    for (;;) {
      const progress = { isAsked: false };
      try {
        const { rowCount } = await withConnection(pool, (connection) => {
          progress.isAsked = true;
          return connection.query(statement, values);
        });
        if (rowCount === 1) return true;
        await instance?.assertHeld();
        return isInDoubt && (await wasWritten());
      } catch (cause) {
        if (isFault(cause, "store-lost")) throw cause;
        const isRefused = !isInDoubt && isRefusal(cause);
        if (!isInDoubt && !isRefused && !progress.isAsked) throw new Fault("store-away", {}, { cause });
        if (isRefused || closing.signal.aborted || isFault(cause, "store-write-failed")) {
          throw new Fault("store-write-failed", { document: name }, { cause });
        }
        isInDoubt = true;
        await clock.sleep(TRY_AGAIN_MILLISECONDS, closing.signal).catch(() => undefined);
      }
    }
  }

  /** Decides again what is open, where an earlier rule decided it. */
  async function lookThrough<Document>(
    { name, parse }: Collection<Document>,
    { rule, isOpen }: OpenRule<Document>,
  ): Promise<void> {
    for (;;) {
      const rows = await ask<{ id: string; content: string; revision: string }>(
        name,
        `SELECT id, content, revisions[1] AS revision FROM swapdesk.documents
         WHERE collection = $1 AND open_rule < $2 LIMIT ${BATCH}`,
        [name, rule],
      );
      if (rows.length === 0) return;
      // One that cannot be read is left for its next reader to report.
      const areOpen = rows.map(({ content }) => {
        try {
          return isOpen(parse(fromJson(content)));
        } catch {
          return true;
        }
      });
      await ask(
        name,
        `UPDATE swapdesk.documents SET is_open = looked.is_open, open_rule = $2
         FROM unnest($3::text[], $4::uuid[], $5::boolean[]) AS looked (id, revision, is_open)
         WHERE collection = $1 AND documents.id = looked.id AND revisions[1] = looked.revision`,
        [name, rule, rows.map(({ id }) => id), rows.map(({ revision }) => revision), areOpen],
        "store-write-failed",
      );
    }
  }

  async function idsWhere(condition: "" | "AND is_open", name: string): Promise<readonly string[]> {
    const text = `SELECT id FROM swapdesk.documents WHERE collection = $1 ${condition}`;
    return (await ask<{ id: string }>(name, text, [name])).map(({ id }) => id);
  }

  const adapter: Adapter = {
    load,
    write,
    remove: async (collection, id, before) => {
      await ask(
        nameOf(collection, id),
        `DELETE FROM swapdesk.documents
         WHERE collection = $1 AND id = $2 AND ($3::uuid IS NULL OR revisions[1] = $3) AND ${isHeld}`,
        [collection.name, id, before?.revision],
        "store-write-failed",
      );
    },
    ids: ({ name }) => idsWhere("", name),
    openIds: async (collection, open) => {
      await lookThrough(collection, open);
      return idsWhere("AND is_open", collection.name);
    },
    assertOwned: () => instance?.assertHeld() ?? Promise.resolve(),
    close: async (idle) => {
      closing.abort();
      await idle;
      await pool.end();
    },
  };
  return createStore(adapter, WIDTH);
}
