import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { alertsOf } from "../../src/services/alerts/price-alert-queries.js";
import { migrations } from "../../src/store/schema.js";
import { fromJson, type Tables } from "../../src/store/store.js";
import { temporaryPlace } from "../support/engine.js";

type Row = Readonly<Record<string, number | string | null>>;

/** What the code before this migration had stored on a virtual clock, and what it read from that for each person. */
const before = fromJson(readFileSync(join(import.meta.dirname, "fixtures/price-alerts.json"), "utf8")) as {
  readonly price_questions: readonly Tables["price_questions"][];
  readonly price_alerts: readonly Row[];
  readonly lists: readonly unknown[];
};

/** The migrations up to price watches. */
const BEFORE = 3;

it("the prices that alerts watched themselves become price watches, and the alerts read as before", async () => {
  const place = await temporaryPlace();
  const versions = migrations as string[];
  const later = versions.splice(BEFORE);
  try {
    const old = await place.open();
    await old.write(async (tx) => {
      for (const row of before.price_questions) await tx.insertInto("price_questions").values(row).execute();
      for (const row of before.price_alerts)
        await tx
          .insertInto("price_alerts")
          .values(row as never)
          .execute();
    });
    await old.close();
  } finally {
    versions.push(...later);
  }

  const { db, close } = await place.open();
  // Whether an end is reckoned from now wasn't kept then.
  for (const [index, list] of before.lists.entries()) {
    const asNow = (list as readonly object[]).map((alert) => ({ ...alert, endsFromNow: true }));
    expect(await alertsOf(db, index + 1)).toEqual(asNow);
  }
  const [questions, watches, alerts] = await Promise.all([
    db.selectFrom("price_questions").selectAll().orderBy("id").execute(),
    db.selectFrom("price_watches").selectAll().orderBy("subject").execute(),
    db.selectFrom("price_alerts").selectAll().orderBy("id").execute(),
  ]);
  expect(questions).toEqual(
    before.price_questions.map((question) => ({ ...question, steady_units: null, steady_at: null })),
  );
  const moved = before.price_alerts.map(({ id, paused, ended, ...row }) => {
    const { user_id, question, rule, high, low, anchor, share, missing_told, ...kept } = row;
    const watched = { user_id, question, rule, high, low, anchor, share, missing_told };
    const watch = { kind: "price-alert", subject: id, ...watched, paused: ended === null ? paused : 3 };
    return { watch, alert: { id, user_id, ...kept, ended, ends_from_now: 1 } };
  });
  expect(watches).toEqual(moved.map(({ watch }) => watch));
  expect(alerts).toEqual(moved.map(({ alert }) => alert));
  await close();
});
