import { sql, type RawBuilder } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { accepted } from "../support/as-read.js";
import { addresses, testDesk } from "../support/desk.js";
import { startExchangeStub } from "../support/stub-exchange.js";
import { inTablesOf } from "../support/stored.js";
import { until } from "../support/until.js";

const OPERATOR = 4001;

/** What damages a person's row of each table, and what has it read. */
const damages: Readonly<Record<string, readonly [change: (userId: number) => RawBuilder<unknown>, line: string]>> = {
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
  updates: [
    (id) => sql`INSERT INTO updates (id, user_id, body, received_at, starts) VALUES (7, ${id}, 'damaged', 0, 1)`,
    "/help",
  ],
};

it.each(Object.entries(damages))(
  "a damaged row of %s stops that person's trading only, and operators are told until they settle it",
  async (_, [change, line]) => {
    const exchange = await startExchangeStub();
    onTestFinished(() => exchange.close());
    const desk = await testDesk({ ADMIN_USER_IDS: String(OPERATOR), ORDER_URL: exchange.url });
    const operator = desk.telegram.person(OPERATOR);
    const walks = [await desk.trader(), await desk.trader()].map(async (person) => {
      const { id } = exchange.add(100n);
      const order = await person.asks(`/order ${id}`, new RegExp(id));
      person.taps(order, "🔔");
      await person.sees(order, /You're watching/);
      const card = await person.asks("/swap 100 KLV KFI", /You pay: 100 KLV/);
      await person.asks("/swap", /Which token do you pay/);
      return { person, card };
    });
    const [{ person, card }, other] = (await Promise.all(walks)) as [
      Awaited<(typeof walks)[0]>,
      Awaited<(typeof walks)[0]>,
    ];
    await desk.telegram.allConfirmed();
    await desk.crash();
    const { numAffectedRows } = await inTablesOf(desk, (tx) => change(person.id).execute(tx));
    expect(numAffectedRows).toBe(1n);
    desk.start();

    person.says(line);
    const push = await operator.reads(new RegExp(`User ${person.id}: saved data can't be read`));
    // From here on nothing of theirs goes on, whatever they send, and it is told once.
    await until(() => {
      person.says("/security");
      return /saved data can't be read/.test(person.transcript().at(-1) ?? "");
    });
    await desk.telegram.allConfirmed();
    await desk.crash();
    desk.start();
    for (const sent of [`/wallet ${addresses.otherPerson}`, "/swap 100 KLV KFI", "/unfreeze", "/freeze", "hello"]) {
      await person.asks(sent, /saved data can't be read/);
    }
    const taps = person.tapAnswers().length;
    person.taps(card, "✅ Confirm");
    await until(() => person.tapAnswers().length > taps);
    other.person.taps(other.card, "✅ Confirm");
    await other.person.sees(other.card, accepted);
    other.person.says("KLV");
    await other.person.reads(/Which token do you want/);
    expect(desk.services.calls()).toHaveLength(1);
    expect(operator.transcript().filter((text) => text.includes("saved data can't be read"))).toHaveLength(1);

    operator.taps(push, "🔎 Open");
    await operator.sees(push, /restore a backup/);
    operator.taps(push, "🗑 Reset this user");
    await operator.sees(push, /was reset and is frozen/);
    for (const sent of ["/swap 100 KLV KFI", `/wallet ${addresses.otherPerson}`]) {
      await person.asks(sent, /frozen/);
    }
    expect(desk.services.calls()).toHaveLength(1);
  },
);
