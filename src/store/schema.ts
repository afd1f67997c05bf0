/** The tables, as `migrations` in database.ts make them. Times are milliseconds since 1970. */
export interface Tables {
  readonly operator_log: OperatorLogTable;
  readonly updates: UpdatesTable;
  readonly dialogs: DialogsTable;
  readonly orders: OrdersTable;
  readonly watches: WatchesTable;
  readonly settings: SettingsTable;
  readonly users: UsersTable;
  readonly outbox: OutboxTable;
  readonly intents: IntentsTable;
  readonly locks: LocksTable;
  readonly launches: LaunchesTable;
  readonly prices: PricesTable;
  readonly price_pairs: PricePairsTable;
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

/** What people are being asked. */
interface DialogsTable {
  readonly user_id: number;
  /** The update that changed it last: one that is not newer was taken already. */
  readonly update_id: number;
  /** The open dialog as @grammyjs/conversations keeps it, as JSON; null once it is over. */
  readonly state: string | null;
  readonly changed_at: number;
}

/** Orders of the exchange that somebody watches. */
interface OrdersTable {
  readonly id: string;
  /** The order as JSON, as it was when it last changed. */
  readonly body: string;
  readonly changed_at: number;
  /** The latest moment from which these figures are certain. */
  readonly seen_at: number;
  /** When to ask about it; null once it has ended, and while nobody who watches it can be reached. */
  readonly due_at: number | null;
  /** How many times in a row asking about it failed. */
  readonly failures: number;
  /** When the exchange first said that there is no such order. */
  readonly missing_since: number | null;
  /** 1 once there is nothing more to learn: it is final, or was missing for too long. */
  readonly ended: number | null;
}

interface WatchesTable {
  readonly user_id: number;
  readonly order_id: string;
  readonly since: number;
  /** 1 while alerts about it make no sound. */
  readonly muted: number;
  /** What the person was told last, as JSON: what differs from the order is due to them. */
  readonly told: string;
}

/** What people are to be told: one row for each topic and subject of a person, until it has been sent. */
interface OutboxTable {
  readonly user_id: number;
  readonly topic: string;
  readonly subject: string;
  /** JSON, as the topic knows it. */
  readonly payload: string;
  /** Grows with everything that there is to tell. */
  readonly revision: number;
  readonly since: number;
  /** When it may be tried; null while nothing can be sent to the person. */
  readonly due_at: number | null;
  readonly failures: number;
  /** The run of the program that began to send it, where it must not leave twice. */
  readonly begun_by: string | null;
}

/** What holds for the whole bot, by name: settings.ts. */
interface SettingsTable {
  readonly name: string;
  /** JSON. */
  readonly value: string;
}

/** People, and strangers who ask to be let in; of these only `access` and `asked_at` are known. */
interface UsersTable {
  /** The Telegram user id. */
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
  /** JSON, as what follows. */
  readonly limits: string | null;
  readonly guard_log: string | null;
  readonly preferences: string | null;
  /** When the first change that waits takes effect. */
  readonly later_at: number | null;
  /** 1 where operators were told that this row can't be read. */
  readonly damage_told: number | null;
}

/** Everything that spends. What is TEXT without a note is JSON; services/intent/queries.ts reads and writes it. */
interface IntentsTable {
  readonly id: string;
  /** A Telegram user id. */
  readonly owner: number;
  readonly kind: string;
  readonly state: string;
  /** 1 while it can be confirmed, is under way, or the chain may contradict its end; 2 while only its card does not show that. */
  readonly open: number | null;
  /** When it expires by itself, while it can be confirmed. */
  readonly due_at: number | null;
  /** The run of the program that brought it to its state; no JSON. */
  readonly run: string;
  readonly chat_id: number;
  readonly message_id: number | null;
  /** The state that the message shows; no JSON. */
  readonly shown_state: string | null;
  /** An intent's id; no JSON. */
  readonly replaced_by: string | null;
  /** An address; no JSON. */
  readonly payout: string;
  /** What its call pays, amounts. */
  readonly paid: string;
  readonly terms: string;
  readonly call: string;
  /** What else its card needs. */
  readonly card: string;
  readonly quoted_at: number;
  readonly expires_at: number;
  /** Null too where the claim certainly led to nothing that is kept. */
  readonly claimed_at: number | null;
  /** When its call ended, in whatever way. */
  readonly ended_at: number | null;
  readonly times: string;
  readonly outcome: string | null;
  /** What balances and later looks say. */
  readonly findings: string;
  /** What the operator was paid, as far as it is proven; a token id, and units in decimal. */
  readonly fee_token: string | null;
  readonly fee_units: string | null;
  /** While nobody knows its outcome: 1 until operators are told, 2 once they are, 3 once one has put it away. */
  readonly unresolved: number | null;
  /** Of the transaction that a wallet signs; the first two no JSON. */
  readonly sign_token: string | null;
  readonly tx_hash: string | null;
  readonly tx_nonce: number | null;
  readonly tx: string | null;
  /** The launch of which it is a step; no JSON. */
  readonly launch_id: string | null;
}

/** What people have locked through the bot, by what the node answered. */
interface LocksTable {
  readonly owner: number;
  /** The locked token and its nonce. */
  readonly asset: string;
  /** What was locked, as JSON. */
  readonly token: string;
  /** How much of it is still locked, in smallest units; "0" where nothing is. */
  readonly units: string;
  /** Twenty digits. */
  readonly unlock_epoch: string;
  readonly locked_at: number;
  /** 1 where a call of the bot was answered so, 0 where the owner reported it. */
  readonly answered: number;
  /** 1 until the owner was reminded that it can be unlocked. */
  readonly remind: number | null;
}

/** Pairs that people are launching. */
interface LaunchesTable {
  readonly id: string;
  readonly owner: number;
  readonly created_at: number;
  /** All else as JSON: services/launch/record.ts reads and writes it. */
  readonly body: string;
}

/** Prices seen, thinned by age: services/price/history.ts. */
interface PricesTable {
  /** Token ids in the order of their characters. */
  readonly first: string;
  readonly second: string;
  readonly grain: "minute" | "hour" | "day";
  /** When its minute, hour or day began, in UTC. */
  readonly slot: number;
  /** As much of the first as was worth `units_second` of the second, in smallest units. */
  readonly units_first: string;
  readonly units_second: string;
}

interface PricePairsTable {
  readonly first: string;
  readonly second: string;
  readonly seen_at: number;
  /** When a person last asked for its price; 0 where nobody has. */
  readonly asked_at: number;
}
