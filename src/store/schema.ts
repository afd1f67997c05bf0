import { firstIndexes, firstTables } from "./first-tables.js";
import { lettingStopsComeAtNight, tellingOfHolds } from "./holding-orders.js";
import { listing, listingTables } from "./listing-tables.js";
import { movingWithClock, steadying } from "./moving-with-clock.js";
import { calming, outboxTables, sayingWhatIsUnclear } from "./outbox-tables.js";
import { proposalTables, proposing } from "./proposal-tables.js";

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
   * `request`: JSON of what is paid for what. `rule`: JSON of the price that matters, or of when it is due, or of an
   * exit's parts, in base units. `payout`: the address that it was set up or resumed with. `paused`: `user`, or
   * `address` once that has changed. `due_at`: when to look at it, a day ahead at most; null once it has ended.
   * `ask_at`: when to ask for its price again, if that is known. `n`: how many of its occurrences have been offered or
   * missed. `held`: why what is due isn't offered. `failures`: consecutive requests without a price. `missed`: JSON of
   * what wasn't offered or taken, by reason; `told`: the same as its owner was last told. `card`: the intent that was
   * offered last, until that is settled; `offered_at`, `offered_on`, `today`: when, on which day in the owner's time
   * zone, and how many on that day. `watched`: the line that its price is compared with. `ended`: why it ended, until
   * the owner has been told.
   */
  standing_orders: `id TEXT PRIMARY KEY, user_id BIGINT NOT NULL, kind TEXT NOT NULL, request TEXT NOT NULL,
    rule TEXT NOT NULL, payout TEXT NOT NULL, paused TEXT, through_quiet INTEGER NOT NULL, due_at BIGINT, ask_at BIGINT,
    n INTEGER NOT NULL, held TEXT, failures INTEGER NOT NULL, missed TEXT NOT NULL, told TEXT NOT NULL, card TEXT,
    offered_at BIGINT, offered_on TEXT, today INTEGER NOT NULL, watched TEXT, ends_at BIGINT NOT NULL, ended TEXT,
    created_at BIGINT NOT NULL`,
  /** Pairs once found open. `opened`: number of the reading that did, 0 if unknown. `peak`: greatest depth, in forty digits. */
  pairs_seen: `address TEXT PRIMARY KEY, first TEXT NOT NULL, second TEXT NOT NULL, opened BIGINT NOT NULL,
    opened_at BIGINT NOT NULL, peak TEXT NOT NULL`,
  /**
   * Who is told of which kind of news, about what, and from how much on, in forty digits; see services/alerts. `since`:
   * what began until then is old. `told`: number of the last news that they were told, or that was before them. `due_at`:
   * when to tell. `away`: 1 while the user can't be reached.
   */
  news_watches: `kind TEXT NOT NULL, subject TEXT NOT NULL, user_id BIGINT NOT NULL, least TEXT NOT NULL,
    since BIGINT NOT NULL, told BIGINT NOT NULL, due_at BIGINT, away INTEGER, PRIMARY KEY (kind, subject, user_id)`,
  /**
   * What somebody waits for, for as long as its kind says: those whose least is above `before` and at most `peak`. `begun`:
   * what their `since` is compared with. `id`: what it is published once by. `fresh`: 1 until all whom it concerns are due.
   * `what`: JSON of what else is told.
   */
  news: `kind TEXT NOT NULL, number BIGINT NOT NULL, subject TEXT NOT NULL, begun BIGINT NOT NULL, before TEXT NOT NULL,
    peak TEXT NOT NULL, id TEXT, at BIGINT NOT NULL, fresh INTEGER, what TEXT NOT NULL, PRIMARY KEY (kind, number)`,
} as const;

/** All tables; store.ts infers the row types from them. */
export const tables = { ...firstTables, ...laterTables, ...outboxTables, ...proposalTables, ...listingTables } as const;

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
  news_watches: "user_id",
  news: null,
  outbox_turns: "user_id",
  proposal_links: "user_id",
  proposals: "user_id",
  outbox_unclear: "user_id",
  outbox_storms: "user_id",
  listing_requests: "user_id",
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

/** Tables that a later migration drops. */
const droppedTables = {
  arrival_watches: `user_id BIGINT PRIMARY KEY, address TEXT NOT NULL, due_at BIGINT, seen TEXT`,
  pair_news: `reading BIGINT NOT NULL, address TEXT NOT NULL, opened BIGINT NOT NULL, before TEXT NOT NULL,
    peak TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (reading, address)`,
  pair_watchers: `user_id BIGINT PRIMARY KEY, least TEXT NOT NULL, since BIGINT NOT NULL, heard BIGINT NOT NULL,
    told BIGINT NOT NULL, due_at BIGINT, away INTEGER`,
  trade_watches: `pair TEXT NOT NULL, user_id BIGINT NOT NULL, base TEXT NOT NULL, quote TEXT NOT NULL, least TEXT NOT NULL,
    told BIGINT NOT NULL, due_at BIGINT, away INTEGER, PRIMARY KEY (pair, user_id)`,
  pair_trades: `number BIGINT PRIMARY KEY, pair TEXT NOT NULL, hash TEXT NOT NULL, paid TEXT NOT NULL,
    paid_units TEXT NOT NULL, got TEXT NOT NULL, got_units TEXT NOT NULL, at BIGINT NOT NULL, reached BIGINT`,
} as const;

const hearingOfPairs = `
  CREATE TABLE pairs_seen (${laterTables.pairs_seen}); CREATE TABLE pair_watchers (${droppedTables.pair_watchers});
  CREATE TABLE pair_news (${droppedTables.pair_news}); CREATE INDEX pair_news_age ON pair_news (at);
  CREATE INDEX pairs_seen_peak ON pairs_seen (peak);
  CREATE INDEX pair_watchers_least ON pair_watchers (least); CREATE INDEX pair_watchers_heard ON pair_watchers (heard);
  CREATE INDEX pair_watchers_since ON pair_watchers (since) WHERE away IS NULL;
  CREATE INDEX pair_watchers_due ON pair_watchers (due_at) WHERE due_at IS NOT NULL;`;

const hearingOfArrivals = `CREATE TABLE arrival_watches (${droppedTables.arrival_watches});
  CREATE INDEX arrival_watches_due ON arrival_watches (due_at) WHERE due_at IS NOT NULL;`;
const hearingOfTrades = `
  CREATE TABLE trade_watches (${droppedTables.trade_watches}); CREATE TABLE pair_trades (${droppedTables.pair_trades});
  CREATE INDEX trade_watches_owner ON trade_watches (user_id, pair);
  CREATE INDEX trade_watches_least ON trade_watches (pair, quote, least) WHERE away IS NULL;
  CREATE INDEX trade_watches_due ON trade_watches (due_at) WHERE due_at IS NOT NULL;
  CREATE UNIQUE INDEX pair_trades_hash ON pair_trades (hash, pair);
  CREATE INDEX pair_trades_pair ON pair_trades (pair, number); CREATE INDEX pair_trades_age ON pair_trades (at);
  CREATE INDEX pair_trades_unreached ON pair_trades (number) WHERE reached IS NOT NULL;`;

/** Pieces of news in one reading of the pairs are fewer: a number for each leaves their order as it was. */
const PER_READING = 16_384;
/** What a message that waits says it tells. Both engines have these functions. */
const waits = `payload LIKE '{"after":%,"upTo":%}'`;
const after = `CAST(rtrim(rtrim(replace(payload, '{"after":', ''), '0123456789}'), '",:upTo') AS BIGINT)`;
const upTo = `CAST(replace(replace(payload, rtrim(payload, '0123456789}'), ''), '}', '') AS BIGINT)`;
const toldAs = (number: (old: string) => string) =>
  `payload = '{"after":' || (${number(after)}) || ',"upTo":' || (${number(upTo)}) || '}'`;
const ofReading = (reading: string) => `${reading} * ${PER_READING} + ${PER_READING - 1}`;
/** A swap is a purchase of one of its tokens and a sale of the other: two pieces of news. */
const ofTrade = (trade: string) => `2 * ${trade} + 1`;
const inDigits = (units: string) => `substr('${"0".repeat(40)}' || ${units}, length(${units}) + 1)`;
const tradesAs = ([base, quote]: readonly [string, string], isBuy: boolean) => {
  const number = `2 * number + ${isBuy ? 0 : 1}`;
  return `INSERT INTO news (kind, number, subject, begun, before, peak, id, at, fresh, what)
    SELECT 'big-trades', ${number}, pair || ' ' || ${base} || ' ' || ${quote}, ${number}, '', ${inDigits(`${quote}_units`)},
      hash, at, CASE WHEN reached IS NOT NULL THEN 1 END, '{"hash":"' || hash || '","at":' || at ||
      ',"isBuy":${isBuy},"baseUnits":{"$bigint":"' || ${base}_units || '"}}' FROM pair_trades;`;
};

/** New pairs and big trades had tables of their own. */
const hearingOfNews = `
  CREATE TABLE news_watches (${laterTables.news_watches}); CREATE TABLE news (${laterTables.news});
  INSERT INTO news_watches (kind, subject, user_id, least, since, told, due_at, away)
    SELECT 'new-pairs', '', user_id, least, since, ${ofReading("told")}, due_at, away FROM pair_watchers;
  INSERT INTO news_watches (kind, subject, user_id, least, since, told, due_at, away)
    SELECT 'big-trades', pair || ' ' || base || ' ' || quote, user_id, least, 0, ${ofTrade("told")}, due_at, away
    FROM trade_watches;
  INSERT INTO news (kind, number, subject, begun, before, peak, id, at, fresh, what)
    SELECT 'new-pairs', reading * ${PER_READING} + row_number() OVER (PARTITION BY reading ORDER BY seen.address), '',
      found.opened, before, found.peak, NULL, at, CASE WHEN reading > (SELECT min(heard) FROM pair_watchers) THEN 1 END,
      '{"address":"' || seen.address || '","first":"' || first || '","second":"' || second || '","openedAt":' ||
      opened_at || '}' FROM pair_news AS found JOIN pairs_seen AS seen ON seen.address = found.address;
  ${tradesAs(["got", "paid"], true)} ${tradesAs(["paid", "got"], false)}
  INSERT INTO settings (name, value) SELECT 'news', CAST(max(number) AS TEXT)
    FROM (SELECT told AS number FROM news_watches UNION ALL SELECT number FROM news) AS known HAVING max(number) > 0;
  DELETE FROM settings WHERE name = 'pair-trades';
  UPDATE outbox SET ${toldAs(ofReading)} WHERE topic = 'new-pairs' AND ${waits};
  UPDATE outbox SET ${toldAs(ofTrade)}, subject = (SELECT pair || ' ' || base || ' ' || quote FROM trade_watches
    WHERE pair = outbox.subject AND user_id = outbox.user_id)
    WHERE topic = 'big-trades' AND ${waits} AND EXISTS (SELECT 1 FROM trade_watches
      WHERE pair = outbox.subject AND user_id = outbox.user_id);
  DROP TABLE pair_watchers; DROP TABLE pair_news; DROP TABLE trade_watches; DROP TABLE pair_trades;
  CREATE INDEX news_watches_owner ON news_watches (user_id, kind, subject);
  CREATE INDEX news_watches_least ON news_watches (kind, subject, least);
  CREATE INDEX news_watches_waiting ON news_watches (kind, subject, least) WHERE due_at IS NULL AND away IS NULL;
  CREATE INDEX news_watches_since ON news_watches (kind, since) WHERE away IS NULL;
  CREATE INDEX news_watches_due ON news_watches (kind, due_at) WHERE due_at IS NOT NULL;
  CREATE UNIQUE INDEX news_id ON news (kind, subject, id); CREATE INDEX news_age ON news (kind, at);
  CREATE INDEX news_subject ON news (kind, subject, number);
  CREATE INDEX news_fresh ON news (kind, number) WHERE fresh IS NOT NULL;`;

/**
 * What arrives was found by what accounts held. `whole_at`: when somebody has as many messages about the same left as at
 * first.
 */
const hearingOfArrivalsAsNews = `
  ALTER TABLE news_watches ADD COLUMN whole_at BIGINT;
  INSERT INTO news_watches (kind, subject, user_id, least, since, told, due_at, away)
    SELECT 'arrivals', coalesce(users.payout, address), user_id, ${inDigits("'1000000'")}, 0,
      coalesce((SELECT CAST(value AS BIGINT) FROM settings WHERE name = 'news'), 0), NULL,
      CASE WHEN users.unreachable_since IS NOT NULL THEN 1 END
    FROM arrival_watches LEFT JOIN users ON users.id = user_id;
  DROP TABLE arrival_watches;`;

/**
 * People take turns in the outbox. `edits`: 1 if a row edits a message, which Telegram paces apart from new ones. By its
 * rows' due times alone, those who had many kept everybody waiting.
 */
const turns = `
  ALTER TABLE outbox ADD COLUMN edits INTEGER NOT NULL DEFAULT 0;
  UPDATE outbox SET edits = 1 WHERE topic = 'card';
  CREATE TABLE outbox_turns (${outboxTables.outbox_turns});
  INSERT INTO outbox_turns (user_id, edits, due_at, turn)
    SELECT user_id, edits, min(due_at), 0 FROM outbox GROUP BY user_id, edits;
  DROP INDEX outbox_due;
  CREATE INDEX outbox_own ON outbox (user_id, edits, due_at, since) WHERE due_at IS NOT NULL;
  CREATE INDEX outbox_since ON outbox (since) WHERE due_at IS NOT NULL AND refused_since IS NULL;
  CREATE INDEX outbox_turns_due ON outbox_turns (edits, due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX outbox_turns_next ON outbox_turns (edits, turn, due_at, user_id) WHERE due_at IS NOT NULL;
  CREATE INDEX outbox_turns_last ON outbox_turns (turn);`;

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
  hearingOfNews,
  hearingOfArrivalsAsNews,
  turns,
  tellingOfHolds,
  proposing,
  sayingWhatIsUnclear,
  lettingStopsComeAtNight,
  movingWithClock,
  calming,
  steadying,
  listing,
];
