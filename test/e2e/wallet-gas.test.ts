import { expect, it } from "vitest";
import { comparedCard } from "../support/sandbox-desk.js";
import { walletChat } from "../support/wallet-chat.js";

it("a call that runs out of gas is told in words of its own, not by its name", async () => {
  const { desk, alice, pageOf, sign } = await walletChat();
  desk.sandbox.real!.node.set({ runsOutOfGas: true });
  const card = await comparedCard(alice, "/swap 100 KLV KFI");
  await alice.taps(card, "✅ Confirm");
  expect(await sign(pageOf(await alice.sees(card, /Waiting for your signature/)))).toBe(200);
  const { text } = await alice.sees(card, /Rejected/);
  expect(text).toContain("It ran out of gas");
  expect(text).not.toMatch(/[“"]swap[”"]/);
});
