import { describe, expect, it } from "vitest";
import { defaultWorld, losesAnswer, tradingDesk } from "../support/sandbox-desk.js";
import { formatAmount } from "../../src/encoding/amount.js";
import { grouped } from "../../src/encoding/decimal.js";
import { klv } from "../services/samples.js";
import { until } from "../support/until.js";

/** An amount of a token with six decimals, as users type it and as cards show it. */
const typed = (units: bigint) => formatAmount({ token: klv, units });
const whole = (units: bigint) => grouped(typed(units), ".");

describe("with a node that reports balances", () => {
  it("shows them, calculates shares exactly to the unit, and refuses what they don't cover before there is a card", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    const held = alice.holds();
    const shown = await alice.asks("/balance");
    expect(shown.text).toContain(`${whole(held["KLV"]!)} KLV`);
    expect(shown.text).toMatch(/LPKLVKFI-3I0N\nrepresents [0-9.,]+ (?:KLV|KFI) \+ [0-9.,]+ (?:KLV|KFI)/);

    const card = await alice.asks("/swap 12.34% KLV KFI");
    expect(card.text).toContain(`${whole((held["KLV"]! * 1234n) / 10_000n)} KLV`);
    const all = await alice.asks("/quote max KFI KLV");
    expect(all.text).toContain(`${whole(held["KFI"]!)} KFI`);
    const locked = await alice.asks("/lock max KFI 5500");
    expect(locked.text).toContain(`${whole(held["KFI"]!)} KFI`);
    const tooMuch = typed(held["KLV"]! + 1n);
    const refused = await alice.asks(`/swap ${tooMuch} KLV KFI`);
    const [needed, most] = [whole(held["KLV"]! + 1n), whole(held["KLV"]!)];
    expect(refused.text).toContain(`Not enough KLV: you need ${needed}, you have ${most}.`);
    await alice.taps(refused, "max");
    expect((await alice.reads(/You pay/)).text).toContain(`${most} KLV`);

    const small = await alice.asks("/swap 100 KLV KFI");
    const done = await alice.confirms(small, /Balance: /);
    const after = alice.holds();
    for (const token of ["KLV", "KFI"]) {
      expect(done.text).toContain(`Balance: ${whole(held[token]!)} → ${whole(after[token]!)} ${token}`);
    }
  });

  it("offers shares in a dialog", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    const from = await alice.asks("/swap");
    await alice.taps(from, "KLV");
    const to = await alice.reads(/Which token do you want/);
    await alice.taps(to, "KFI");
    const amount = await alice.reads(/How much KLV/);
    await alice.taps(amount, "50%");
    expect((await alice.reads(/Swap KLV/)).text).toContain(`${whole(alice.holds()["KLV"]! / 2n)} KLV`);
  });

  it("finds out with one tap whether a call of unknown outcome was executed", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const confirmUnder = async (fault: "drop-after" | "drop-before") => {
      const card = await alice.asks("/swap 100 KLV KFI");
      return losesAnswer(desk, alice, card, fault);
    };
    const held = alice.holds();
    const lost = await confirmUnder("drop-before");
    await alice.taps(lost, "🔎 Check");
    expect((await alice.sees(lost, /🔎 Nothing has arrived yet/)).text).toContain("Balance: ");
    expect(alice.holds()).toEqual(held);

    const made = await confirmUnder("drop-after");
    await until(() => alice.holds()["KLV"] !== held["KLV"]);
    await alice.taps(made, "🔎 Check");
    const arrived = await alice.sees(made, /^✅ Swap completed[^]*🔎 It has arrived/);
    const history = (await alice.asks("/history")).text.split("\n");
    expect(history[3]).toMatch(/outcome unknown$/);
    expect(history[5]).toMatch(/done \(no response came\)$/);
    expect(arrived.text).toContain(`Balance: ${whole(held["KFI"]!)} → ${whole(alice.holds()["KFI"]!)} KFI`);
    // The first can't be cleared up any more: its tokens would be indistinguishable from those of the second.
    await alice.taps(lost, "🔎 Check");
    await alice.sees(lost, /Still unclear[^]*traded since/);
    expect(desk.callsSent().length).toBeLessThanOrEqual(2);
  });
});

it("a node that reports no balances is asked a few times at most; only commands that need balances mention it", async () => {
  const { desk, alice } = await tradingDesk();
  const reads = () => desk.sandbox.wireLog.entries().filter(({ path }) => path.startsWith("/address/")).length;
  const asked = reads();
  expect((await alice.asks("/balance")).text).toMatch(/doesn't report balances/);
  expect((await alice.asks("/swap 50% KLV KFI")).text).toMatch(/doesn't report balances/);
  const card = await alice.asks("/swap 100 KLV KFI");
  expect((await alice.confirms(card, /not yet confirmed/)).text).not.toContain("Balance: ");
  expect(asked).toBeLessThanOrEqual(1);
  // After 2, 10 and 30 seconds, then ever more rarely; each time, for the two tokens of the swap.
  expect(reads()).toBeLessThanOrEqual(8);
});
