/** The tables, as `migrations` in database.ts make them. Times are milliseconds since 1970. */
export interface Tables {
  /** Rows are only ever added. */
  readonly operator_log: {
    readonly id: string;
    readonly at: number;
    readonly operator: number;
    readonly action: string;
    readonly about: string;
  };
  /** Stored before Telegram is told. Of handled ones the id is kept, to recognise duplicates. */
  readonly updates: {
    readonly id: number;
    readonly user_id: number;
    readonly body: string | null;
    readonly received_at: number;
    /** In how many runs of the program its handling may have begun. */
    readonly starts: number;
  };
  readonly dialogs: {
    readonly user_id: number;
    /** Updates that are not newer were already handled. */
    readonly update_id: number;
    readonly state: string | null;
    readonly changed_at: number;
  };
  readonly orders: {
    readonly id: string;
    readonly body: string;
    readonly changed_at: number;
    /** The latest moment from which these figures are certain. */
    readonly seen_at: number;
    /** Null once it has ended, or while no watcher can be reached. */
    readonly due_at: number | null;
    readonly failures: number;
    readonly missing_since: number | null;
    readonly ended: number | null;
    /** What was filled when, as JSON. */
    readonly fills: string | null;
  };
  readonly watches: {
    readonly user_id: number;
    readonly order_id: string;
    readonly since: number;
    /** 1 while alerts about it make no sound. */
    readonly muted: number;
    /** What the user was told last, as JSON; what differs from the order is due. */
    readonly told: string;
  };
  readonly settings: {
    readonly name: string;
    readonly value: string;
  };
  /** Users, and those who request access: of these only `access` and `asked_at` are known. */
  readonly users: {
    readonly id: number;
    readonly language: string | null;
    readonly time_zone: string | null;
    readonly time_zone_since: number | null;
    readonly payout: string | null;
    readonly payout_since: number | null;
    readonly offered_payout: string | null;
    readonly slippage_bps: number | null;
    readonly phrase: string | null;
    readonly frozen_since: number | null;
    readonly unreachable_since: number | null;
    /** Where the bot is not for everybody: whether an operator let them in, or is to decide. */
    readonly access: "member" | "asked" | null;
    readonly asked_at: number | null;
    readonly limits: string | null;
    readonly guard_log: string | null;
    readonly preferences: string | null;
    readonly later_at: number | null;
    /** 1 where operators were told that this row can't be read. */
    readonly damage_told: number | null;
  };
  /** One row for each topic and subject of a user, until it has been sent. */
  readonly outbox: {
    readonly user_id: number;
    readonly topic: string;
    readonly subject: string;
    readonly payload: string;
    readonly revision: number;
    readonly since: number;
    /** Null while nothing can be sent to the user. */
    readonly due_at: number | null;
    readonly failures: number;
    /** The run of the program that began to send it, where it must not leave twice. */
    readonly begun_by: string | null;
  };
  /** Everything that spends. What is TEXT without a note is JSON; services/intent/queries.ts reads and writes it. */
  readonly intents: {
    readonly id: string;
    readonly owner: number;
    readonly kind: string;
    readonly state: string;
    /** 1 while it can be confirmed, is in progress, or the chain may contradict its end. */
    readonly open: number | null;
    /** When it expires by itself, while it can be confirmed. */
    readonly due_at: number | null;
    /** The run of the program that brought it to its state; no JSON. */
    readonly run: string;
    readonly chat_id: number;
    readonly message_id: number | null;
    readonly replaced_by: string | null;
    readonly payout: string;
    readonly paid: string;
    readonly terms: string;
    readonly call: string;
    readonly card: string;
    readonly quoted_at: number;
    readonly expires_at: number;
    /** Null too where the claim certainly led to nothing that is kept. */
    readonly claimed_at: number | null;
    readonly ended_at: number | null;
    readonly times: string;
    readonly outcome: string | null;
    readonly findings: string;
    /** What the operator earned, as far as it is proven; token id, and units in decimal. */
    readonly fee_token: string | null;
    readonly fee_units: string | null;
    /** While nobody knows its outcome: 1 until operators are told, 2 once they are, 3 once one has put it away. */
    readonly unresolved: number | null;
    /** Of the transaction that a wallet signs; the first two no JSON. */
    readonly sign_token: string | null;
    readonly tx_hash: string | null;
    readonly tx_nonce: number | null;
    readonly tx: string | null;
    readonly launch_id: string | null;
  };
  readonly locks: {
    readonly owner: number;
    readonly asset: string;
    readonly token: string;
    /** What is still locked, in base units. */
    readonly units: string;
    readonly unlock_epoch: string;
    readonly locked_at: number;
    /** 1 where a call of the bot was answered so, 0 where the owner reported it. */
    readonly answered: number;
    /** 1 until the owner was reminded that it can be unlocked. */
    readonly remind: number | null;
  };
  readonly launches: {
    readonly id: string;
    readonly owner: number;
    readonly created_at: number;
    readonly body: string;
  };
  /** Prices seen, thinned by age: services/price/history.ts. */
  readonly prices: {
    readonly first: string;
    readonly second: string;
    readonly grain: "minute" | "hour" | "day";
    readonly slot: number;
    /** As much of the first as was worth `units_second` of the second, in base units. */
    readonly units_first: string;
    readonly units_second: string;
  };
  readonly price_pairs: {
    readonly first: string;
    readonly second: string;
    readonly seen_at: number;
    /** When a person last asked for its price; 0 where nobody has. */
    readonly asked_at: number;
  };
  /** What the quotation service is asked, once for everybody who watches the same pair, direction and amount. */
  readonly price_questions: {
    /** `KFI/KLV/10000000`: the tokens, and how much of the first. */
    readonly id: string;
    readonly token_in: string;
    readonly precision_in: number;
    readonly units_in: string;
    readonly token_out: string;
    readonly precision_out: number;
    /** When to ask, or when an alert ends where all are paused; null while everybody is asleep or told of its end. */
    readonly due_at: number | null;
    /** How many times in a row there was no answer. */
    readonly failures: number;
    /** The last answer, in base units of the second token. */
    readonly units: string | null;
    readonly seen_at: number | null;
    /** 1 while not all alerts were compared with that answer. */
    readonly unsettled: number | null;
  };
  /** Prices that people want to be told of. */
  readonly price_alerts: {
    readonly id: string;
    readonly user_id: number;
    /** The id of a price question. */
    readonly question: string;
    /** `above 120`, `below 90.5` in whole tokens, or `move 500` in hundredths of a percent. */
    readonly rule: string;
    /** From which answer on, and down from which, something happens: forty digits. */
    readonly high: string | null;
    readonly low: string | null;
    /** The answer when it was set, or told last. */
    readonly anchor: string;
    /** 1 by the person, 2 while nothing can be sent to them. */
    readonly paused: number | null;
    /** 1 where it comes in quiet hours too. */
    readonly through_quiet: number;
    readonly created_at: number;
    readonly ends_at: number;
    /** When it ends, or quiet hours do that hold it back; null once it has ended. */
    readonly due_at: number | null;
    /** How often it was crossed, and how many of these were told. */
    readonly crossings: number;
    readonly told: number;
    /** The last crossings that were not told yet, as JSON. */
    readonly untold: string;
    /** Why it has ended, until that was told. */
    readonly ended: "time" | "unlisted" | null;
  };
  readonly portfolio_values: {
    readonly user_id: number;
    readonly token: string;
    /** When it began, in UTC. */
    readonly day: number;
    readonly units: string;
  };
}
