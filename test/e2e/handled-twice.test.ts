import { expect, it } from "vitest";
import { accepted } from "../support/as-read.js";
import { addresses, testDesk } from "../support/desk.js";
import { inTablesOf } from "../support/stored.js";

it("updates that are handled twice lead to no second call and change nothing", async () => {
  const desk = await testDesk();
  const first = await desk.trader();
  const person = desk.stranger();
  const sent: number[] = [];
  const says = (text: string) => void sent.push(person.says(text));
  const taps = (...tap: Parameters<typeof person.taps>) => void sent.push(person.taps(...tap));

  says(`/wallet ${addresses.person}`);
  await person.reads(/klv1usdny/);
  says("/swap 611 KLV KFI");
  const card = await person.reads(/KLV → KFI/);
  taps(card, "✅ Confirm");
  await person.sees(card, accepted);
  says("/swap");
  taps(await person.reads(/Which token do you pay with/), "KLV");
  taps(await person.reads(/Which token do you want/), "KFI");
  await person.reads(/How much/);
  says("612");
  const other = await person.reads(/612 KLV/);
  taps(other, "✅ Confirm");
  await person.sees(other, accepted);
  says(`/wallet ${addresses.otherPerson}`);
  const change = await person.reads(/Change your wallet address/);
  taps(change, "Yes, change it");
  await person.sees(change, /klv1/);
  sent.push(first.says("/freeze"));
  await first.reads(/^🧊 Frozen/);
  sent.push(first.says("/unfreeze"));
  await first.reads(/./);
  const calls = desk.services.calls();
  expect(calls).toHaveLength(2);
  const replies = person.transcript().length;

  await desk.crash();
  // Forget which updates were handled, and let Telegram send all of them again.
  await inTablesOf(desk, (tx) => tx.deleteFrom("updates").execute());
  desk.start();
  // Updates that the stub answers to a poll of the previous run are lost.
  await first.asks("/help", /\/swap/);
  desk.telegram.redeliver(...sent);
  // They are answered again, except for the last answer to a dialog, which is no longer open.
  const history = await person.asks("/history", /^Your history[^]*612 KLV/);
  expect(person.transcript().length).toBeGreaterThan(replies + 3);
  expect(history.text.match(/accepted, not confirmed/g)).toHaveLength(2);
  expect(desk.services.calls()).toEqual(calls);
  await person.asks("/wallet", new RegExp(addresses.otherPerson));
});
