import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Tables } from "./schema.js";

/** Reads. A transaction is one too, so each query is written once and serves both. */
export type Reader = Pick<Kysely<Tables>, "selectFrom">;
/** Reads and changes, all of them or none. */
export type Transaction = Pick<Kysely<Tables>, "selectFrom" | "insertInto" | "updateTable" | "deleteFrom">;

/**
 * Kysely's typed queries over a connection to SQLite. Transactions are the store's own: it decides when one begins.
 * @param around runs each statement: it may refuse it, and say what its failure means.
 */
export function queriesOver(
  database: DatabaseSyncInstance,
  around: <Result>(statement: () => Result) => Result = (statement) => statement(),
): Kysely<Tables> {
  const run = <Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> =>
    around(() => {
      const statement = database.prepare(sql);
      // Kysely binds what the tables' types allow: text, numbers and null.
      const values = parameters as (string | number | null)[];
      if (statement.columns().length > 0) return { rows: statement.all(...values) as Row[] };
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
    });
  const connection: DatabaseConnection = {
    executeQuery: <Row>(query: CompiledQuery) => Promise.resolve(query).then(run<Row>),
    streamQuery: () => {
      throw new Error("SQLite's rows are not streamed");
    },
  };
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: () => Promise.resolve(),
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    destroy: () => Promise.resolve(),
  };
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

function refuseTransaction(): Promise<never> {
  return Promise.reject(new Error("transactions are begun by the store's write"));
}
