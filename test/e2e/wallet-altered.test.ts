import { expect, it } from "vitest";
import { alterations } from "../../sandbox/node/alterations.js";
import { comparedCard } from "../support/sandbox-desk.js";
import { walletChat } from "../support/wallet-chat.js";

it("a transaction that the node altered is never offered for signing, and the refusal names what differs", async () => {
  const { desk, alice, transactions } = await walletChat();
  const refusals: string[] = [];
  for (const alteration of alterations) {
    desk.sandbox.real!.node.set({ alteration });
    const card = await comparedCard(alice, "/swap 1 KLV KFI");
    const { text, keyboard } = await alice.confirms(card, /Not sent/);
    expect([alteration, keyboard?.flat().filter(({ url }) => url !== undefined) ?? []]).toEqual([alteration, []]);
    const [, , sentence = ""] = text.split("\n");
    refusals.push(
      `${alteration}: ${/doesn't match what you confirmed \((\w+)\)/.exec(sentence)?.[1] ?? sentence.replace(/[0-9.]+ KLV, above/, "… KLV, above")}`,
    );
  }
  expect(transactions()).toEqual([]);
  expect(desk.sandbox.wireLog.entries().some(({ path }) => path === "/transaction/broadcast")).toBe(false);
  expect(refusals).toMatchInlineSnapshot(`
    [
      "type: Contract",
      "type-url: Contract",
      "second-contract: Contract",
      "deployment: Contract",
      "address: Contract",
      "amount: Contract",
      "asset: Contract",
      "second-payment: Contract",
      "kda-royalties: Contract",
      "klv-royalties: Contract",
      "data: Data",
      "second-data: Data",
      "sender: Sender",
      "nonce: Nonce",
      "chain-id: ChainID",
      "version: Version",
      "permission: PermissionID",
      "kda-fee: KDAFee",
      "bandwidth-fee: The network fee would be 2,… KLV, above this bot's limit of 50 KLV. Nothing was sent.",
      "kapp-fee: The network fee would be 2,… KLV, above this bot's limit of 50 KLV. Nothing was sent.",
      "unknown-field: Contract",
      "trailing-byte: Contract",
      "doubled-asset: Contract",
      "hash: txHash",
    ]
  `);
});
