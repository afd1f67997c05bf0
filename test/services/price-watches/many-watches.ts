import type { DatabaseSyncInstance } from "@photostructure/sqlite";

export const WATCHES = 20_000;

/** A question for each watch of a price alert, `alert-1` and so on, of 5,000 people. */
export function fillWatches(data: DatabaseSyncInstance, now: number): void {
  const question = data.prepare(
    "INSERT INTO price_questions VALUES (?, 'KFI', 6, ?, 'KLV', 6, ?, 0, '5', 1, NULL, ?, 1, 15000, NULL, '5', 1)",
  );
  const row = data.prepare(
    "INSERT INTO price_watches VALUES ('price-alert', ?, ?, ?, 'above 120', ?, NULL, '1', NULL, 2500, NULL)",
  );
  for (let number = 1; number <= WATCHES; number += 1) {
    question.run(`KFI/KLV/${number}`, String(number), now + number, number);
    row.run(`alert-${number}`, number % 5_000, `KFI/KLV/${number}`, String(number).padStart(40, "0"));
  }
}
