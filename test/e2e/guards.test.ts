import { expect, it } from "vitest";
import { people, sandboxDesk } from "../support/sandbox-desk.js";

it("limits hold at once, for two cards together and over a restart, and only a day lifts them; the phrase and the last changes are shown", async () => {
  const desk = await sandboxDesk();
  const alice = desk.person(people.alice);
  await alice.asks(`/wallet ${desk.address("Alice")}`);
  const asked = async (button: string, answer: string) => {
    const menu = await alice.asks("/security");
    await alice.taps(menu, button);
    await alice.reads(/Send/);
    return alice.asks(answer);
  };
  expect((await asked("Set a limit", "KLV 100 / 150")).text).toMatch(/KLV: 100 KLV at a time, 150 KLV a day/);
  expect((await asked("Choose a phrase", "blue heron")).text).toContain("Your phrase: blue heron");
  const refused = await alice.asks("/swap 101 KLV KFI");
  expect(refused.text).toMatch(/limit is 100 KLV at a time/);
  await alice.taps(refused, "100");
  await alice.reads(/You pay: 100 KLV/);
  expect((await alice.asks("/lock 101 KLV 5500")).text).toMatch(/limit is 100 KLV at a time/);

  const [first, second] = [await alice.asks("/swap 100 KLV KFI"), await alice.asks("/swap 100 KLV KFI")];
  expect(first.text).toContain("🛡 blue heron");
  await Promise.all([alice.taps(first, "✅ Confirm"), alice.taps(second, "✅ Confirm")]);
  const limited = await alice.reads(/limit is 150 KLV a day, and 50 KLV is left/);
  await alice.taps(limited, "50");
  await alice.reads(/You pay: 50 KLV/);
  expect(desk.callsSent()).toHaveLength(1);

  // More is allowed tomorrow, whatever happens meanwhile.
  expect((await asked("Set a limit", "KLV - / -")).text).toMatch(/100 KLV at a time[^]*from .*: no limit at a time/);
  await desk.restart();
  expect((await alice.asks("/swap 100 KLV KFI")).text).toMatch(/50 KLV is left/);
  for (const more of ["/multihop 51 KLV KFI", "/lock 51 KLV 5500"]) {
    expect((await alice.asks(more)).text).toMatch(/50 KLV is left/);
  }

  const card = await alice.asks("/swap 50 KLV KFI");
  await alice.taps(card, "🧊 Freeze");
  expect((await alice.reads(/^Frozen/)).text).toContain("/unfreeze");
  await alice.sees(card, /[Cc]ancelled/);
  const security = await alice.asks("/security");
  expect(security.text).toMatch(/Frozen since[^]*· frozen\n.*· limit\n.*· phrase\n.*· limit\n.*· payout address$/);
  expect(desk.callsSent()).toHaveLength(1);
});
