import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Desk, startDesk } from "../support/desk.js";
import type { Answer } from "../support/http-stub.js";

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk({ HTTP_TIMEOUT_SECONDS: "3" });
});
afterAll(async () => {
  expect(desk.services.calls()).toEqual([]);
  await desk.close();
});

const mistakes: readonly (readonly [text: string, sentence: RegExp])[] = [
  ["-5 KLV KFI", /negative/],
  ["−5 KLV KFI", /negative|isn't an amount/],
  ["1e3 KLV KFI", /scientific notation/],
  ["1E-2 KLV KFI", /scientific notation/],
  ["0x10 KLV KFI", /hexadecimal/],
  ["1,5 KLV KFI", /comma/],
  ["1,00.5 KLV KFI", /comma/],
  ["0 KLV KFI", /zero/],
  ["0.000000 KLV KFI", /zero/],
  ["0.0000001 KLV KFI", /6 decimals at most/],
  ["1.123456789 BTC KFI", /8 decimals at most/],
  ["99999999999999999999999999999999999999 KLV KFI", /smaller amount/],
  [`${"9".repeat(400)} KLV KFI`, /smaller amount/],
  [`${"9".repeat(3000)} KLV KFI`, /up to 500 characters/],
  ["9223372036854775808 KLV KFI", /smaller amount/],
  ["NaN KLV KFI", /isn't an amount/],
  ["Infinity KLV KFI", /isn't an amount/],
  ["+5 KLV KFI", /isn't an amount/],
  ["1_000 KLV KFI", /isn't an amount/],
  ["٣ KLV KFI", /isn't an amount/],
  ["5. KLV KFI", /isn't an amount/],
  ["ten KLV KFI", /isn't an amount/],
  ["5 DOGE KFI", /don't know the token/],
  ["5 KLV HONEY-8K2P", /isn't on this bot's list/],
  ["5 KLV __proto__", /don't know the token/],
  ["5 KLV <b>KFI</b>", /don't know the token/],
  ["5 KLV KLV", /two different tokens/],
  ["5 klv KLV", /two different tokens/],
  ["5 LKTOK-1A2B KLV", /fungible token/],
  ["5 KLV K\0FI", /invisible character in it \(NUL\)/],
  ["5 KLV KFI now", /\/swap 100 KLV KFI/],
];

describe("a mistake in a command", () => {
  it.each(mistakes.map(([text, sentence]) => [text.slice(0, 40), text, sentence] as const))(
    "/swap %s",
    async (_, text, sentence) => {
      const person = await desk.trader();
      const answer = await person.asks(`/swap ${text}`, /./);
      expect(answer.text).toMatch(sentence);
      expect(answer.text.length).toBeLessThan(1000);
      expect(answer.buttons.filter(({ text }) => text.includes("Confirm"))).toEqual([]);
      await person.asks("/cancel", /Nothing to cancel/);
    },
  );

  it("is named together with all others", async () => {
    const person = await desk.trader();
    const { text } = await person.asks("/swap -5 DOGE MOON", /./);
    expect(text).toMatch(/negative/);
    expect(text).toMatch(/DOGE/);
    expect(text).toMatch(/MOON/);
  });

  it("causes no quotation", () => {
    expect(desk.services.quotations()).toEqual([]);
  });
});

const badQuotes: readonly (readonly [string, Answer, RegExp])[] = [
  ["is no JSON", { body: "oops" }, /couldn't read/],
  ["is empty", { body: "" }, /couldn't read/],
  ["has no amount", { body: { tokenOut: "KFI" } }, /couldn't read/],
  ["has null for an amount", { body: { amountOut: null } }, /couldn't read/],
  ["is negative", { body: { amountOut: "-5" } }, /couldn't read/],
  ["has an exponent", { body: '{"amountOut":1e3}' }, /couldn't read/],
  ["is hexadecimal", { body: { amountOut: "0x10" } }, /couldn't read/],
  ["has a comma", { body: { amountOut: "1,5" } }, /couldn't read/],
  ["is a list", { body: [{ amountOut: "5" }] }, /couldn't read/],
  ["counts in another precision", { body: { amountOut: "5", tokenOutPrecision: 8 } }, /couldn't read/],
  ["is zero", { body: { amountOut: "0" } }, /get you 0/],
  ["is zero as a number", { body: { amountOut: 0 } }, /get you 0/],
  ["is below the smallest unit", { body: { amountOut: "0.0000009" } }, /get you 0/],
  ["is an error of the service", { status: 500, body: "" }, /quotation service/],
  ["is a refusal", { status: 400, body: { error: "no route" } }, /quotation service/],
  ["is a door that is shut", { status: 401, body: "" }, /quotation service/],
  ["never comes", "hang", /quotation service/],
  ["breaks off", "drop", /quotation service/],
];

describe("a quotation that", () => {
  it.each(badQuotes)("%s leads to an explanation and no card", async (_, answer, sentence) => {
    const person = await desk.trader();
    desk.services.onQuotation = () => answer;
    const { text, buttons } = await person.asks("/swap 7 KLV KFI", /./);
    expect(text).toMatch(sentence);
    expect(buttons.filter((each) => each.text.includes("Confirm"))).toEqual([]);
    await person.asks("/cancel", /Nothing to cancel/);
  });
});

describe("updates of other kinds", () => {
  it("are harmless, and a private message always gets an answer", async () => {
    const person = await desk.trader();
    const from = { id: person.id, is_bot: false, first_name: "A", language_code: "en" };
    const chat = { id: person.id, type: "private" };
    const base = { message_id: 1, date: 1, chat, from };
    const inaccessible = { message_id: 1, date: 0, chat };
    for (const update of [
      {},
      { message: null },
      { edited_message: { ...base, text: "/swap 5 KLV KFI" } },
      { channel_post: { message_id: 1, date: 1, chat: { id: -100, type: "channel" }, text: "/swap 5 KLV KFI" } },
      { message: { message_id: 1, date: 1, chat, text: "/swap 5 KLV KFI" } },
      { callback_query: { id: "1", from, chat_instance: "1" } },
      { callback_query: { id: "2", from, chat_instance: "1", data: "v1:c:x" } },
      { callback_query: { id: "3", from, chat_instance: "1", data: "v1:c:x", message: inaccessible } },
      { inline_query: { id: "4", from, query: "KLV", offset: "" } },
      { my_chat_member: { chat, from, date: 1, old_chat_member: {}, new_chat_member: {} } },
      { an_update_of_the_future: { chat, from } },
    ]) {
      desk.telegram.deliver(update);
    }
    desk.telegram.deliver({
      message: { ...base, photo: [{ file_id: "1", file_unique_id: "1", width: 1, height: 1 }] },
    });
    await person.reads(/\/help lists/);
    await person.asks("😀".repeat(200), /\/help lists/);
    await person.asks("😀".repeat(2048), /up to 500 characters/);
    await person.asks("/swap\u0000 \u202e5 KLV", /./);
    await desk.telegram.allConfirmed();
    expect(desk.services.calls()).toEqual([]);
  });
});
