import { sql, type RawBuilder } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { giveTurn } from "../../src/services/telegram/outbox-turns.js";
import { addresses, testDesk } from "../support/desk.js";
import { startExchangeStub } from "../support/stub-exchange.js";
import { inTablesOf, unhandledUpdates } from "../support/stored.js";
import { until } from "../support/until.js";

const OPERATOR = 4001;

type Damage = readonly [change: (userId: number) => RawBuilder<unknown>, line: string, button?: string];

/** By table: a statement that damages a user's row, and what the user sends to make the bot read it. */
const damages: Readonly<Record<string, Damage>> = {
  users: [(id) => sql`UPDATE users SET payout = 'damaged' WHERE id = ${id}`, "/help"],
  dialogs: [(id) => sql`UPDATE dialogs SET state = 'damaged' WHERE user_id = ${id}`, "/help"],
  watches: [(id) => sql`UPDATE watches SET told = 'damaged' WHERE user_id = ${id}`, "/orders"],
  orders: [
    (id) => sql`UPDATE orders SET body = '' WHERE id = (SELECT order_id FROM watches WHERE user_id = ${id})`,
    "/orders",
  ],
  outbox: [
    (id) => sql`INSERT INTO outbox (user_id, topic, subject, payload, revision, since, due_at, failures)
      VALUES (${id}, 'notice', 'x', 'damaged', 1, 0, 0, 0)`,
    "/help",
  ],
  intents: [(id) => sql`UPDATE intents SET terms = 'damaged' WHERE owner = ${id}`, "/freeze"],
  locks: [(id) => sql`INSERT INTO locks VALUES (${id}, 'LKTOK-1A2B/1', 'damaged', '1', '9', 0, 1, NULL)`, "/locks"],
  launches: [(id) => sql`INSERT INTO launches VALUES ('launch-1', ${id}, 0, 'damaged')`, "/launch"],
  portfolio_values: [
    (id) => sql`INSERT INTO portfolio_values VALUES (${id}, 'KLV', 4000000000000, 'damaged')`,
    "/portfolio",
    "📈",
  ],
  updates: [
    (id) => sql`INSERT INTO updates (id, user_id, body, received_at, starts) VALUES (7, ${id}, 'damaged', 0, 1)`,
    "/help",
  ],
};

it("a damaged row of any table stops only that user's trading, until an operator, notified once, resets them", async () => {
  const exchange = await startExchangeStub();
  onTestFinished(() => exchange.close());
  const desk = await testDesk({ ADMIN_USER_IDS: String(OPERATOR), ORDER_URL: exchange.url });
  const operator = desk.telegram.person(OPERATOR);
  const begins = async () => {
    const person = await desk.trader();
    const { id } = exchange.add(100n);
    const order = await person.asks(`/order ${id}`, new RegExp(id));
    person.taps(order, "🔔");
    await person.sees(order, /You're watching/);
    const card = await person.asks("/swap 100 KLV KFI", /You pay: 100 KLV/);
    await person.asks("/swap", /Which token do you pay/);
    return { person, card };
  };
  const other = await begins();
  const victims = await Promise.all(
    Object.entries(damages).map(async ([table, [change, line, button]]) => ({
      ...(await begins()),
      table,
      change,
      line,
      button,
    })),
  );
  await desk.telegram.allConfirmed();
  // A dialog is kept once its question was sent.
  await until(async () => (await unhandledUpdates(desk)).length === 0);
  await desk.crash();
  for (const { person, table, change } of victims) {
    const { numAffectedRows } = await inTablesOf(desk, async (tx) => {
      const changed = await change(person.id).execute(tx);
      if (table === "outbox") await giveTurn(tx, person.id, 0);
      return changed;
    });
    expect(numAffectedRows, table).toBe(1n);
  }
  desk.start();

  const pushesAbout = ({ person }: (typeof victims)[0]) =>
    desk.telegram
      .messagesOf(OPERATOR)
      .filter(({ text }) => text.includes(`User ${person.id}: saved data can't be read`));
  await Promise.all(
    victims.map(async (victim) => {
      const { person, table, line, button } = victim;
      if (button === undefined) person.says(line);
      else person.taps(await person.asks(line, /Your portfolio/), button);
      await until(
        () => pushesAbout(victim).length > 0,
        () => `operators were not told of ${table}`,
      );
      // From now on all that the user sends is refused, and operators aren't notified again.
      while (!(await person.asks("/security", /./)).text.includes("saved data can't be read"));
    }),
  );
  await desk.telegram.allConfirmed();
  await desk.crash();
  desk.start();
  await Promise.all(
    victims.map(async ({ person, card }) => {
      for (const sent of [`/wallet ${addresses.otherPerson}`, "/swap 100 KLV KFI", "/unfreeze", "/freeze", "hello"]) {
        await person.asks(sent, /saved data can't be read/);
      }
      const taps = person.tapAnswers().length;
      person.taps(card, "✅ Confirm");
      await person.reads(/saved data can't be read/);
      await until(() => person.tapAnswers().length > taps);
    }),
  );
  await other.person.confirms(other.card);
  await other.person.asks("KLV", /Which token do you want/);
  expect(desk.services.calls()).toHaveLength(1);

  for (const victim of victims) {
    const [push, ...more] = pushesAbout(victim);
    expect(more, victim.table).toEqual([]);
    operator.taps(push!, "🔎 Open");
    await operator.sees(push!, /restore a backup/);
    operator.taps(push!, "🗑 Reset this user");
    await operator.sees(push!, /was reset and is frozen/);
    for (const sent of ["/swap 100 KLV KFI", `/wallet ${addresses.otherPerson}`]) {
      await victim.person.asks(sent, /frozen/);
    }
  }
  expect(desk.services.calls()).toHaveLength(1);
});
