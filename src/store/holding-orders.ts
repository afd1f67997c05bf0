/**
 * `offered_at` and what follows it count from when Telegram took the card. `held_told`: the last `held` that the owner was
 * told of; null once it is over. `failed_at`: when the last call of an order failed that was looked at.
 */
export const tellingOfHolds = `ALTER TABLE standing_orders ADD COLUMN held_told TEXT;
  ALTER TABLE standing_orders ADD COLUMN failed_at BIGINT;
  CREATE INDEX standing_orders_held ON standing_orders (held) WHERE held IS NOT NULL;`;

export const lettingStopsComeAtNight = `UPDATE standing_orders SET through_quiet = 1 WHERE kind = 'stop' AND ended IS NULL;`;
