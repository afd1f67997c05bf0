import { expect, it } from "vitest";
import { createTradingPause } from "../../../src/services/operator/operator.js";
import { assertMayTrade } from "../../../src/services/person/pause.js";
import { changePerson } from "../../../src/services/person/person.js";
import { temporaryStore } from "../../support/engine.js";
import { assertNoScans } from "../../support/plans.js";
import { systemClock } from "../../../src/clock.js";

const owner = 1001;

it("a person may trade unless they have frozen it or an operator has paused it, also if nobody knows them", async () => {
  const store = await temporaryStore();
  const tradingPause = createTradingPause({ store, clock: systemClock });
  const freeze = (frozenSince?: number) =>
    store.write((tx) =>
      changePerson(tx, owner, ({ frozenSince: _, ...person }) => ({ ...person, ...(frozenSince && { frozenSince }) })),
    );
  expect(await assertMayTrade(store.db, owner)).toMatchObject({ chatId: owner });
  await tradingPause.pause("repairs");
  const paused = { code: "trading-paused", parameters: { reason: "repairs" } };
  await expect(assertMayTrade(store.db, owner)).rejects.toMatchObject(paused);
  await freeze();
  await expect(assertMayTrade(store.db, owner)).rejects.toMatchObject(paused);
  await freeze(1);
  await expect(assertMayTrade(store.db, owner)).rejects.toMatchObject({ code: "frozen" });
  await tradingPause.resume();
  await expect(assertMayTrade(store.db, owner)).rejects.toMatchObject({ code: "frozen" });
  await freeze();
  expect(await assertMayTrade(store.db, owner)).toMatchObject({ chatId: owner });
});

it("what allows a call is found by keys", async () => {
  await assertNoScans(
    (data) => {
      const user = data.prepare("INSERT INTO users (id, language, time_zone, preferences) VALUES (?, 'en', 'UTC', ?)");
      const setting = data.prepare("INSERT INTO settings VALUES (?, 'null')");
      for (let id = 1; id <= 20_000; id += 1) {
        user.run(id, JSON.stringify({ chatId: id }));
        setting.run(`setting-${id}`);
      }
      data.exec("INSERT INTO settings VALUES ('pause', 'null')");
    },
    {
      assertMayTrade: (tx) => assertMayTrade(tx, 7),
    },
  );
});
