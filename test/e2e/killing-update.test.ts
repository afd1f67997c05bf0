import { expect, it } from "vitest";
import { testDesk } from "../support/desk.js";
import { everythingStored } from "../support/stored.js";

const OPERATOR = 4100;

it("an update that keeps ending the program is given up after three starts, stored, and reported to operators", async () => {
  const desk = await testDesk({ ADMIN_USER_IDS: String(OPERATOR) });
  const operator = desk.telegram.person(OPERATOR);
  await operator.asks("/start", /Welcome/);
  const [killer, other] = [desk.stranger(), desk.stranger()];

  let kills = 0;
  desk.telegram.intercept = ({ method, parameters }) => {
    if (method !== "sendMessage" || parameters["chat_id"] !== killer.id) return undefined;
    kills += 1;
    desk.program().kill("SIGKILL");
    return "drop";
  };
  killer.says("what ends the program");
  for (let start = 1; start <= 3; start += 1) {
    await desk.program().ended;
    other.says(`/help ${start}`);
    desk.start();
  }
  // The fourth run gives it up, and serves everybody.
  await operator.reads(new RegExp(`user ${killer.id} sent crashed the bot`));
  for (let start = 1; start <= 3; start += 1) await other.reads(/\/swap/);
  expect(kills).toBe(3);
  expect(await everythingStored(desk)).toContain("what ends the program");

  desk.telegram.intercept = () => undefined;
  await killer.asks("/help", /\/swap/);
  // Operators are notified once, not at every start.
  await desk.crash();
  desk.start();
  await killer.asks("/fees", /fee/i);
  expect(operator.transcript().filter((text) => text.includes("crashed the bot"))).toHaveLength(1);
});
