import { expect, it } from "vitest";
import { tradingDesk } from "../support/sandbox-desk.js";

it("limits apply at once, to two cards together and across restarts, and are raised only after a day; the phrase and recent changes are shown", async () => {
  const { desk, alice } = await tradingDesk();
  const asked = async (button: string, answer: string) => {
    const menu = await alice.asks("/security");
    await alice.taps(menu, button);
    await alice.reads(/Send/);
    return alice.asks(answer);
  };
  expect((await asked("Set a limit", "KLV 100 / 150")).text).toMatch(/KLV: 100 KLV per transaction, 150 KLV per day/);
  expect((await asked("Set a phrase", "blue heron")).text).toContain("Anti-phishing phrase: blue heron");
  const refused = await alice.asks("/swap 101 KLV KFI");
  expect(refused.text).toMatch(/limit of 100 KLV per transaction/);
  await alice.taps(refused, "100");
  await alice.reads(/You pay: 100 KLV/);
  expect((await alice.asks("/lock 101 KLV 5500")).text).toMatch(/limit of 100 KLV per transaction/);

  const [first, second] = [await alice.asks("/swap 100 KLV KFI"), await alice.asks("/swap 100 KLV KFI")];
  expect(first.text).toContain("🛡 blue heron");
  await Promise.all([alice.taps(first, "✅ Confirm"), alice.taps(second, "✅ Confirm")]);
  const limited = await alice.reads(/daily limit of 150 KLV \(50 left today/);
  await alice.taps(limited, "50");
  await alice.reads(/You pay: 50 KLV/);
  expect(desk.callsSent()).toHaveLength(1);

  // A higher limit applies from tomorrow, even after a restart.
  expect((await asked("Set a limit", "KLV - / -")).text).toMatch(/100 KLV per transaction[^]*from .*: no limit/);
  await desk.restart();
  expect((await alice.asks("/swap 100 KLV KFI")).text).toMatch(/50 left today/);
  for (const more of ["/multihop 51 KLV KFI", "/lock 51 KLV 5500"]) {
    expect((await alice.asks(more)).text).toMatch(/50 left today/);
  }

  const card = await alice.asks("/swap 50 KLV KFI");
  await alice.taps(card, "🧊 Freeze");
  expect((await alice.reads(/^🧊 Frozen/)).text).toContain("/unfreeze");
  await alice.sees(card, /[Cc]ancelled/);
  const security = await alice.asks("/security");
  expect(security.text).toMatch(
    /Frozen since[^]*· frozen\n.*· limit changed\n.*· phrase changed\n.*· limit changed\n.*· address changed$/,
  );
  expect(desk.callsSent()).toHaveLength(1);
});
