import { join } from "node:path";
import { expect, it } from "vitest";
import { addresses, testDesk } from "../support/desk.js";
import { project } from "../support/process.js";
import type { Person } from "../support/stub-telegram.js";
import { until } from "../support/until.js";

const asker = (person: Person) => async (line: string, pattern: RegExp) => {
  person.says(line);
  return person.reads(pattern);
};

async function askForOther(person: Person) {
  const asks = asker(person);
  person.taps(await asks(`/wallet ${addresses.otherPerson}`, /Change your wallet address/), "Yes, change it");
  return person.reads(/^From .*, this will be your wallet address:/);
}

it("a changed payout address and /unfreeze are delayed, can be undone, and are dropped by a freeze; a first address isn't delayed", async () => {
  const desk = await testDesk({ GUARD_DELAY_SECONDS: "" });
  // The user's first address took effect at once.
  const person = await desk.trader();
  const asks = asker(person);
  const waits = await askForOther(person);
  expect(waits.text).toContain(addresses.otherPerson);
  const card = await asks("/swap 100 KLV KFI", /You pay: 100 KLV/);
  expect(card.text).toContain(addresses.person);
  await asks("/security", /From .*, this will be your wallet address:/);
  expect((await asks("/wallet", /Your wallet address/)).text).toMatch(
    new RegExp(`${addresses.otherPerson}[^]*${addresses.person}`),
  );
  person.taps(waits, "↩️");
  await person.sees(waits, /stays as it is/);
  person.taps(await asks("/security", /Lifting a freeze takes 1 hour[^]*Recent changes/), "🧊");
  person.taps(await person.reads(/^🧊 Freeze trading\?\n.*\nLifting a freeze takes 1 hour\.$/), "🧊 Freeze now");
  await person.reads(/^🧊 Frozen\. .* \/unfreeze\.\nLifting a freeze takes 1 hour\./);
  const home = await asks("/start", /🧊 Frozen since .*\nLifting a freeze takes 1 hour\./);
  expect(home.buttons[0]!.text).toBe("/unfreeze");

  person.taps(home, "/unfreeze");
  const opens = await person.reads(/You can trade again from/);
  await asks("/start", /🧊 Frozen since .*\nYou can trade again from/);
  const when = /again from (.*)\./.exec(opens.text)![1]!;
  await asks("/swap 100 KLV KFI", /frozen/);
  // Neither a second request nor a restart starts the delay again.
  await desk.crash();
  desk.start();
  expect((await asks("/unfreeze", /You can trade again from/)).text).toContain(when);
  person.taps(opens, "↩️");
  await person.sees(opens, /stay frozen/);
  await asks("/unfreeze", /You can trade again from/);
  await asks("/freeze", /^🧊 Frozen/);
  expect((await asks("/security", /Recent changes/)).text).not.toMatch(/can trade again from/);
  await asks("/swap 100 KLV KFI", /frozen/);
  expect(desk.services.calls()).toHaveLength(0);
});

it("delayed changes take effect on time, also after a restart, and are announced", async () => {
  const desk = await testDesk({ GUARD_DELAY_SECONDS: "8", QUOTE_TTL_SECONDS: "600" });
  const [first, second] = [await desk.trader(), await desk.trader()];
  await askForOther(first);
  const card = await asker(first)("/swap 100 KLV KFI", /You pay: 100 KLV/);
  await asker(second)("/freeze", /^🧊 Frozen/);
  await asker(second)("/unfreeze", /You can trade again from/);
  await desk.crash();
  desk.start();
  await first.reads(/wallet address has changed/);
  await first.sees(card, /[Cc]ancelled/);
  expect((await asker(first)("/wallet", /Your wallet address/)).text).toContain(addresses.otherPerson);
  await second.reads(/^Unfrozen/);
  await asker(second)("/swap 100 KLV KFI", /You pay: 100 KLV/);
  expect((await asker(second)("/security", /Recent changes/)).text).toMatch(/· unfrozen\n.*· frozen/);
});

it("a delay that began while the clock was hours ahead takes no hours once it is right", async () => {
  const ahead = {
    NODE_OPTIONS: `--import ${join(project, "test/support/stepped-clock.mjs")}`,
    CLOCK_AHEAD_MS: String(3 * 3_600_000),
  };
  const desk = await testDesk({ GUARD_DELAY_SECONDS: "6" });
  const person = await desk.trader();
  await desk.crash();
  desk.start(ahead);
  await asker(person)("/freeze", /^🧊 Frozen/);
  await asker(person)("/unfreeze", /You can trade again from/);
  await desk.crash();
  desk.start();
  // It may begin again, but it is never shorter.
  await asker(person)("/swap 100 KLV KFI", /frozen/);
  await person.reads(/^Unfrozen/);
  await asker(person)("/swap 100 KLV KFI", /You pay: 100 KLV/);
});

it("a quote that Telegram is still taking when the address changes shows that it was cancelled, at any tap too", async () => {
  const desk = await testDesk({ GUARD_DELAY_SECONDS: "4", QUOTE_TTL_SECONDS: "600" });
  const person = await desk.trader();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  desk.telegram.hold = ({ parameters: { text } }) => (/You pay/.test(String(text)) ? released : undefined);
  await askForOther(person);
  const card = await asker(person)("/swap 100 KLV KFI", /You pay: 100 KLV/);
  const { data } = card.buttons.find(({ text }) => text.startsWith("✅ Confirm"))!;
  await person.reads(/wallet address has changed/);
  expect(card.text).toContain(addresses.person);
  release();
  await person.sees(card, /[Cc]ancelled/);
  expect(card.buttons).toEqual([]);

  // An app that missed the edit still has the button.
  const edits = () => desk.telegram.calls.filter(({ method }) => method === "editMessageText").length;
  const before = edits();
  person.forges(card, data);
  await until(() => edits() > before);
  await person.sees(card, /[Cc]ancelled/);
  expect(desk.services.calls()).toHaveLength(0);
});
