import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addresses, startDesk, testDesk, type Desk } from "../support/desk.js";
import { unhandledUpdates } from "../support/stored.js";
import { until } from "../support/until.js";
import { accepted } from "../support/as-read.js";

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.close());

const PAY = /Which token do you pay with/;
const GET = /Which token do you want/;
const AMOUNT = /How much/;

describe("the dialog of /swap", () => {
  it("leads by buttons to a card, and its confirm to one call", async () => {
    const person = await desk.trader();
    person.says("/swap");
    const pay = await person.reads(PAY);
    person.taps(pay, "KLV");
    const get = await person.reads(GET);
    expect(get.buttons.map(({ text }) => text)).not.toContain("KLV");
    person.taps(get, "KFI");
    const amount = await person.reads(AMOUNT);
    person.taps(amount, "100");
    const card = await person.reads(/KLV → KFI[^]*12\.099999/);
    // An answered question keeps no buttons.
    await until(() => [pay, get, amount].every(({ buttons }) => buttons.length === 0));
    person.taps(card, "✅ Confirm");
    await person.sees(card, accepted);
    expect(desk.services.callsOf("KLV=100000000")).toHaveLength(1);
    expect(person.tapAnswers()).toHaveLength(4);
  });

  it("takes what is typed, says what is wrong with it, and goes on", async () => {
    const person = await desk.trader();
    person.says("/swap");
    await person.reads(PAY);
    person.says("doge");
    await person.reads(/don't know the token/);
    person.says("usdt");
    await person.reads(GET);
    person.says("USDT-2AB1");
    await person.reads(/two different tokens/);
    person.says("kfi");
    await person.reads(AMOUNT);
    for (const [typed, sentence] of [
      ["-1", /negative/],
      ["1e3", /scientific notation/],
      ["0x1", /hexadecimal/],
      ["1,5", /comma/],
      ["0.1234567", /6 decimals/],
    ] as const) {
      person.says(typed);
      await person.reads(sentence);
    }
    person.says("601.5");
    const card = await person.reads(/USDT-2AB1 → KFI/);
    expect(card.text).toContain("601.5 USDT-2AB1");
    person.taps(card, "✅ Confirm");
    await person.sees(card, accepted);
    expect(desk.services.callsOf("USDT-2AB1=601500000")).toHaveLength(1);
  });

  it("asks for the payout address first where there is none", async () => {
    const person = desk.stranger();
    person.says("/swap 602 KLV KFI");
    await person.reads(/klv1… wallet address/);
    person.says(`${addresses.person.slice(0, -1)}x`);
    await person.reads(/isn't a valid address/);
    person.says(addresses.referral);
    await person.reads(/contract address/);
    person.says(addresses.otherPerson);
    const card = await person.reads(/KLV → KFI/);
    expect(card.text).toContain(addresses.otherPerson);
    person.taps(card, "✅ Confirm");
    await person.sees(card, accepted);
    const [call] = desk.services.callsOf("KLV=602000000");
    expect((call!.json!["args"] as string[])[5]).toBe(`address:${addresses.otherPerson}`);
  });

  it("is left by any command", async () => {
    const person = await desk.trader();
    person.says("/swap");
    const pay = await person.reads(PAY);
    person.says("/help");
    await person.reads(/\/history/);
    person.says("12");
    await person.reads(/\/help lists/);
    person.taps(pay, "KLV");
    person.says("/cancel");
    await person.reads(/Nothing to cancel/);
    // And by itself, anew.
    person.says("/swap");
    person.says("/swap");
    await person.reads(PAY);
    await person.reads(PAY);
    person.says("KLV");
    await person.reads(GET);
    person.says("/cancel");
    await person.reads(/Cancelled\./);
  });

  it("lets an older card be confirmed meanwhile, and goes on", async () => {
    const person = await desk.trader();
    person.says("/swap 603 KLV KFI");
    const card = await person.reads(/KLV → KFI/);
    person.says("/swap");
    await person.reads(PAY);
    person.taps(card, "✅ Confirm");
    await person.sees(card, accepted);
    expect(desk.services.callsOf("KLV=603000000")).toHaveLength(1);
    person.says("KLV");
    await person.reads(GET);
    person.says("KFI");
    await person.reads(AMOUNT);
    person.says("604");
    await person.reads(/604 KLV/);
  });

  it("goes on after a crash at each of its steps, and a repeated answer counts once", async () => {
    const other = await testDesk();
    const person = await other.trader();
    const restart = async () => {
      // An update is confirmed as soon as it is kept; a crash before it was handled would ask once more.
      await other.telegram.allConfirmed();
      await until(async () => (await unhandledUpdates(other)).length === 0);
      await other.crash();
      other.start();
    };
    person.says("/swap");
    const pay = await person.reads(PAY);
    await restart();
    const tap = person.taps(pay, "KLV");
    const get = await person.reads(GET);
    await restart();
    other.telegram.redeliver(tap);
    person.taps(get, "KFI");
    await person.reads(AMOUNT);
    await restart();
    const amount = person.says("605");
    const card = await person.reads(/605 KLV/);
    await restart();
    other.telegram.redeliver(amount);
    person.taps(card, "✅ Confirm");
    await person.sees(card, accepted);
    person.says("/help");
    await person.reads(/\/history/);
    expect(other.services.callsOf("KLV=605000000")).toHaveLength(1);
    expect(person.transcript().filter((text) => AMOUNT.test(text))).toHaveLength(2);
  });
});
