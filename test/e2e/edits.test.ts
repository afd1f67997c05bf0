import { describe, expect, it } from "vitest";
import { comparedCard, type SandboxDesk, tradingDesk } from "../support/sandbox-desk.js";
import { walletChat } from "../support/wallet-chat.js";

/** So often was a message edited until now, tries that were refused included. */
function editsOf({ sandbox }: SandboxDesk, messageId: number): number {
  return sandbox.telegram
    .calls()
    .filter(({ method, parameters }) => method.startsWith("editMessage") && parameters["message_id"] === messageId)
    .length;
}

async function trader(environment: Readonly<Record<string, string>> = {}) {
  const { desk, alice } = await tradingDesk({}, environment);
  const card = await comparedCard(alice, "/swap 100 KLV KFI");
  /** Once all that the person did was dealt with. */
  const edits = async () => {
    await alice.asks("/help");
    return editsOf(desk, card.messageId);
  };
  return { alice, card, edits };
}

/** Edits share the flood limit with messages, and each makes the chat jump: none is there for a countdown or for a state that is over. */
describe("over its life a card is edited", () => {
  it("not at all while it waits, and twice to be confirmed", async () => {
    const { alice, card, edits } = await trader();
    expect(await edits()).toBe(0);
    await alice.confirms(card, /not yet confirmed/);
    expect(await edits()).toBe(2);
  });

  it("once to expire", async () => {
    const { alice, card, edits } = await trader({ QUOTE_TTL_SECONDS: "5" });
    await alice.sees(card, /⌛ Expired/);
    expect(await edits()).toBe(1);
  });

  it("once to be refreshed", async () => {
    const { alice, card, edits } = await trader();
    await alice.taps(card, "🔄 Refresh");
    await alice.asks("/help");
    expect(await edits()).toBe(1);
  });

  it("five times at most to be signed by a wallet and carried out", async () => {
    const { desk, alice, pageOf, sign } = await walletChat();
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    await alice.taps(card, "✅ Confirm");
    expect(await sign(pageOf(await alice.sees(card, /Waiting for your signature/)))).toBe(200);
    await alice.sees(card, /Swap completed/);
    await alice.asks("/help");
    // Claimed, to sign, sent, done, and the balances once they are read; what comes quickly is one edit.
    const edits = editsOf(desk, card.messageId);
    expect(edits).toBeGreaterThanOrEqual(3);
    expect(edits).toBeLessThanOrEqual(5);
  });
});
