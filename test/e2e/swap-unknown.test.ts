import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Desk, startDesk, testDesk } from "../support/desk.js";
import type { Answer } from "../support/http-stub.js";
import { carriedOut, quoted } from "../support/stub-services.js";
import type { BotMessage, Person } from "../support/stub-telegram.js";

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk({ HTTP_TIMEOUT_SECONDS: "3" });
});
afterAll(() => desk.close());
beforeEach(() => {
  desk.services.onQuotation = () => quoted;
});

const okBody = { data: { returnData: ["01e240", "ba7f0e"], returnCode: "ok" } };
const unclear: readonly (readonly [string, Answer])[] = [
  ["dropped after the call was read", "drop"],
  ["never answered", "hang"],
  ["answered too late", { ...(carriedOut as object), delay: 4500 }],
  ["500 with a body that says ok", { status: 500, body: okBody }],
  ["502 from a proxy", { status: 502, body: "<html>Bad Gateway</html>" }],
  ["503 with a wait", { status: 503, body: "", headers: { "retry-after": "0" } }],
  ["429 with a wait", { status: 429, body: "", headers: { "retry-after": "0" } }],
  ["307 to itself", { status: 307, body: "", headers: { location: "/chain/vm/query" } }],
  ["200 with half a body", { body: '{"data":{"returnData":["01e240"' }],
];

interface Case {
  readonly person: Person;
  readonly card: BotMessage;
  readonly confirm: string;
  readonly value: string;
}
/** Cards with an unknown outcome. */
const cases: Case[] = [];

describe("an answer that leaves the outcome unknown", () => {
  it.each(unclear.map(([name, answer], index) => [name, `${400 + index}`, answer] as const))(
    "%s: the card says unknown, and more taps send nothing",
    async (_, amount, answer) => {
      const { person, card } = await desk.swapCard(amount);
      const confirm = card.buttons[0]!.data;
      const value = `KLV=${amount}000000`;
      desk.services.onCall = () => answer;
      person.taps(card, "✅ Confirm");
      await person.confirms(card, /Outcome unknown/);
      expect(card.text).toMatch(/won't resend it/);
      expect(card.text).not.toMatch(/not yet confirmed|refused|[Nn]ot sent/);
      expect(card.buttons.map(({ text }) => text)).toEqual(["🔎 Check"]);
      desk.services.onCall = () => carriedOut;
      person.forges(card, confirm);
      await person.asks("/history", /outcome unknown/);
      expect(desk.services.callsOf(value)).toHaveLength(1);
      cases.push({ person, card, confirm, value });
    },
  );

  it("stays unknown after a crash and a restart, whoever taps", async () => {
    expect(cases).toHaveLength(unclear.length);
    desk.services.onCall = () => carriedOut;
    await desk.crash();
    desk.start();
    for (const { person, card, confirm } of cases) {
      person.forges(card, confirm);
      person.says("/history");
    }
    for (const { person, card, value } of cases) {
      await person.reads(/outcome unknown/);
      expect(card.text).toMatch(/Outcome unknown/);
      expect(desk.services.callsOf(value)).toHaveLength(1);
    }
  });
});

describe("a node that can't be reached", () => {
  it("isn't an unknown outcome: the card says that nothing was sent, and offers a new quote", async () => {
    const other = await testDesk({ NODE_URL: "http://127.0.0.1:9" });
    const { person, card } = await other.swapCard("450");
    // The pools can't be read either, so the price can't be compared.
    person.taps(card, "⚠️ Swap at this price anyway");
    await person.sees(card, /Valid until/);
    await person.confirms(card, /Not sent/);
    expect(card.buttons.map(({ text }) => text)).toEqual(["🔄 New quote"]);
  });
});

it("a call that is never answered is shown as unknown before SIGTERM ends the bot with 0", async () => {
  const other = await testDesk({ HTTP_TIMEOUT_SECONDS: "3" });
  const { person, card } = await other.swapCard("460");
  other.services.onCall = () => {
    other.program().kill("SIGTERM");
    return "hang";
  };
  person.taps(card, "✅ Confirm");
  expect(await other.program().ended).toBe(0);
  expect(card.text).toMatch(/Outcome unknown/);
  expect(other.services.callsOf("KLV=460000000")).toHaveLength(1);
});

it("an interrupted call is reported once, in a separate message", async () => {
  const other = await testDesk();
  const { person, card } = await other.swapCard("550");
  other.services.onCall = () => {
    other.program().kill("SIGKILL");
    return "hang";
  };
  person.taps(card, "✅ Confirm");
  await other.program().ended;
  const told = () => person.transcript().filter((text) => /^⚠️ Outcome unknown\. The bot was interrupted/.test(text));
  for (let start = 1; start <= 2; start += 1) {
    other.start();
    await person.sees(card, /Outcome unknown/);
    await expect.poll(told).toHaveLength(1);
    // A second report would have been sent by then.
    await person.asks("/help", /\/history/);
    other.program().kill("SIGTERM");
    expect(await other.program().ended).toBe(0);
  }
  expect(told()).toHaveLength(1);
  expect(told()[0]).toMatch(/may or may not have gone through/);
  expect(other.services.callsOf("KLV=550000000")).toHaveLength(1);
});
