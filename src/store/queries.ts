import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  type SelectQueryBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { Fault } from "../fault.js";
import type { Tables } from "./schema.js";

export type Reader = Pick<Kysely<Tables>, "selectFrom">;
export type Transaction = Pick<Kysely<Tables>, "selectFrom" | "insertInto" | "updateTable" | "deleteFrom">;

/** How many rows a query finds. */
export async function countRows<Table extends keyof Tables>(
  found: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const { count } = await found.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return count;
}

/** When the first row of a table is due that is not due yet, in milliseconds since 1970. */
export async function nextDueAfter(
  db: Reader,
  table: "orders" | "outbox" | "price_questions",
  now: number,
): Promise<number | undefined> {
  const next = db.selectFrom(table).select("due_at").where("due_at", ">", now).orderBy("due_at").limit(1);
  return (await next.executeTakeFirst())?.due_at ?? undefined;
}

export interface Engine extends Omit<Dialect, "createDriver"> {
  readonly run: (query: CompiledQuery) => QueryResult<unknown> | Promise<QueryResult<unknown>>;
}

/** Transactions are the store's own: it decides when one begins. */
export function queriesBy({ run, ...dialect }: Engine): Kysely<Tables> {
  const connection: DatabaseConnection = {
    executeQuery: async <Row>(query: CompiledQuery) => (await run(query)) as QueryResult<Row>,
    streamQuery: () => {
      throw new Error("rows are not streamed");
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
  return new Kysely<Tables>({ dialect: { ...dialect, createDriver: () => driver } });
}

/**
 * Does the work of one transaction: none of its statements runs after its end. @param transaction its statements, each of
 * which asks first whether it may run. @throws Fault `store-slow` for what takes longer than it may.
 */
export async function inside<Result>(
  milliseconds: number,
  transaction: (assertOpen: () => void) => Transaction,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const tx = transaction(() => {
    if (isOver) throw new Error("a transaction was used after its end");
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Fault("store-slow", {})), milliseconds);
  });
  try {
    return await Promise.race([work(tx), late]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

/** So many texts stay compiled; a list of another length makes another text. */
const MAX_STATEMENTS = 500;

/** Compiles each text once. */
export function statementsOf(database: DatabaseSyncInstance) {
  const compile = (sql: string) => {
    const statement = database.prepare(sql);
    return { statement, hasRows: statement.columns().length > 0 };
  };
  const compiled = new Map<string, ReturnType<typeof compile>>();
  return (sql: string) => {
    const known = compiled.get(sql) ?? compile(sql);
    if (compiled.size >= MAX_STATEMENTS) compiled.clear();
    compiled.set(sql, known);
    return known;
  };
}

/** @param around runs each statement: it may refuse it, and explain its failure. */
export function queriesOver(
  statements: ReturnType<typeof statementsOf>,
  around: <Result>(statement: () => Result) => Result = (statement) => statement(),
): Kysely<Tables> {
  return queriesBy({
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    run: ({ sql, parameters }) =>
      around(() => {
        const { statement, hasRows } = statements(sql);
        // Kysely binds what the tables' types allow: text, numbers and null.
        const values = parameters as (string | number | null)[];
        if (hasRows) return { rows: statement.all(...values) };
        return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
      }),
  });
}

function refuseTransaction(): Promise<never> {
  return Promise.reject(new Error("transactions are begun by the store's write"));
}
