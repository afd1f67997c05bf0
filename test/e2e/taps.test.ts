import { expect, it } from "vitest";
import { labelsOf, people, sandboxDesk } from "../support/sandbox-desk.js";

async function traderDesk() {
  const desk = await sandboxDesk();
  const alice = desk.person(people.alice);
  await alice.asks(`/WALLET ${desk.address("Alice")}`);
  return { desk, alice };
}

it("a quote, a token's card and /repeat lead to a swap", async () => {
  const { alice } = await traderDesk();
  await alice.taps(await alice.asks("/quote 100 KLV KFI"), "💱 Swap now");
  await alice.reads(/You pay: 100 KLV/);
  // A trade without a command gets a quote.
  expect((await alice.asks("1 000 klv kfi")).text).toMatch(/^Quote KLV → KFI\nYou pay: 1,000 KLV/);
  const token = await alice.asks("kfi");
  expect(token.text).toMatch(/Pool price: 1 KFI = 100\.50406 KLV\n/);
  expect(labelsOf(token).slice(0, 3)).toEqual(["Buy", "10 KLV", "100 KLV"]);
  await alice.taps(token, "100 KLV");
  const card = await alice.reads(/You pay: 100 KLV/);
  await alice.confirms(card);

  const again = await alice.asks("/repeat");
  expect(labelsOf(again)).toEqual(["100 KLV → KFI"]);
  await alice.taps(again, "100 KLV → KFI");
  await alice.reads(/You pay: 100 KLV/);
});

it("a refusal offers what was probably meant, and a tap on that ends an open dialog", async () => {
  const { desk, alice } = await traderDesk();
  const comma = await alice.asks("/swap 1,5 KLV KFl");
  expect(comma.text).toMatch(/Did you mean KFI\?\n.*comma.*Did you mean 1\.5\?/);
  expect(labelsOf(comma)).toEqual(["KFI", "1.5"]);
  await alice.taps(comma, "1.5");
  await alice.reads(/You pay: 1\.5 KLV/);
  expect(labelsOf(await alice.asks("/swap 1 NADA KFI"))).toEqual([]);
  expect(labelsOf(await alice.asks("KFl"))).toEqual(["KFI"]);

  desk.sandbox.faults.set("quotation", "5xx");
  const later = await alice.asks("/swap 5 KLV KFI");
  desk.sandbox.faults.set("quotation", undefined);
  await alice.asks("/lock");
  await alice.taps(later, "🔄 Try again");
  await alice.reads(/You pay: 5 KLV/);
  expect((await alice.asks("KLV")).text).toMatch(/^KLV/);

  await alice.asks("/freeze");
  await alice.taps(await alice.asks("/swap 5 KLV KFI"), "/unfreeze");
  await alice.reads(/Unfrozen/);
});

it("a question stays open until its answer leads to a card", async () => {
  const { alice } = await traderDesk();
  await alice.taps(await alice.asks("/swap"), "KLV");
  await alice.taps(await alice.reads(/Which token do you want/), "KFI");
  await alice.reads(/How much KLV/);
  const comma = await alice.asks("0,000001");
  expect(labelsOf(comma)).toEqual(["0.000001", "✖️ Cancel"]);
  await alice.taps(comma, "0.000001");
  await alice.reads(/Try a larger amount/);
  expect((await alice.asks("1 000 klv")).text).toContain("You pay: 1,000 KLV");
});

it("replying to a card with a number opens one for that amount below, even during a dialog, and closes the first", async () => {
  const { desk, alice } = await traderDesk();
  const card = await alice.asks("/swap 5 KLV KFI");
  const lock = await alice.asks("/lock 5 KFI 5500");
  await alice.asks("/swap");
  const reply = (text: string, to: typeof card) =>
    desk.sandbox.telegram.sendText(alice.id, text, { replyTo: to.messageId });
  reply("1 000 KLV", card);
  const more = await alice.reads(/1.?000 KLV/);
  expect(labelsOf(more)).toContain("✅ Confirm swap");
  expect(
    labelsOf(await alice.sees(card, /^Swap 5 KLV → KFI\nReplaced by a newer quote\. Nothing was sent\.$/)),
  ).toEqual([]);
  reply(".5", lock);
  await alice.reads(/0\.5 KFI/);
  await alice.sees(lock, /^Lock 5 KFI\nReplaced by a newer one\. Nothing was sent\.$/);
  // A refusal closes nothing.
  reply("2,5", more);
  const refused = await alice.reads(/Use a point for decimals, not a comma/);
  expect(desk.sandbox.telegram.chat(alice.id).find(({ messageId }) => messageId === more.messageId)?.text).toMatch(
    /You pay/,
  );
  await alice.taps(refused, "2.5");
  await alice.reads(/2\.5 KLV/);
  // The tap has ended the dialog, and three cards are still open.
  expect((await alice.asks("/cancel")).text.split("\n")).toHaveLength(4);
});

it("/unlock offers locked tokens to choose from", async () => {
  const { desk, alice } = await traderDesk();
  const lock = await alice.asks("/lock 5 KFI 5500");
  await alice.confirms(lock, /LKTOK/);
  const which = await alice.asks("/unlock");
  expect(labelsOf(which)[0]).toMatch(/^5 KFI · LKTOK-1A2B\/\d+$/);
  await alice.taps(which, "5 KFI");
  await alice.taps(await alice.reads(/How much of it/), "All: 5");
  await alice.reads(/Unlock|unlocks at epoch/);
  expect(desk.callsSent()).toHaveLength(1);
});
