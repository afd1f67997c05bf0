/**
 * The tables of the first version, in SQL for both engines. Times are milliseconds since 1970. They are released, so they
 * are never edited: a change is a migration in schema.ts.
 */
export const firstTables = {
  /** Append-only. */
  operator_log:
    "id TEXT PRIMARY KEY, at BIGINT NOT NULL, operator BIGINT NOT NULL, action TEXT NOT NULL, about TEXT NOT NULL",
  /**
   * Stored before they are acknowledged to Telegram. Handled ones keep only their id, to recognise duplicates.
   * `starts`: number of runs of the program in which handling may have begun.
   */
  updates:
    "id BIGINT PRIMARY KEY, user_id BIGINT NOT NULL, body TEXT, received_at BIGINT NOT NULL, starts INTEGER NOT NULL",
  /**
   * `seen_at`: when the exchange last confirmed these figures. `due_at`: when to poll next; null once the order has
   * ended, or while no watcher can be reached. `fills`: JSON of what was filled and when. `unclear`: consecutive polls
   * whose answer went back and may be an older one; null if the last one didn't. `turn`: of what is due, the lowest is
   * polled first (services/base/fair-turns.ts).
   */
  orders: `id TEXT PRIMARY KEY, body TEXT NOT NULL, changed_at BIGINT NOT NULL, seen_at BIGINT NOT NULL, due_at BIGINT,
    failures INTEGER NOT NULL, missing_since BIGINT, ended INTEGER, fills TEXT, unclear INTEGER, turn BIGINT`,
  /**
   * `muted`: 1 if alerts are silent. `told`: JSON of what the user was last told; the order is due if it differs.
   * `share`: the part of the user's share of the polls; null while they can't be reached.
   */
  watches: `user_id BIGINT NOT NULL, order_id TEXT NOT NULL, since BIGINT NOT NULL, muted INTEGER NOT NULL,
    told TEXT NOT NULL, share INTEGER, PRIMARY KEY (user_id, order_id)`,
  settings: "name TEXT PRIMARY KEY, value TEXT NOT NULL",
  /**
   * `update_id`: updates up to and including this one have been handled. Added later, both JSON: `asked`, the question of
   * an open dialog; `ended`, the last one that something else ended.
   */
  dialogs: "user_id BIGINT PRIMARY KEY, update_id BIGINT NOT NULL, state TEXT, changed_at BIGINT NOT NULL",
  /**
   * Users, and access requests, which have only `access` and `asked_at`. `access`: if the bot isn't open to everybody,
   * whether an operator has granted access or must decide. `damage_told`: 1 once operators know the row is unreadable.
   */
  users: `id BIGINT PRIMARY KEY, language TEXT, time_zone TEXT, time_zone_since BIGINT, payout TEXT, payout_since BIGINT,
    offered_payout TEXT, slippage_bps INTEGER, phrase TEXT, frozen_since BIGINT, unreachable_since BIGINT,
    access TEXT, asked_at BIGINT, limits TEXT, guard_log TEXT, preferences TEXT, later_at BIGINT,
    damage_told INTEGER`,
  /**
   * One row per user, topic and subject, until it has been sent. `due_at`: null while the user can't be reached.
   * `begun_by`: the run of the program that began to send it, for messages that must not be sent twice.
   * `refused_since`: since when Telegram has refused it in words that say neither that the user is gone nor what is
   * wrong with the message. `retry_at`: when such a row, whose `due_at` is null until then, is sent again.
   */
  outbox: `user_id BIGINT NOT NULL, topic TEXT NOT NULL, subject TEXT NOT NULL, payload TEXT NOT NULL,
    revision INTEGER NOT NULL, since BIGINT NOT NULL, due_at BIGINT, failures INTEGER NOT NULL, begun_by TEXT,
    refused_since BIGINT, retry_at BIGINT, PRIMARY KEY (user_id, topic, subject)`,
  /**
   * Everything that spends; see services/intent/intent-row.ts. `paid`, `terms`, `call`, `card`, `times`, `outcome`, `findings`
   * and `tx` are JSON. `open`: 1 while it can be confirmed, is in progress, or may still be contradicted by the chain.
   * `due_at`: when it expires, or when its transaction is looked up next. `run`: the run of the program that set its
   * state. `claimed_at`: also null if it was superseded before there was a transaction. `fee_…`: the operator's proven
   * fee: token id, and units in decimal. `unresolved`: while the outcome is unknown, 1 until operators are told, 2 once
   * they are, 3 once one has resolved it. `sign_token`, `tx…`: the transaction that a wallet signs. Added later:
   * `pack_at`: when the row is packed; null as long as something may contradict its end. `packed`: once it is, all of the
   * row's JSON but `times`, which is empty then (services/intent/packed.ts).
   */
  intents: `id TEXT PRIMARY KEY, owner BIGINT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL, open INTEGER,
    due_at BIGINT, run TEXT NOT NULL, chat_id BIGINT NOT NULL, message_id BIGINT, replaced_by TEXT,
    payout TEXT NOT NULL, paid TEXT NOT NULL, terms TEXT NOT NULL, call TEXT NOT NULL, card TEXT NOT NULL,
    quoted_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, claimed_at BIGINT, ended_at BIGINT, times TEXT NOT NULL,
    outcome TEXT, findings TEXT NOT NULL, fee_token TEXT, fee_units TEXT, unresolved INTEGER, sign_token TEXT,
    tx_hash TEXT, tx_nonce BIGINT, tx TEXT, launch_id TEXT`,
  /**
   * `units`: amount still locked, in base units. `answered`: 1 if it comes from a call's answer, 0 if the owner
   * reported it. `remind`: 1 until the owner has been reminded that it can be unlocked.
   */
  locks: `owner BIGINT NOT NULL, asset TEXT NOT NULL, token TEXT NOT NULL, units TEXT NOT NULL,
    unlock_epoch TEXT NOT NULL, locked_at BIGINT NOT NULL, answered INTEGER NOT NULL, remind INTEGER,
    PRIMARY KEY (owner, asset)`,
  launches: "id TEXT PRIMARY KEY, owner BIGINT NOT NULL, created_at BIGINT NOT NULL, body TEXT NOT NULL",
  /**
   * Prices seen, thinned by age (services/market/price-history.ts): `units_first` of `first` were worth `units_second` of
   * `second`, in base units.
   */
  prices: `first TEXT NOT NULL, second TEXT NOT NULL, grain TEXT NOT NULL, slot BIGINT NOT NULL, units_first TEXT NOT NULL,
    units_second TEXT NOT NULL, PRIMARY KEY (first, second, grain, slot)`,
  /** `asked_at`: when a user last asked for its price; 0 if none has. */
  price_pairs: `first TEXT NOT NULL, second TEXT NOT NULL, seen_at BIGINT NOT NULL, asked_at BIGINT NOT NULL,
    PRIMARY KEY (first, second)`,
  /**
   * Questions to the quotation service, one for all watches on the same pair, direction and amount. `id`: the tokens,
   * and units of the first, as in `KFI/KLV/10000000`. `due_at`: when to ask next; null while no watch is active.
   * `failures`: consecutive requests without an answer. `units`: the last answer, in base units of the second token.
   * `unsettled`: 1 until every watch has been compared with it. `turn`: of what is due, the lowest is asked first
   * (services/base/fair-turns.ts); null while no watch is active. `asked_at`: when it was last asked, `every_ms`: how long
   * after the time before; null if it wasn't, or nobody watched it meanwhile. `missing_since`: the first request since
   * the last answer, if it had none.
   */
  price_questions: `id TEXT PRIMARY KEY, token_in TEXT NOT NULL, precision_in INTEGER NOT NULL, units_in TEXT NOT NULL,
    token_out TEXT NOT NULL, precision_out INTEGER NOT NULL, due_at BIGINT, failures INTEGER NOT NULL, units TEXT,
    seen_at BIGINT, unsettled INTEGER, turn BIGINT, asked_at BIGINT, every_ms BIGINT, missing_since BIGINT`,
  price_alerts: `id TEXT PRIMARY KEY, user_id BIGINT NOT NULL, question TEXT NOT NULL, rule TEXT NOT NULL, high TEXT, low TEXT,
    anchor TEXT NOT NULL, paused INTEGER, through_quiet INTEGER NOT NULL, created_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL, due_at BIGINT, crossings INTEGER NOT NULL, told INTEGER NOT NULL, untold TEXT NOT NULL,
    ended TEXT, share INTEGER, missing_told INTEGER`,
  /** `day`: its start, in UTC. */
  portfolio_values: `user_id BIGINT NOT NULL, token TEXT NOT NULL, day BIGINT NOT NULL, units TEXT NOT NULL,
    PRIMARY KEY (user_id, token, day)`,
} as const;

export const firstIndexes = `
  CREATE INDEX operator_log_at ON operator_log (at);
  CREATE INDEX updates_left ON updates (id) WHERE body IS NOT NULL;
  CREATE INDEX updates_age ON updates (received_at);
  CREATE INDEX orders_due ON orders (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX orders_turn ON orders (turn, due_at, id) WHERE due_at IS NOT NULL AND turn IS NOT NULL;
  CREATE INDEX orders_missing ON orders (missing_since) WHERE missing_since IS NOT NULL;
  CREATE INDEX watches_order ON watches (order_id, user_id);
  CREATE INDEX watches_share ON watches (order_id, share) WHERE share IS NOT NULL;
  CREATE INDEX dialogs_age ON dialogs (changed_at);
  CREATE INDEX users_asked ON users (asked_at) WHERE asked_at IS NOT NULL;
  CREATE INDEX users_later ON users (later_at) WHERE later_at IS NOT NULL;
  CREATE INDEX outbox_due ON outbox (due_at, since) WHERE due_at IS NOT NULL;
  CREATE INDEX outbox_refused ON outbox (refused_since) WHERE refused_since IS NOT NULL;
  CREATE INDEX outbox_retry ON outbox (retry_at) WHERE retry_at IS NOT NULL;
  CREATE INDEX outbox_broadcast ON outbox (subject) WHERE topic = 'broadcast';
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
  CREATE INDEX price_questions_turn ON price_questions (turn, due_at, id)
    WHERE due_at IS NOT NULL AND turn IS NOT NULL;
  CREATE INDEX price_alerts_owner ON price_alerts (user_id, created_at);
  CREATE INDEX price_alerts_due ON price_alerts (question, due_at);
  CREATE INDEX price_alerts_next ON price_alerts (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX price_alerts_share ON price_alerts (question, share) WHERE share IS NOT NULL;
  CREATE INDEX price_alerts_missing ON price_alerts (question, user_id) WHERE missing_told IS NOT NULL;
  CREATE INDEX price_questions_missing ON price_questions (missing_since) WHERE missing_since IS NOT NULL;
  CREATE INDEX price_alerts_high ON price_alerts (question, high) WHERE paused IS NULL AND ended IS NULL;
  CREATE INDEX price_alerts_low ON price_alerts (question, low) WHERE paused IS NULL AND ended IS NULL;`;
