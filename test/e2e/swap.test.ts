import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addresses, type Desk, startDesk, testDesk } from "../support/desk.js";
import { answered, base64, carriedOut, hex, quoted, refused } from "../support/stub-services.js";
import { looksAgain } from "../support/look-again.js";
import type { Answer } from "../support/http-stub.js";
import { wording } from "../support/as-read.js";
import { until } from "../support/until.js";

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.close());
beforeEach(() => {
  desk.services.onQuotation = () => quoted;
  desk.services.onCall = () => carriedOut;
});

describe("a swap", () => {
  it("requests one quote with the amount as a string, and shows each amount before anything is sent", async () => {
    const before = desk.services.quotations().length;
    const { person, card } = await desk.swapCard("100");
    // A later message has been answered, so nothing of the first command is still in progress.
    await person.asks("/help", /\/swap/);

    const quotations = desk.services.quotations().slice(before);
    expect(quotations).toHaveLength(1);
    expect(quotations[0]!.method).toBe("POST");
    expect(quotations[0]!.headers["content-type"]).toMatch(/^application\/json\b/);
    expect(quotations[0]!.json).toEqual({ amountIn: "100", tokenIn: "KLV", tokenOut: "KFI" });
    expect(desk.services.callsOf("KLV=100000000")).toEqual([]);

    // Of the quoted 12.345678: the bot fee of 1 %, rounded down, and what remains of the minimum at 1 % slippage.
    for (const figure of ["100 KLV", "1%", "0.123456 KFI", "12.099999 KFI"]) expect(card.text).toContain(figure);
    expect(card.text).toContain(addresses.person);
    const spends = ["✅ Confirm swap", "🔄 Refresh", "✖️ Cancel"];
    expect(card.buttons.map(({ text }) => text)).toEqual(spends);
    expect(card.text).toMatch(/You get about: 12\.222222 KFI[^]*Valid until[^]*Quote before bot fee: 12\.345678 KFI/);
  });

  it("sends exactly the documented call, once, and shows the node's answer", async () => {
    const { person, card, calls } = await desk.swapCard("101");
    await person.confirms(card);

    expect(calls()).toHaveLength(1);
    const [call] = calls();
    expect(call!.method).toBe("POST");
    expect(call!.path).toBe("/chain/vm/query");
    expect(call!.headers["content-type"]).toBe("application/json");
    expect(call!.json).toEqual({
      scAddress: addresses.referral,
      funcName: "swap",
      args: [
        `address:${addresses.operator}`,
        "u64:1000",
        "string:KLV",
        "string:KFI",
        "BigUint:12222221",
        `address:${addresses.person}`,
      ],
      value: "KLV=101000000",
    });
    expect(card.text).toContain("12.222222 KFI");
    expect(card.text).toContain("0.123456 KFI");
    expect(card.buttons.map(({ text }) => text)).toEqual([
      "🔁 Repeat",
      "🧾 Receipt",
      "🔔 Price alert",
      "🚪 Set an exit",
    ]);
    expect(person.tapAnswers()).toEqual([""]);
  });

  it("answers the tap within seconds, however long anything else takes", async () => {
    const { person, card } = await desk.swapCard("102");
    desk.services.onQuotation = async () => {
      await until(() => person.tapAnswers().length === 1);
      return quoted;
    };
    await person.confirms(card);
    expect(person.tapAnswers()).toEqual([""]);
  });

  it("keeps digits that a floating-point number would lose", async () => {
    desk.services.onQuotation = () => ({ body: '{"data":{"amountOut":90071992547.409931}}' });
    const { person, card, calls } = await desk.swapCard("9007199254");
    await person.sees(card, /90,071,992,547\.409931 KFI/);
    desk.services.onCall = () => answered(hex(900719925474099n), hex(89171272621935832n));
    await person.confirms(card);
    expect((calls()[0]!.json!["args"] as string[])[4]).toBe("BigUint:89171272621935831");
    expect(card.text).toContain("89,171,272,621 KFI");
  });

  it("quotes decimals as typed, and pays in the token's own precision", async () => {
    const person = await desk.trader();
    desk.services.onQuotation = () => ({ body: { amountOut: "0.5" } });
    const before = desk.services.quotations().length;
    const card = await person.asks("/swap 0.00012345 btc usdt", /BTC-9K3F → USDT-2AB1/);
    expect(desk.services.quotations()[before]!.json).toEqual({
      amountIn: "0.00012345",
      tokenIn: "BTC-9K3F",
      tokenOut: "USDT-2AB1",
    });
    desk.services.onCall = () => answered(hex(5_000n), hex(495_000n));
    await person.confirms(card);
    expect(desk.services.callsOf("BTC-9K3F=12345")).toHaveLength(1);
  });
});

describe("the answer", () => {
  const split = [hex(123_456n), hex(12_222_222n)];
  it.each<[string, string, Answer]>([
    ["with another case of ok", "110", { body: { data: { returnData: split, returnCode: "Ok" } } }],
    ["in capitals", "111", { body: { data: { returnData: split, returnCode: "OK" } } }],
    [
      "as a real node nests it",
      "112",
      { body: { data: { data: { returnData: split, returnCode: "Ok" } }, error: "" } },
    ],
    ["with null for no error", "113", { body: { data: { returnData: split, returnCode: "ok" }, error: null } }],
  ])("%s is accepted", async (_, amount, answer) => {
    const { person, card } = await desk.swapCard(amount);
    desk.services.onCall = () => answer;
    await person.confirms(card, /not yet confirmed[^]*12\.222222 KFI/);
  });

  it.each<[string, string, readonly string[]]>([
    ["split in another way", "120", [hex(123_457n), hex(12_222_221n)]],
    ["below the minimum", "121", [hex(1n), hex(99n)]],
    ["of one entry", "122", [hex(12_345_678n)]],
    ["of none", "123", []],
    ["of no hex", "124", ["zz", "12"]],
  ])("%s is shown unchanged, and nothing is claimed", async (_, amount, returnData) => {
    const { person, card, calls } = await desk.swapCard(amount);
    desk.services.onCall = () => answered(...returnData);
    await person.confirms(card, /can't tell what happened/);
    for (const entry of returnData) expect(card.text).toContain(entry);
    expect(card.text).not.toContain("Reported by the node");
    person.taps(card, "🔎 Check");
    await person.sees(card, /Still unclear \(.*\)\./);
    expect(calls()).toHaveLength(1);
  });

  it.each<[string, string, string, Answer]>([
    ["a return code that is not ok", "130", "Slippage exceeded", refused("VMUserError", "Slippage exceeded")],
    ["a return code without a message", "131", "VMOutOfGas", refused("VMOutOfGas", "")],
    [
      "a filled error with status 200",
      "132",
      "not enough funds",
      { body: { data: { returnData: split, returnCode: "ok" }, error: "not enough funds", code: "internal_issue" } },
    ],
    [
      "status 400 with an error",
      "133",
      "executeQuery: contract paused",
      { status: 400, body: { data: null, error: "executeQuery: contract paused", code: "bad_request" } },
    ],
    [
      "markup, which is text like any other",
      "134",
      "<b>*_[no](http://x)_*</b> & more",
      refused("VMUserError", "<b>*_[no](http://x)_*</b> & more"),
    ],
  ])("that refuses the call is shown with its message: %s", async (_, amount, text, answer) => {
    const { person, card, calls } = await desk.swapCard(amount);
    desk.services.onCall = () => answer;
    await person.confirms(card, /Rejected/);
    await person.sees(card, wording(text));
    expect(card.text).not.toMatch(/not yet confirmed|unknown/i);
    expect(calls()).toHaveLength(1);
  });

  it("is read as base64 if so configured, and CALL_INCLUDES_CALLER adds the caller", async () => {
    const other = await testDesk({ RETURN_DATA_ENCODING: "base64", CALL_INCLUDES_CALLER: "true" });
    other.services.onCall = () => answered(base64(123_456n), base64(12_222_222n));
    const { person, card } = await other.swapCard("100");
    await person.confirms(card, /not yet confirmed[^]*12\.222222 KFI/);
    expect(other.services.calls()[0]!.json).toHaveProperty("caller", addresses.person);
    expect(other.program().output()).toMatch(/CALL_INCLUDES_CALLER is on[^"]*anyone act for anyone/);
  });
});

describe("the price at confirm", () => {
  it("may fall to the card's minimum: the call is sent as shown on the card", async () => {
    const { person, card, calls } = await desk.swapCard("140");
    desk.services.onQuotation = () => ({ body: { amountOut: "12.222221" } });
    await person.confirms(card);
    expect((calls()[0]!.json!["args"] as string[])[4]).toBe("BigUint:12222221");
  });

  it("below the card's minimum leads to a new quote, and nothing is sent", async () => {
    const { person, card, calls } = await desk.swapCard("141");
    desk.services.onQuotation = () => ({ body: { amountOut: "12.22222" } });
    person.taps(card, "✅ Confirm");
    const fresh = await person.reads(/moved[^]*12\.099998 KFI/);
    expect(calls()).toEqual([]);
    desk.services.onCall = () => answered(hex(122_222n), hex(12_099_998n));
    await looksAgain(person, fresh);
    await person.confirms(fresh);
    expect(calls()).toHaveLength(1);
    expect((calls()[0]!.json!["args"] as string[])[4]).toBe("BigUint:12099997");
  });

  it.each<[string, string, Answer]>([
    ["an error", "142", { status: 500, body: "oops" }],
    ["nonsense", "143", { body: { amountOut: "about 12" } }],
    ["nothing", "144", { body: { amountOut: "0" } }],
  ])("that can't be read (%s) leads to an explanation, and nothing is sent", async (_, amount, answer) => {
    const { person, card, calls } = await desk.swapCard(amount);
    desk.services.onQuotation = () => answer;
    await person.confirms(card, /[Nn]ot sent/);
    expect(calls()).toEqual([]);
    // A new quote works once the service does.
    desk.services.onQuotation = () => quoted;
    person.taps(card, "🔄 New quote");
    const fresh = await person.reads(/Valid until/);
    await person.confirms(fresh);
    expect(calls()).toHaveLength(1);
  });
});

describe("users", () => {
  it("are answered in Portuguese if that is their language, also about mistakes", async () => {
    const { person, card } = await desk.swapCard("150", "pt-br");
    expect(card.text).toContain("Você paga: 150 KLV");
    person.taps(card, "✅");
    await person.sees(card, /Transação aceita, não confirmada/);
    await person.asks("/swap 1e3 KLV KFI", /notação científica/);
  });

  it("can trade only in private chats", async () => {
    const person = await desk.trader();
    const group = { id: -4001, type: "group" } as const;
    const before = desk.services.quotations().length;
    person.says("/swap 160 KLV KFI", group);
    await expect.poll(() => sentTo(group.id)).toHaveLength(1);
    expect(sentTo(group.id)[0]).toMatch(/private chat/);
    expect(sentTo(group.id)[0]).not.toContain("KFI");
    expect(desk.services.quotations()).toHaveLength(before);
  });

  it("who aren't on the operator's list are refused", async () => {
    const other = await testDesk({ ALLOWED_USER_IDS: "5001, 5003" });
    const invited = await other.trader();
    const stranger = other.stranger();
    stranger.says(`/wallet ${addresses.person}`);
    await stranger.asks("/swap 100 KLV KFI", /private/);
    expect(other.services.quotations()).toEqual([]);
    const card = await invited.asks("/swap 100 KLV KFI", /KLV → KFI/);
    stranger.forges(card, card.buttons[0]!.data);
    await expect.poll(() => stranger.tapAnswers()).toHaveLength(1);
    expect(stranger.tapAnswers()[0]).toMatch(/private/);
    expect(other.services.calls()).toEqual([]);
  });
});

function sentTo(chatId: number): readonly string[] {
  return desk.telegram.calls
    .filter(({ method, parameters }) => method === "sendMessage" && parameters["chat_id"] === chatId)
    .map(({ parameters }) => String(parameters["text"]));
}
