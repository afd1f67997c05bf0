/**
 * What was reckoned from now moves with the clock when that is set. `ends_from_now`: 1 if `ends_at` was; a date's end is
 * the last millisecond of a minute. `offered_moved`: by how much the clock was set since `offered_at`, in milliseconds.
 */
export const movingWithClock = `
  ALTER TABLE standing_orders ADD COLUMN ends_from_now INTEGER;
  ALTER TABLE standing_orders ADD COLUMN offered_moved BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE price_alerts ADD COLUMN ends_from_now INTEGER;
  UPDATE standing_orders SET ends_from_now = 1 WHERE kind <> 'dca' AND ends_at % 60000 <> 59999;
  UPDATE price_alerts SET ends_from_now = 1 WHERE ends_at % 60000 <> 59999;`;

/** What the next answer is compared with for the highs of trails, in base units, and when it was given. */
export const steadying = `ALTER TABLE price_questions ADD COLUMN steady_units TEXT;
  ALTER TABLE price_questions ADD COLUMN steady_at BIGINT;`;
