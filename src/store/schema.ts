/** The tables, as `migrations` in database.ts make them. Times are milliseconds since 1970. */
export interface Tables {
  readonly operator_log: OperatorLogTable;
}

/** What operators did: rows are only ever added. */
interface OperatorLogTable {
  readonly id: string;
  readonly at: number;
  /** A Telegram user id. */
  readonly operator: number;
  readonly action: string;
  readonly about: string;
}
