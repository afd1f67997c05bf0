import { firstIndexes, firstTables } from "./first-tables.js";

/**
 * The tables that were added later, or changed, in SQL for both engines. Never edit a released table: add a migration,
 * and extend the type.
 */
const laterTables = {
  /**
   * Prices that a part of the bot wants to be told of; see services/price-watches. `kind`: whose it is, `subject`: what
   * that calls it. `rule`: `above 120` or `below 90.5` in whole tokens, `least 5200000` or `most 90000000` in base units of
   * the answer, or `move 500` in basis points. `high` and `low`: an answer at or beyond either crosses the watch, or arms
   * it again; zero-padded to forty digits. `anchor`: the answer when it was set or last crossed. `paused`: 1 by its
   * subscriber, 2 while its owner can't be reached, 3 for good. `share`: the part of the owner's share of the requests;
   * null while it is paused. `missing_told`: 1 from when its owner is told that there is no price until they are told that
   * there is one again.
   */
  price_watches: `kind TEXT NOT NULL, subject TEXT NOT NULL, user_id BIGINT NOT NULL, question TEXT NOT NULL,
    rule TEXT NOT NULL, high TEXT, low TEXT, anchor TEXT NOT NULL, paused INTEGER, share INTEGER, missing_told INTEGER,
    PRIMARY KEY (kind, subject)`,
  /**
   * What it watches is in `price_watches`. `through_quiet`: 1 if it ignores quiet hours. `due_at`: when to look whether it
   * has ended, or when the quiet hours that hold it back do; a day ahead at most; null once it has ended. `crossings`: how
   * often it was triggered, `told`: how many of those were reported, `untold`: JSON of the last that weren't. `ended`: why
   * it ended, until the user has been told.
   */
  price_alerts: `id TEXT PRIMARY KEY, user_id BIGINT NOT NULL, through_quiet INTEGER NOT NULL, created_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL, due_at BIGINT, crossings INTEGER NOT NULL, told INTEGER NOT NULL, untold TEXT NOT NULL,
    ended TEXT`,
  /**
   * `request`: JSON of what is paid for what. `rule`: JSON of the price that matters, or of when it is due. `payout`: the
   * address that it was set up or resumed with. `paused`: `user`, or `address` once that has changed. `due_at`: when to
   * look at it, a day ahead at most; null once it has ended. `ask_at`: when to ask for its price again, if that is known.
   * `n`: how many of its occurrences have been offered or missed. `held`: why what is due isn't offered. `failures`:
   * consecutive requests without a price. `missed`: JSON of what wasn't offered or taken, by reason; `told`: the same as
   * its owner was last told. `card`: the intent that was offered last, until that is settled; `offered_at`, `offered_on`,
   * `today`: when, on which day in the owner's time zone, and how many on that day. `watched`: the line that its price is
   * compared with. `ended`: why it ended, until the owner has been told.
   */
  standing_orders: `id TEXT PRIMARY KEY, user_id BIGINT NOT NULL, kind TEXT NOT NULL, request TEXT NOT NULL,
    rule TEXT NOT NULL, payout TEXT NOT NULL, paused TEXT, through_quiet INTEGER NOT NULL, due_at BIGINT, ask_at BIGINT,
    n INTEGER NOT NULL, held TEXT, failures INTEGER NOT NULL, missed TEXT NOT NULL, told TEXT NOT NULL, card TEXT,
    offered_at BIGINT, offered_on TEXT, today INTEGER NOT NULL, watched TEXT, ends_at BIGINT NOT NULL, ended TEXT,
    created_at BIGINT NOT NULL`,
  /** Pairs once found open. `opened`: number of the reading that did, 0 if unknown. `peak`: greatest depth, in forty digits. */
  pairs_seen: `address TEXT PRIMARY KEY, first TEXT NOT NULL, second TEXT NOT NULL, opened BIGINT NOT NULL,
    opened_at BIGINT NOT NULL, peak TEXT NOT NULL`,
  /** Pairs found deeper than ever, for those whose least depth is above `before` and at most `peak`. */
  pair_news: `reading BIGINT NOT NULL, address TEXT NOT NULL, opened BIGINT NOT NULL, before TEXT NOT NULL,
    peak TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (reading, address)`,
  /**
   * Who is told of new pairs. `since`: the reading up to which pairs are old, `heard`: up to which news were looked at,
   * `told`: up to which they were told. `due_at`: when to tell. `away`: 1 if the user can't be reached.
   */
  pair_watchers: `user_id BIGINT PRIMARY KEY, least TEXT NOT NULL, since BIGINT NOT NULL, heard BIGINT NOT NULL,
    told BIGINT NOT NULL, due_at BIGINT, away INTEGER`,
  /**
   * Who is told when something arrives at their address. `due_at`: when to look if nothing makes it sooner; null while
   * they can't be reached. `seen`: JSON of what the account holds and what of it was told; null until the first look.
   */
  arrival_watches: `user_id BIGINT PRIMARY KEY, address TEXT NOT NULL, due_at BIGINT, seen TEXT`,
  /**
   * Who is told of big trades in a pair, and from what amount of `quote` on, in forty digits. `told`: number of the last
   * trade that they were told or that was before them. `due_at`, `away`: as in `pair_watchers`.
   */
  trade_watches: `pair TEXT NOT NULL, user_id BIGINT NOT NULL, base TEXT NOT NULL, quote TEXT NOT NULL, least TEXT NOT NULL,
    told BIGINT NOT NULL, due_at BIGINT, away INTEGER, PRIMARY KEY (pair, user_id)`,
  /** Trades that somebody waits for, for two days. `reached`: the last user who was looked at for it; null after all. */
  pair_trades: `number BIGINT PRIMARY KEY, pair TEXT NOT NULL, hash TEXT NOT NULL, paid TEXT NOT NULL,
    paid_units TEXT NOT NULL, got TEXT NOT NULL, got_units TEXT NOT NULL, at BIGINT NOT NULL, reached BIGINT`,
} as const;

/** All tables; store.ts infers the row types from them. */
export const tables = { ...firstTables, ...laterTables } as const;

/**
 * The column by which a table's rows belong to a person; null if they are nobody's. `/forget` deletes by it, so a table
 * that isn't here doesn't compile.
 */
export const personColumns = {
  operator_log: null,
  updates: "user_id",
  orders: null,
  watches: "user_id",
  settings: null,
  dialogs: "user_id",
  users: "id",
  outbox: "user_id",
  intents: "owner",
  locks: "owner",
  launches: "owner",
  prices: null,
  price_pairs: null,
  price_questions: null,
  price_watches: "user_id",
  price_alerts: "user_id",
  portfolio_values: "user_id",
  standing_orders: "user_id",
  pairs_seen: null,
  pair_news: null,
  pair_watchers: "user_id",
  arrival_watches: "user_id",
  trade_watches: "user_id",
  pair_trades: null,
} as const satisfies Readonly<Record<keyof typeof tables, "id" | "owner" | "user_id" | null>>;

const made = Object.entries(firstTables).map(([name, columns]) => `CREATE TABLE ${name} (${columns});`);

/** A call that a wallet signed is packed only if the chain has it; see `isFinal` in services/intent/intent.ts. */
const packing = `
  ALTER TABLE intents ADD COLUMN pack_at BIGINT;
  ALTER TABLE intents ADD COLUMN packed BYTEA;
  UPDATE intents SET pack_at = ended_at - ended_at % 3600000 + 49 * 3600000
    WHERE state = 'OK' OR (state = 'FAILED' AND (tx IS NULL OR outcome LIKE '%"costsFee":true%'));
  CREATE INDEX intents_pack ON intents (pack_at) WHERE pack_at IS NOT NULL;`;

/** A question that something else ended can be continued; see bot/dialogs.ts. */
const continuing = "ALTER TABLE dialogs ADD COLUMN asked TEXT; ALTER TABLE dialogs ADD COLUMN ended TEXT;";

/** Price alerts watched prices themselves. */
const watching = `
  CREATE TABLE price_watches (${laterTables.price_watches});
  INSERT INTO price_watches (kind, subject, user_id, question, rule, high, low, anchor, paused, share, missing_told)
    SELECT 'price-alert', id, user_id, question, rule, high, low, anchor,
      CASE WHEN ended IS NULL THEN paused ELSE 3 END, share, missing_told FROM price_alerts;
  CREATE TABLE alerts_alone (${laterTables.price_alerts});
  INSERT INTO alerts_alone (id, user_id, through_quiet, created_at, ends_at, due_at, crossings, told, untold, ended)
    SELECT id, user_id, through_quiet, created_at, ends_at, due_at, crossings, told, untold, ended FROM price_alerts;
  DROP TABLE price_alerts;
  ALTER TABLE alerts_alone RENAME TO price_alerts;
  CREATE INDEX price_watches_owner ON price_watches (user_id, kind);
  CREATE INDEX price_watches_paused ON price_watches (question, paused);
  CREATE INDEX price_watches_share ON price_watches (question, share) WHERE share IS NOT NULL;
  CREATE INDEX price_watches_missing ON price_watches (question, kind, user_id) WHERE missing_told IS NOT NULL;
  CREATE INDEX price_watches_high ON price_watches (question, high) WHERE paused IS NULL;
  CREATE INDEX price_watches_low ON price_watches (question, low) WHERE paused IS NULL;
  CREATE INDEX price_alerts_owner ON price_alerts (user_id, created_at);
  CREATE INDEX price_alerts_next ON price_alerts (due_at) WHERE due_at IS NOT NULL;`;

/** What a card's standing order is, for the order to find its calls. */
const standing = `
  CREATE TABLE standing_orders (${laterTables.standing_orders});
  CREATE INDEX standing_orders_owner ON standing_orders (user_id, created_at);
  CREATE INDEX standing_orders_due ON standing_orders (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX standing_orders_left ON standing_orders (kind) WHERE ended IS NULL;
  ALTER TABLE intents ADD COLUMN standing TEXT;
  ALTER TABLE intents ADD COLUMN occurrence INTEGER;
  CREATE INDEX intents_standing ON intents (standing, state) WHERE standing IS NOT NULL;`;

/**
 * A transaction's JSON begins with its phase; before, flags said where it is. Those without one are rewritten in lots;
 * see services/intent/old-rows.ts.
 */
const phasing = `CREATE INDEX intents_old ON intents (id) WHERE substr(tx, 1, 9) <> '{"phase":';`;

/** `week_at`: when to look whether a person is told of their week; null unless they chose to be. */
const weeks = `ALTER TABLE users ADD COLUMN week_at BIGINT;
  CREATE INDEX users_week ON users (week_at) WHERE week_at IS NOT NULL;`;

const hearingOfPairs = `
  CREATE TABLE pairs_seen (${laterTables.pairs_seen}); CREATE TABLE pair_watchers (${laterTables.pair_watchers});
  CREATE TABLE pair_news (${laterTables.pair_news}); CREATE INDEX pair_news_age ON pair_news (at);
  CREATE INDEX pairs_seen_peak ON pairs_seen (peak);
  CREATE INDEX pair_watchers_least ON pair_watchers (least); CREATE INDEX pair_watchers_heard ON pair_watchers (heard);
  CREATE INDEX pair_watchers_since ON pair_watchers (since) WHERE away IS NULL;
  CREATE INDEX pair_watchers_due ON pair_watchers (due_at) WHERE due_at IS NOT NULL;`;

const hearingOfArrivals = `CREATE TABLE arrival_watches (${laterTables.arrival_watches});
  CREATE INDEX arrival_watches_due ON arrival_watches (due_at) WHERE due_at IS NOT NULL;`;
const hearingOfTrades = `
  CREATE TABLE trade_watches (${laterTables.trade_watches}); CREATE TABLE pair_trades (${laterTables.pair_trades});
  CREATE INDEX trade_watches_owner ON trade_watches (user_id, pair);
  CREATE INDEX trade_watches_least ON trade_watches (pair, quote, least) WHERE away IS NULL;
  CREATE INDEX trade_watches_due ON trade_watches (due_at) WHERE due_at IS NOT NULL;
  CREATE UNIQUE INDEX pair_trades_hash ON pair_trades (hash, pair);
  CREATE INDEX pair_trades_pair ON pair_trades (pair, number); CREATE INDEX pair_trades_age ON pair_trades (at);
  CREATE INDEX pair_trades_unreached ON pair_trades (number) WHERE reached IS NOT NULL;`;

/** All schema changes, in order. A database's version is the number of migrations it has had. */
export const migrations: readonly string[] = [
  `${made.join("")} ${firstIndexes}`,
  packing,
  continuing,
  watching,
  standing,
  phasing,
  weeks,
  hearingOfPairs,
  hearingOfArrivals,
  hearingOfTrades,
];
