import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Desk, startDesk } from "../support/desk.js";
import type { Answer } from "../support/http-stub.js";
import { carriedOut, quoted } from "../support/stub-services.js";
import { failure, type ApiCall } from "../support/stub-telegram.js";
import { until } from "../support/until.js";
import { accepted } from "../support/as-read.js";

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk({ HTTP_TIMEOUT_SECONDS: "3" });
});
afterAll(() => desk.close());
beforeEach(() => {
  desk.telegram.intercept = () => undefined;
  desk.services.onQuotation = () => quoted;
  desk.services.onCall = () => carriedOut;
});

/** Answers the bot's next `times` matching calls of a method with `answer`, and all others as usual. */
function failNext(method: string, times: number, answer: Answer, isMeant: (call: ApiCall) => boolean = () => true) {
  let left = times;
  desk.telegram.intercept = (call) => {
    if (call.method !== method || left === 0 || !isMeant(call)) return undefined;
    left -= 1;
    return answer;
  };
}

describe("a confirm while Telegram fails", () => {
  it.each<[string, string, Answer]>([
    ["with an error of its own", "300", failure(500, "Internal Server Error")],
    [
      "too late",
      "301",
      failure(400, "Bad Request: query is too old and response timeout expired or query ID is invalid"),
    ],
    ["not at all", "302", "hang"],
    ["with a dropped connection", "303", "drop"],
    ["with a page of a proxy", "304", { status: 502, body: "<html>Bad Gateway</html>" }],
  ])("sends one call if Telegram responds to the answer to the tap %s", async (_, amount, answer) => {
    const { person, card, calls } = await desk.swapCard(amount);
    failNext("answerCallbackQuery", 1, answer);
    person.taps(card, "✅ Confirm");
    await person.confirms(card);
    expect(calls()).toHaveLength(1);
  });

  it.each<[string, string, Answer, number]>([
    ["drops", "310", "drop", 4],
    ["fails at", "313", failure(500, "Internal Server Error"), 3],
    ["leaves unanswered", "312", "hang", 4],
  ])("is reported by its own card later if Telegram %s its edits at first", async (_, amount, answer, times) => {
    const { person, card, calls } = await desk.swapCard(amount);
    failNext("editMessageText", times, answer, ({ parameters }) => parameters["message_id"] === card.messageId);
    await person.confirms(card);
    await person.asks("/help", /\/history/);
    expect(calls()).toHaveLength(1);
    // No second message shows it beside the first, whose buttons would still be there.
    expect(
      person
        .transcript()
        .join("\n")
        .match(/not yet confirmed/g),
    ).toHaveLength(1);
    expect(desk.telegram.messagesOf(person.id).filter(({ text }) => /not yet confirmed/.test(text))).toEqual([card]);
  });

  it("is reported in a new message if Telegram says that the card can't be edited", async () => {
    const { person, card, calls } = await desk.swapCard("311");
    const answer = failure(400, "Bad Request: message can't be edited");
    failNext("editMessageText", 1000, answer, ({ parameters }) => parameters["message_id"] === card.messageId);
    person.taps(card, "✅ Confirm");
    await person.reads(accepted);
    person.taps(card, "✅ Confirm");
    await person.asks("/help", /\/history/);
    expect(calls()).toHaveLength(1);
    expect(person.transcript().join()).not.toMatch(/[Nn]othing was sent|sent nothing/);
    // A single message shows its progress and outcome.
    const messages = desk.telegram.calls.filter(
      ({ method, parameters }) => method === "sendMessage" && parameters["chat_id"] === person.id,
    );
    expect(messages.filter(({ parameters }) => /⏳|not yet confirmed/.test(String(parameters["text"])))).toHaveLength(
      1,
    );
  });

  it("below the card's minimum gets its new card, with what changed, even if Telegram doesn't accept the edit at first", async () => {
    const { person, card, calls } = await desk.swapCard("315");
    desk.services.onQuotation = () => ({ body: { amountOut: "1" } });
    failNext("editMessageText", 4, "drop", ({ parameters }) => /The price moved/.test(String(parameters["text"])));
    await person.confirms(card, /The price moved[^]*Read the new quote before you confirm/);
    expect(calls()).toEqual([]);
  });

  it("never says that nothing was sent if its outcome can't be shown", async () => {
    const { person, card, calls } = await desk.swapCard("320");
    const { data } = card.buttons[0]!;
    const before = desk.program().output().length;
    desk.services.onCall = () => {
      desk.telegram.intercept = ({ method, parameters }) =>
        method !== "getUpdates" && accepted.test(String(parameters["text"])) ? "drop" : undefined;
      return carriedOut;
    };
    person.taps(card, "✅ Confirm");
    await expect.poll(() => desk.program().output().slice(before)).toContain("Card not shown");
    expect(person.transcript().join()).not.toMatch(/[Nn]othing was sent|sent nothing/);
    // The next tap shows the outcome, and sends nothing.
    desk.telegram.intercept = () => undefined;
    person.forges(card, data);
    await person.reads(/Accepted, not yet confirmed/);
    expect(calls()).toHaveLength(1);
  });

  it("sends one call if the user blocks the bot meanwhile, and is in their history", async () => {
    const { person, card, calls } = await desk.swapCard("325");
    desk.telegram.intercept = ({ parameters }) =>
      parameters["chat_id"] === person.id ? failure(403, "Forbidden: bot was blocked by the user") : undefined;
    person.taps(card, "✅ Confirm");
    await until(() => calls().length === 1);
    desk.telegram.intercept = () => undefined;
    await person.asks("/history", /accepted, not confirmed/);
    expect(calls()).toHaveLength(1);
  });

  it("waits as long as Telegram asks, and sends one call", async () => {
    const { person, card, calls } = await desk.swapCard("330");
    failNext("editMessageText", 1, failure(429, "Too Many Requests: retry after 1", { retry_after: 1 }));
    await person.confirms(card);
    expect(calls()).toHaveLength(1);
  });
});

it("a card that Telegram doesn't accept leads to a message, and the user can ask again", async () => {
  const person = await desk.trader();
  failNext("sendMessage", 1, "drop");
  await person.asks("/swap 340 KLV KFI", /Telegram didn't take my answer \(.* UTC\)\. Please ask again\./);
  const card = await person.asks("/swap 340 KLV KFI", /KLV → KFI/);
  await person.confirms(card);
  expect(desk.services.callsOf("KLV=340000000")).toHaveLength(1);
});
