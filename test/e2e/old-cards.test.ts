import { expect, it } from "vitest";
import { testDesk } from "../support/desk.js";
import { until } from "../support/until.js";

it("a tap on a card that is forgotten says what to do, and takes its buttons away", async () => {
  const desk = await testDesk({ QUOTE_TTL_SECONDS: "1" });
  const person = await desk.trader();
  const asks = async () => {
    person.says("/swap 100 KLV KFI");
    return person.reads(/You pay: 100 KLV/);
  };
  const first = await asks();
  const details = first.buttons.find(({ text }) => text === "ℹ️ Details")!.data;
  // Cards of which nothing was ever sent make room for newer ones.
  for (let more = 0; more < 25; more += 1) await asks();
  await until(async () => {
    await asks();
    person.forges(first, details);
    await desk.telegram.allConfirmed();
    return person.tapAnswers().some((text) => /no longer know it.*\/swap.*\/history/.test(text));
  });
  await until(() => first.buttons.length === 0);
  expect(desk.services.calls()).toHaveLength(0);
});
