import { describe, expect, it } from "vitest";
import { comparedCard, documentedWorld, people, sandboxDesk } from "../support/sandbox-desk.js";

/** A call only names its account. The sandbox's node knows whose phone sent it, and lets nobody spend another's. */
const refusal = "Bob's, but Carol's phone asked. A real node must check who calls, too";

async function desk(world?: typeof documentedWorld) {
  const made = await sandboxDesk(world && { world });
  const [bob, carol] = [made.person(people.bob), made.person(people.carol)];
  return { ...made, bob, carol };
}

describe.each([
  ["that is told the caller", undefined],
  ["that goes by the payout address", documentedWorld],
])("a node %s", (_, world) => {
  it("refuses calls from somebody else who entered the owner's address, and nothing is spent", async () => {
    const { bob, carol, address, callsSent } = await desk(world);
    const before = bob.holds();
    await carol.asks(`/wallet ${address("Bob").toUpperCase()}`);
    const card = await comparedCard(carol, "/swap 1000 KLV KFI");
    expect((await carol.confirms(card, /❌ Rejected/)).text).toContain(refusal);
    expect(callsSent()).toHaveLength(1);
    expect(bob.holds()).toEqual(before);

    // The owner can trade before and after another attempt.
    await bob.asks(`/wallet ${address("Bob")}`);
    for (const amount of [10, 20]) {
      const own = await comparedCard(bob, `/swap ${amount} KLV KFI`);
      await bob.confirms(own, /not yet confirmed/);
      const again = await comparedCard(carol, "/swap 1000 KLV KFI");
      expect((await carol.confirms(again, /❌ Rejected/)).text).toContain(refusal);
    }
    expect(before["KLV"]! - bob.holds()["KLV"]!).toBe(30_000_000n);
  });
});

it("two users who trade from their own accounts at the same time aren't mixed up", async () => {
  const { bob, carol, address, callsSent } = await desk();
  await bob.asks(`/wallet ${address("Bob")}`);
  await carol.asks(`/wallet ${address("Carol")}`);
  const cards = await Promise.all([bob, carol].map((each) => comparedCard(each, "/swap 10 KLV KFI")));
  await Promise.all([bob.taps(cards[0]!, "✅ Confirm"), carol.taps(cards[1]!, "✅ Confirm")]);
  await Promise.all([bob.sees(cards[0]!, /not yet confirmed/), carol.sees(cards[1]!, /not yet confirmed/)]);
  expect(callsSent()).toHaveLength(2);
});
