import { expect, it } from "vitest";
import {
  comparedCard,
  dataOf,
  defaultWorld,
  labelsOf,
  losesAnswer,
  people,
  type SandboxPerson,
  tradingDesk,
} from "../support/sandbox-desk.js";
import { until } from "../support/until.js";

/** A desk whose node reports balances, and Alice with a payout address. */
async function withAlice() {
  const { desk, alice } = await tradingDesk({ world: defaultWorld });
  const confirmUnder = async (fault: "drop-after" | "drop-before") => {
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    const before = alice.holds();
    await losesAnswer(desk, alice, card, fault);
    if (fault === "drop-after") await until(() => alice.holds()["KLV"] !== before["KLV"]);
    return card;
  };
  return { desk, alice, confirmUnder };
}

const swapAgain = async (alice: SandboxPerson) => {
  await alice.confirms(await comparedCard(alice, "/swap 10 KLV KFI"), /Balance: /);
};

it("an outcome that a check has proven stays, counts in /history and /fees, and can be repeated", async () => {
  const { desk, alice, confirmUnder } = await withAlice();
  const card = await confirmUnder("drop-after");
  await alice.taps(card, "🔎 Check");
  const arrived = await alice.sees(card, /It has arrived/);
  expect(arrived.text).toMatch(/^✅ Swap completed/);
  expect(arrived.text).toMatch(/You received: 0\.98[0-9]+ KFI/);
  expect(labelsOf(arrived)).toContain("🔁 Repeat");
  expect(labelsOf(arrived)).not.toContain("🔎 Check");
  const { messageId, ...before } = arrived;

  await swapAgain(alice);
  // A late tap on the old button.
  desk.sandbox.telegram.press(people.alice, messageId, dataOf(card, "✅").replace(/^v1:c:/, "v1:k:"));
  const history = await alice.asks("/history");
  expect(history.text).toMatch(/✅ 100 KLV → 0\.98[0-9]+ KFI\n.*done \(no response came\)/);
  expect(history.text).not.toMatch(/outcome unknown/);
  expect((await alice.sees(card, /It has arrived/)).text).toBe(before.text);
  const twoFees = await alice.asks("/fees");
  expect(twoFees.text).toMatch(/0\.010[0-9]+ KFI\n/);
  expect(labelsOf(await alice.asks("/repeat"))).toContain("100 KLV → KFI");
});

it("a finding is stored for a call that is no longer among the latest, too", async () => {
  const { alice, confirmUnder } = await withAlice();
  const first = await confirmUnder("drop-after");
  // Only some calls of unknown outcome stay among the latest.
  for (let more = 0; more < 25; more += 1) await confirmUnder("drop-before");
  await alice.taps(first, "🔎 Check");
  await alice.sees(first, /Still unclear/);
  await alice.taps(first, "✖️ It didn't happen");
  await alice.sees(first, /You marked this/);
});

it("the owner can mark a call as not happened", async () => {
  const { alice, confirmUnder } = await withAlice();
  const card = await confirmUnder("drop-before");
  expect(labelsOf(await alice.sees(card, /Outcome unknown/))).not.toContain("✖️ It didn't happen");
  await alice.taps(card, "🔎 Check");
  await alice.sees(card, /Nothing has arrived yet/);
  await alice.taps(card, "✖️ It didn't happen");
  const filed = await alice.sees(card, /You marked this as not happened/);
  expect(filed.text).not.toMatch(/Outcome unknown/);
  expect(labelsOf(filed)).toContain("🔎 Check");
  expect((await alice.asks("/history")).text).toMatch(/✖️ .*\n.*marked by you as not happened/);
  // Another check changes nothing.
  await alice.taps(card, "🔎 Check");
  await alice.sees(card, /You marked this/);
  expect((await alice.asks("/history")).text).toMatch(/marked by you/);
});
