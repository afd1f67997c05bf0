import { describe, expect, it } from "vitest";
import { comparedCard, type SandboxDesk, tradingDesk } from "../support/sandbox-desk.js";
import { walletChat } from "../support/wallet-chat.js";

/** Number of edits of a message so far, including refused ones. */
function editsOf({ sandbox }: SandboxDesk, messageId: number): number {
  return sandbox.telegram
    .calls()
    .filter(({ method, parameters }) => method.startsWith("editMessage") && parameters["message_id"] === messageId)
    .length;
}

async function trader(environment: Readonly<Record<string, string>> = {}) {
  const { desk, alice } = await tradingDesk({}, environment);
  const card = await comparedCard(alice, "/swap 100 KLV KFI");
  /** Number of edits of the card, once all that the user sent has been handled. */
  const edits = async () => {
    await alice.asks("/help");
    return editsOf(desk, card.messageId);
  };
  return { alice, card, edits };
}

/** Edits share Telegram's flood limit with messages, and make the chat jump: none for a countdown or an old state. */
describe("a card is edited", () => {
  it("not at all while it waits, and twice when it is confirmed", async () => {
    const { alice, card, edits } = await trader();
    expect(await edits()).toBe(0);
    await alice.confirms(card, /not yet confirmed/);
    expect(await edits()).toBe(2);
  });

  it("once when it expires", async () => {
    const { alice, card, edits } = await trader({ QUOTE_TTL_SECONDS: "5" });
    await alice.sees(card, /⌛ Expired/);
    expect(await edits()).toBe(1);
  });

  it("once when it is refreshed", async () => {
    const { alice, card, edits } = await trader();
    await alice.taps(card, "🔄 Refresh");
    await alice.asks("/help");
    expect(await edits()).toBe(1);
  });

  it("at most five times when a wallet signs it and it completes", async () => {
    const { desk, alice, pageOf, sign } = await walletChat();
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    await alice.taps(card, "✅ Confirm");
    expect(await sign(pageOf(await alice.sees(card, /Waiting for your signature/)))).toBe(200);
    await alice.sees(card, /Swap completed/);
    await alice.asks("/help");
    // Claimed, to sign, sent, done, and the balances once read; changes in quick succession share an edit.
    const edits = editsOf(desk, card.messageId);
    expect(edits).toBeGreaterThanOrEqual(3);
    expect(edits).toBeLessThanOrEqual(5);
  });
});
