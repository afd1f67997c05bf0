import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Desk, startDesk, testDesk } from "../support/desk.js";
import { failure, type Person } from "../support/stub-telegram.js";
import { until } from "../support/until.js";

const OPERATOR = 4001;
const OTHER_OPERATOR = 4002;

let desk: Desk;
let operator: Person;
beforeAll(async () => {
  desk = await startDesk({ ADMIN_USER_IDS: `${OPERATOR},${OTHER_OPERATOR}` });
  operator = desk.telegram.person(OPERATOR);
});
afterAll(() => desk.close());

describe("/admin", () => {
  it("looks like an unknown command to everybody else, and its buttons look inactive", async () => {
    const person = await desk.trader();
    const answer = await person.asks("/admin", /Unknown command/);
    person.forges(answer, "v1:trade:resume-now");
    person.forges(answer, "v1:adm:audit.0");
    await person.asks("/admin pause because", /Unknown command/);
    for (const answer of person.tapAnswers()) expect(answer).toMatch(/no longer active/);
  });

  it("lists its commands, also if something else follows it", async () => {
    const overview = await operator.asks("/admin", /Trading is open/);
    const commands = ["/admin pause REASON · stops all trading", "/admin 1002 · ", "/broadcast TEXT · "];
    const help = await operator.asks("/admin help", /^Commands\n\/admin · this panel/);
    const other = await operator.asks("/admin allow 123", /^“\/admin allow 123” isn't a command\. These are:\n/);
    for (const { text } of [overview, help, other]) for (const command of commands) expect(text).toContain(command);
    expect(overview.buttons.map(({ text }) => text)).toContain("Unresolved: 0");
  });

  it("says of anybody that everybody may use the bot, while that is so", async () => {
    const card = await operator.asks("/admin 1002", /^Everybody may use this bot\n1002$/);
    expect(card.buttons).toEqual([]);
  });

  it("shows response times, counts and fees", async () => {
    const { person, card } = await desk.swapCard("100");
    await person.confirms(card, /not yet confirmed/);
    const overview = await operator.asks("/admin", /Trading is open/);
    expect(overview.text).toMatch(
      /✅ Node · \d+ ms\n✅ Quotation service · \d+ ms\n❔ Exchange · not used yet\n✅ Telegram · \d+ ms/,
    );
    expect(overview.text).toMatch(/Today \(UTC\): 1 ok, 0 failed, 0 unknown/);
    operator.taps(overview, "💰");
    await operator.sees(overview, /Today \(UTC\)\n0\.123456 KFI\n\nAll time\n0\.123456 KFI/);
  });

  it("pauses trading after a confirmation, shows users the reason even after a restart, and resumes", async () => {
    const { person, card } = await desk.swapCard("300");
    const question = await operator.asks("/admin pause The node is being updated", /Pause trading for everybody/);
    operator.taps(question, "⏸ Pause now");
    await operator.sees(question, /Trading paused since[^]*The node is being updated/);
    // Tapping the same button again changes nothing.
    operator.forges(question, question.buttons[0]!.data);

    await desk.crash();
    desk.start();
    person.taps(card, "✅ Confirm");
    await person.asks("/swap 301 KLV KFI", /Trading is paused.*The node is being updated/);
    expect(person.tapAnswers().at(-1)).toMatch(/The node is being updated/);
    expect(desk.services.callsOf("KLV=300000000")).toEqual([]);

    const overview = await operator.asks("/admin", /Trading paused/);
    operator.taps(overview, "▶️");
    await operator.sees(overview, /Resume trading/);
    operator.taps(overview, "▶️");
    await operator.sees(overview, /Trading is open/);
    operator.taps(overview, "📜");
    await operator.sees(overview, /Resumed trading[^]*Paused trading: The node is being updated/);
    await person.asks("/swap 302 KLV KFI", /KLV → KFI/);
  });

  it("lists a call of unknown outcome, with what to do about it", async () => {
    const person = await desk.trader();
    desk.services.onCall = () => "drop";
    const card = await person.asks("/swap 400 KLV KFI", /KLV → KFI/);
    await person.confirms(card, /nknown/);
    const push = await operator.reads(/A transaction's outcome is unknown[^]*User ID: \d+/);
    operator.taps(push, "🔎");
    await operator.sees(push, /never resend these/);
    const overview = await operator.asks("/admin", /1 unknown\n/);
    operator.taps(overview, "⚠️ Unresolved: 1");
    await operator.sees(overview, /never resend these[^]*400 KLV[^]*User \d+[^]*klv1usdny/);
    operator.taps(overview, "✔️ 1");
    await operator.sees(overview, /None\./);
  });
});

it.runIf(process.env["FULL"])(
  "notifies every operator once that another instance has polled for a minute",
  async () => {
    const from = performance.now();
    let conflicts = 0;
    desk.telegram.intercept = ({ method }) =>
      method === "getUpdates" && (conflicts += 1) % 2 === 1 && performance.now() - from < 75_000
        ? failure(
            409,
            "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
          )
        : undefined;
    operator.says("/admin");
    await until(() => performance.now() - from > 50_000);
    await operator.reads(/Another instance/);
    const other = desk.telegram.person(OTHER_OPERATOR);
    await other.reads(/Another instance/);
    desk.telegram.intercept = () => undefined;
    for (const { transcript } of [operator, other]) {
      expect(transcript().filter((text) => text.includes("Another instance"))).toHaveLength(1);
    }
  },
);

it("a newcomer sees their id, requests access, and is let in by an operator's tap", async () => {
  const own = await testDesk({
    ADMIN_USER_IDS: String(OPERATOR),
    ALLOWED_USER_IDS: "4100",
    SUPPORT_CONTACT: "@swapdesk_help",
  });
  const boss = own.telegram.person(OPERATOR);
  const newcomer = own.telegram.person(4200);
  const refusal = await newcomer.asks("/start", /This bot is private[^]*@swapdesk_help[^]*4200/);
  newcomer.taps(refusal, "🙋");
  newcomer.taps(refusal, "🙋");
  const request = await boss.reads(/Access request\nPerson 4200\n4200/);
  boss.taps(request, "✅ Approve");
  await newcomer.reads(/Access granted/);
  await newcomer.asks("/start", /Swap KLV, KFI/);
  expect(newcomer.tapAnswers()).toEqual([
    expect.stringMatching(/Request sent to the operator/),
    expect.stringMatching(/already/),
  ]);
  boss.taps(request, "🚪");
  await boss.sees(request, /has no access/);
  newcomer.says("/help");
  newcomer.forges(refusal, "v1:set:menu");
  await until(() => newcomer.tapAnswers().length === 3);
  expect(newcomer.tapAnswers()[2]).toMatch(/This bot is private/);
});

it("an operator previews a message exactly as everybody will get it, and sends it", async () => {
  const person = await desk.trader();
  const entities = [
    { type: "bot_command", offset: 0, length: 10 },
    { type: "bold", offset: 15, length: 7 },
  ];
  operator.says("/broadcast We  move tonight", undefined, { entities });
  const preview = await operator.reads(/^📣 From the operator of this bot:\n\nWe {2}move tonight$/);
  operator.taps(preview, "📣 Send to");
  await person.reads(/^📣 From the operator of this bot:\n\nWe {2}move tonight$/);
  const sent = desk.telegram.calls.filter(({ parameters }) => String(parameters["text"]).endsWith("We  move tonight"));
  expect(sent.length).toBeGreaterThan(1);
  for (const { parameters } of sent) {
    const [text, marks] = [String(parameters["text"]), parameters["entities"] as { offset: number; length: number }[]];
    const bold = marks.map(({ offset, length }) => text.slice(offset, offset + length));
    expect(bold).toEqual(["📣 From the operator of this bot:", "move to"]);
  }
  await operator.reads(/sent to \d+ users/);
  const stranger = desk.stranger();
  await stranger.asks("/broadcast Send me your coins", /Unknown command/);
});
