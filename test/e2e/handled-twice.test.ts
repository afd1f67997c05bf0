import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, it } from "vitest";
import { accepted } from "../support/as-read.js";
import { addresses, testDesk } from "../support/desk.js";
import { unhandledUpdates } from "../support/stored.js";

it("whatever people sent may be handled twice: no second call, and everything as it was", async () => {
  const desk = await testDesk();
  const first = await desk.trader();
  // From now on no update counts as handled, so that the next run handles all of them once more.
  const database = new DatabaseSync(join(desk.folder, "store", "swapdesk.sqlite"), { timeout: 5_000 });
  database.exec("CREATE TRIGGER forget BEFORE UPDATE OF body ON updates BEGIN SELECT RAISE(IGNORE); END");
  database.close();

  const person = desk.stranger();
  person.says(`/wallet ${addresses.person}`);
  await person.reads(/klv1usdny/);
  person.says("/swap 611 KLV KFI");
  const card = await person.reads(/KLV → KFI/);
  person.taps(card, "✅ Confirm");
  await person.sees(card, accepted);
  person.says("/swap");
  person.taps(await person.reads(/Which token do you pay with/), "KLV");
  person.taps(await person.reads(/Which token do you want/), "KFI");
  await person.reads(/How much/);
  person.says("612");
  const other = await person.reads(/612 KLV/);
  person.taps(other, "✅ Confirm");
  await person.sees(other, accepted);
  person.says(`/wallet ${addresses.otherPerson}`);
  const change = await person.reads(/Old address|now|New/);
  person.taps(change, change.buttons[0]!.text);
  await person.sees(change, /klv1/);
  first.says("/freeze");
  await first.reads(/^Frozen/);
  first.says("/unfreeze");
  await first.reads(/./);
  const calls = desk.services.calls();
  expect(calls).toHaveLength(2);
  const replies = person.transcript().length;
  const waiting = unhandledUpdates(desk).length;
  expect(waiting).toBeGreaterThan(10);

  await desk.crash();
  desk.start();
  // They are answered again, except for the last answer to a dialog; none of them counts as an answer.
  person.says("/history");
  const history = await person.reads(/612 KLV/);
  expect(person.transcript().length).toBeGreaterThan(replies + 3);
  expect(history.text.match(/node accepted it/g)).toHaveLength(2);
  expect(desk.services.calls()).toEqual(calls);
  person.says("/wallet");
  await person.reads(new RegExp(addresses.otherPerson));
});
