/** The tables, as `migrations` in database.ts make them. Times are milliseconds since 1970. */
export interface Tables {
  readonly operator_log: OperatorLogTable;
  readonly updates: UpdatesTable;
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

/** Telegram's updates, from before it hears that they were received. Of one that was handled the id is kept, so that it is known again. */
interface UpdatesTable {
  readonly id: number;
  /** Who sent it; 0 once it was handled. */
  readonly user_id: number;
  /** Its JSON; null once it was handled. */
  readonly body: string | null;
  readonly received_at: number;
  /** In how many runs of the program its handling may have begun. */
  readonly starts: number;
}
