/**
 * The tables as both engines make them, from which the types of their rows are inferred (store.ts). Times are milliseconds since 1970.
 * Released ones are never edited: a change is a migration, and an addition to the type.
 */
export const tables = {
  /** Rows are only ever added. */
  operator_log:
    "id TEXT PRIMARY KEY, at BIGINT NOT NULL, operator BIGINT NOT NULL, action TEXT NOT NULL, about TEXT NOT NULL",
  /**
   * Stored before Telegram is told; of handled ones the id is kept, to recognise duplicates. `starts`: in how many runs of the
   * program its handling may have begun.
   */
  updates:
    "id BIGINT PRIMARY KEY, user_id BIGINT NOT NULL, body TEXT, received_at BIGINT NOT NULL, starts INTEGER NOT NULL",
  /**
   * `seen_at`: the latest moment from which these figures are certain. `due_at`: null once it has ended, or while no watcher can be
   * reached. `fills`: what was filled when, as JSON.
   */
  orders: `id TEXT PRIMARY KEY, body TEXT NOT NULL, changed_at BIGINT NOT NULL, seen_at BIGINT NOT NULL, due_at BIGINT,
    failures INTEGER NOT NULL, missing_since BIGINT, ended INTEGER, fills TEXT`,
  /** `muted`: 1 while alerts about it make no sound. `told`: what the user was told last, as JSON; what differs from the order is due. */
  watches: `user_id BIGINT NOT NULL, order_id TEXT NOT NULL, since BIGINT NOT NULL, muted INTEGER NOT NULL,
    told TEXT NOT NULL, PRIMARY KEY (user_id, order_id)`,
  settings: "name TEXT PRIMARY KEY, value TEXT NOT NULL",
  /** `update_id`: updates that are not newer were already handled. */
  dialogs: "user_id BIGINT PRIMARY KEY, update_id BIGINT NOT NULL, state TEXT, changed_at BIGINT NOT NULL",
  /**
   * Users, and those who request access: of these only `access` and `asked_at` are known. `access`: where the bot is not for
   * everybody, whether an operator let them in, or is to decide. `damage_told`: 1 where operators were told that the row can't be read.
   */
  users: `id BIGINT PRIMARY KEY, language TEXT, time_zone TEXT, time_zone_since BIGINT, payout TEXT, payout_since BIGINT,
    offered_payout TEXT, slippage_bps INTEGER, phrase TEXT, frozen_since BIGINT, unreachable_since BIGINT,
    access TEXT, asked_at BIGINT, limits TEXT, guard_log TEXT, preferences TEXT, later_at BIGINT,
    damage_told INTEGER`,
  /**
   * One row for each topic and subject of a user, until it has been sent. `due_at`: null while nothing can be sent to the user.
   * `begun_by`: the run of the program that began to send it, where it must not leave twice.
   */
  outbox: `user_id BIGINT NOT NULL, topic TEXT NOT NULL, subject TEXT NOT NULL, payload TEXT NOT NULL,
    revision INTEGER NOT NULL, since BIGINT NOT NULL, due_at BIGINT, failures INTEGER NOT NULL, begun_by TEXT,
    PRIMARY KEY (user_id, topic, subject)`,
  /**
   * Everything that spends; services/intent/row.ts reads and writes it. What is TEXT without a note, and no id, is JSON.
   * `open`: 1 while it can be confirmed, is in progress, or the chain may contradict its end. `due_at`: when it expires by itself, while it
   * can be confirmed. `run`: the run of the program that brought it to its state; no JSON. `claimed_at`: null too where the claim certainly
   * led to nothing that is kept. `fee_…`: what the operator earned, as far as it is proven: token id, and units in decimal. `unresolved`:
   * while nobody knows its outcome: 1 until operators are told, 2 once they are, 3 once one has put it away. `sign_token` and `tx…`: of the
   * transaction that a wallet signs; token and hash are no JSON.
   */
  intents: `id TEXT PRIMARY KEY, owner BIGINT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL, open INTEGER,
    due_at BIGINT, run TEXT NOT NULL, chat_id BIGINT NOT NULL, message_id BIGINT, replaced_by TEXT,
    payout TEXT NOT NULL, paid TEXT NOT NULL, terms TEXT NOT NULL, call TEXT NOT NULL, card TEXT NOT NULL,
    quoted_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, claimed_at BIGINT, ended_at BIGINT, times TEXT NOT NULL,
    outcome TEXT, findings TEXT NOT NULL, fee_token TEXT, fee_units TEXT, unresolved INTEGER, sign_token TEXT,
    tx_hash TEXT, tx_nonce BIGINT, tx TEXT, launch_id TEXT`,
  /**
   * `units`: what is still locked, in base units. `answered`: 1 where a call of the bot was answered so, 0 where the owner reported it.
   * `remind`: 1 until the owner was reminded that it can be unlocked.
   */
  locks: `owner BIGINT NOT NULL, asset TEXT NOT NULL, token TEXT NOT NULL, units TEXT NOT NULL,
    unlock_epoch TEXT NOT NULL, locked_at BIGINT NOT NULL, answered INTEGER NOT NULL, remind INTEGER,
    PRIMARY KEY (owner, asset)`,
  launches: "id TEXT PRIMARY KEY, owner BIGINT NOT NULL, created_at BIGINT NOT NULL, body TEXT NOT NULL",
  /**
   * Prices seen, thinned by age: services/price/history.ts. `units_first` of the first were worth `units_second` of the second, in base
   * units.
   */
  prices: `first TEXT NOT NULL, second TEXT NOT NULL, grain TEXT NOT NULL, slot BIGINT NOT NULL, units_first TEXT NOT NULL,
    units_second TEXT NOT NULL, PRIMARY KEY (first, second, grain, slot)`,
  /** `asked_at`: when a person last asked for its price; 0 where nobody has. */
  price_pairs: `first TEXT NOT NULL, second TEXT NOT NULL, seen_at BIGINT NOT NULL, asked_at BIGINT NOT NULL,
    PRIMARY KEY (first, second)`,
  /**
   * What the quotation service is asked, once for everybody who watches the same pair, direction and amount. `id`: `KFI/KLV/10000000`, the
   * tokens, and how much of the first. `due_at`: when to ask, or when an alert ends where all are paused; null while everybody is asleep or
   * told of its end. `failures`: how many times in a row there was no answer. `units`: the last answer, in base units of the second token.
   * `unsettled`: 1 while not all alerts were compared with that answer.
   */
  price_questions: `id TEXT PRIMARY KEY, token_in TEXT NOT NULL, precision_in INTEGER NOT NULL, units_in TEXT NOT NULL,
    token_out TEXT NOT NULL, precision_out INTEGER NOT NULL, due_at BIGINT, failures INTEGER NOT NULL, units TEXT,
    seen_at BIGINT, unsettled INTEGER`,
  /**
   * Prices that people want to be told of. `rule`: `above 120`, `below 90.5` in whole tokens, or `move 500` in hundredths of a percent.
   * `high` and `low`: from which answer on, and down from which, something happens: forty digits. `anchor`: the answer when it was set, or
   * told last. `paused`: 1 by the person, 2 while nothing can be sent to them. `through_quiet`: 1 where it comes in quiet hours too.
   * `due_at`: when it ends, or quiet hours do that hold it back; null once it has ended. `crossings`: how often it was crossed, and `told`
   * how many of these were told; `untold`: the last that were not, as JSON. `ended`: why, until that was told.
   */
  price_alerts: `id TEXT PRIMARY KEY, user_id BIGINT NOT NULL, question TEXT NOT NULL, rule TEXT NOT NULL, high TEXT, low TEXT,
    anchor TEXT NOT NULL, paused INTEGER, through_quiet INTEGER NOT NULL, created_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL, due_at BIGINT, crossings INTEGER NOT NULL, told INTEGER NOT NULL, untold TEXT NOT NULL,
    ended TEXT`,
  /** `day`: when it began, in UTC. */
  portfolio_values: `user_id BIGINT NOT NULL, token TEXT NOT NULL, day BIGINT NOT NULL, units TEXT NOT NULL,
    PRIMARY KEY (user_id, token, day)`,
} as const;

const indexes = `
  CREATE INDEX operator_log_at ON operator_log (at);
  CREATE INDEX updates_left ON updates (id) WHERE body IS NOT NULL;
  CREATE INDEX updates_age ON updates (received_at);
  CREATE INDEX orders_due ON orders (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX watches_order ON watches (order_id, user_id);
  CREATE INDEX dialogs_age ON dialogs (changed_at);
  CREATE INDEX users_asked ON users (asked_at) WHERE asked_at IS NOT NULL;
  CREATE INDEX users_later ON users (later_at) WHERE later_at IS NOT NULL;
  CREATE INDEX outbox_due ON outbox (due_at, since) WHERE due_at IS NOT NULL;
  CREATE INDEX intents_open ON intents (owner, open) WHERE open IS NOT NULL;
  CREATE INDEX intents_due ON intents (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX intents_history ON intents (owner, claimed_at);
  CREATE INDEX intents_unresolved ON intents (owner, ended_at) WHERE unresolved IS NOT NULL;
  CREATE INDEX intents_ended ON intents (ended_at, state, fee_token, fee_units) WHERE ended_at IS NOT NULL;
  CREATE INDEX intents_message ON intents (chat_id, message_id) WHERE message_id IS NOT NULL;
  CREATE INDEX intents_nonce ON intents (payout, tx_nonce) WHERE tx_nonce IS NOT NULL;
  CREATE INDEX intents_unspent ON intents (quoted_at) WHERE claimed_at IS NULL;
  CREATE UNIQUE INDEX intents_sign ON intents (sign_token) WHERE sign_token IS NOT NULL;
  CREATE UNIQUE INDEX intents_hash ON intents (tx_hash) WHERE tx_hash IS NOT NULL;
  CREATE INDEX locks_remind ON locks (unlock_epoch) WHERE remind IS NOT NULL;
  CREATE INDEX launches_owner ON launches (owner, created_at);
  CREATE INDEX price_pairs_asked ON price_pairs (asked_at);
  CREATE INDEX price_questions_due ON price_questions (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX price_alerts_owner ON price_alerts (user_id, created_at);
  CREATE INDEX price_alerts_due ON price_alerts (question, due_at);
  CREATE INDEX price_alerts_high ON price_alerts (question, high) WHERE paused IS NULL AND ended IS NULL;
  CREATE INDEX price_alerts_low ON price_alerts (question, low) WHERE paused IS NULL AND ended IS NULL;`;

const made = Object.entries(tables).map(([name, columns]) => `CREATE TABLE ${name} (${columns});`);

/** Every change of the tables, in order; a database's version says how many of them it has. */
export const migrations: readonly string[] = [`${made.join("")} ${indexes}`];
