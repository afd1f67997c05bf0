import { expect, it } from "vitest";
import { addresses, testDesk } from "../support/desk.js";
import { openStored } from "../support/stored.js";

const OPERATOR = 4001;

it("a person whose record can't be read neither trades nor changes anything until an operator settles it", async () => {
  const desk = await testDesk({ ADMIN_USER_IDS: String(OPERATOR) });
  const operator = desk.telegram.person(OPERATOR);
  const person = await desk.trader();
  const other = await desk.trader();
  person.says("/swap 100 KLV KFI");
  const card = await person.reads(/You pay: 100 KLV/);
  const refresh = card.buttons.find(({ text }) => text.startsWith("🔄"))!.data;
  person.says("/freeze");
  await person.reads(/^Frozen/);
  await desk.crash();
  const store = openStored(desk);
  await store.write((tx) => tx.updateTable("users").set({ payout: "damaged" }).where("id", "=", person.id).execute());
  await store.close();
  desk.start();

  // Nothing of theirs goes on, whatever they send.
  const lines = ["/security", `/wallet ${addresses.otherPerson}`, "/swap 100 KLV KFI", "/unfreeze", "/freeze", "hello"];
  for (const line of lines) {
    person.says(line);
    await person.reads(/saved data can't be read/);
  }
  person.forges(card, `v1:c:${"A".repeat(22)}`);
  person.forges(card, refresh);
  await desk.telegram.allConfirmed();
  await desk.crash();
  desk.start();
  person.says("/swap 100 KLV KFI");
  await person.reads(/saved data can't be read/);
  expect(desk.services.calls()).toHaveLength(0);

  // Others trade, and operators are told, once.
  other.says("/swap 100 KLV KFI");
  const traded = await other.reads(/You pay: 100 KLV/);
  other.taps(traded, "✅ Confirm");
  await other.sees(traded, /The node accepted it/);
  const push = await operator.reads(new RegExp(`Person ${person.id}: saved data can't be read`));
  operator.says("/admin");
  await operator.reads(/Trading is open/);
  expect(operator.transcript().filter((text) => text.includes("saved data can't be read"))).toHaveLength(1);

  // What is to be done stands on a card, and a second step begins anew.
  operator.taps(push, "🔎 Look");
  await operator.sees(push, /restore their data from a back-up/);
  person.says("/help");
  await person.reads(/saved data can't be read/);
  operator.taps(push, "🗑 Delete it and start over");
  await operator.sees(push, /starts over, frozen/);
  person.says("/swap 100 KLV KFI");
  await person.reads(/frozen/);
  person.says(`/wallet ${addresses.otherPerson}`);
  await person.reads(/frozen/);
  expect(desk.services.calls()).toHaveLength(1);
});
