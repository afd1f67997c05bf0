import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addresses, type Desk, startDesk, testDesk } from "../support/desk.js";
import { unhandledUpdates } from "../support/stored.js";
import { until } from "../support/until.js";

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.close());

const PAY = /Which token do you pay with/;
const GET = /Which token do you want/;
const AMOUNT = /How much/;

describe("the dialog of /swap", () => {
  it("leads to a card by buttons, and its confirm to one call", async () => {
    const person = await desk.trader();
    const pay = await person.asks("/swap", PAY);
    person.taps(pay, "KLV");
    const get = await person.reads(GET);
    expect(get.buttons.map(({ text }) => text)).not.toContain("KLV");
    person.taps(get, "KFI");
    const amount = await person.reads(AMOUNT);
    person.taps(amount, "100");
    const card = await person.reads(/KLV → KFI[^]*12\.099999/);
    // An answered question loses its buttons.
    await until(() => [pay, get, amount].every(({ buttons }) => buttons.length === 0));
    await person.confirms(card);
    expect(desk.services.callsOf("KLV=100000000")).toHaveLength(1);
    expect(person.tapAnswers()).toHaveLength(4);
  });

  it("accepts typed answers, explains what is wrong with them, and continues", async () => {
    const person = await desk.trader();
    await person.asks("/swap", PAY);
    await person.asks("doge", /don't know the token/);
    await person.asks("usdt", GET);
    await person.asks("USDT-2AB1", /two different tokens/);
    await person.asks("kfi", AMOUNT);
    for (const [typed, sentence] of [
      ["-1", /negative/],
      ["1e3", /scientific notation/],
      ["0x1", /hexadecimal/],
      ["1,5", /comma/],
      ["0.1234567", /6 decimals/],
    ] as const) {
      await person.asks(typed, sentence);
    }
    const card = await person.asks("601.5", /USDT-2AB1 → KFI/);
    expect(card.text).toContain("601.5 USDT-2AB1");
    await person.confirms(card);
    expect(desk.services.callsOf("USDT-2AB1=601500000")).toHaveLength(1);
  });

  it("asks for a missing payout address first", async () => {
    const person = desk.stranger();
    await person.asks("/swap 602 KLV KFI", /klv1… wallet address/);
    await person.asks(`${addresses.person.slice(0, -1)}x`, /isn't a valid address/);
    await person.asks(addresses.referral, /contract address/);
    const card = await person.asks(addresses.otherPerson, /KLV → KFI/);
    expect(card.text).toContain(addresses.otherPerson);
    await person.confirms(card);
    const [call] = desk.services.callsOf("KLV=602000000");
    expect((call!.json!["args"] as string[])[5]).toBe(`address:${addresses.otherPerson}`);
  });

  it("is left by any command", async () => {
    const person = await desk.trader();
    const pay = await person.asks("/swap", PAY);
    const { data } = pay.buttons[0]!;
    await person.asks("/help", /\/history/);
    await person.asks("12", /\/help lists/);
    person.forges(pay, data);
    await person.reads(/the question of \/swap ended/);
    await person.asks("/cancel", /Nothing to cancel/);
    // Also by /swap itself, which starts a new one.
    person.says("/swap");
    await person.asks("/swap", PAY);
    await person.reads(PAY);
    await person.asks("KLV", GET);
    await person.asks("/cancel", /Cancelled\./);
  });

  it("lets an older card be confirmed meanwhile, and continues", async () => {
    const { person, card } = await desk.swapCard("603");
    await person.asks("/swap", PAY);
    await person.confirms(card);
    expect(desk.services.callsOf("KLV=603000000")).toHaveLength(1);
    await person.asks("KLV", GET);
    await person.asks("KFI", AMOUNT);
    await person.asks("604", /604 KLV/);
  });

  it("continues after a crash at each step, and a redelivered answer counts once", async () => {
    const other = await testDesk();
    const person = await other.trader();
    const restart = async () => {
      // Updates are confirmed once stored: after a crash before one is handled, the bot would ask again.
      await other.telegram.allConfirmed();
      await until(async () => (await unhandledUpdates(other)).length === 0);
      await other.crash();
      other.start();
    };
    const pay = await person.asks("/swap", PAY);
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
    await person.confirms(card);
    await person.asks("/help", /\/history/);
    expect(other.services.callsOf("KLV=605000000")).toHaveLength(1);
    expect(person.transcript().filter((text) => AMOUNT.test(text))).toHaveLength(2);
  });
});
