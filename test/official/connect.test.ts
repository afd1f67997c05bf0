import { Contract, createCustomNetwork, createKleverAddress, KleverProvider, NodeWallet } from "@klever/connect";
import { Account, utils } from "@klever/sdk-node";
import { expect, it } from "vitest";
import { addresses, pairAddresses } from "../sandbox/chain/local-chain.js";
import { alice, keys, realNodeDesk } from "../sandbox/node/real-node.js";
import { operator } from "../services/samples.js";
import { startProxy } from "./proxy.js";

/** Klever's own client against the sandbox's node, used as any other program would use it. */
async function client() {
  const desk = await realNodeDesk();
  const network = { api: await startProxy(desk.sandbox.url), node: desk.sandbox.url, chainId: "109" };
  const provider = new KleverProvider({ network: createCustomNetwork(network) as never, cache: false, retry: false });
  const wallet = new NodeWallet(provider, keys.alice);
  await wallet.connect();
  return { ...desk, provider, wallet };
}

const input = (name: string, type: string) => ({ name, type });
const view = (name: string, inputs: object[], outputs: string[]) => ({
  name,
  mutability: "readonly",
  inputs,
  outputs: outputs.map((type) => ({ type })),
});
const none = { name: "", inputs: [], outputs: [] };
const abiOf = (name: string, ...endpoints: object[]) =>
  JSON.stringify({ name, constructor: none, endpoints, types: {} });

const referralAbi = abiOf("Referral", view("getRouterAddress", [], ["Address"]), {
  name: "swap",
  mutability: "mutable",
  payableInTokens: ["*"],
  inputs: [
    input("referral_address", "Address"),
    input("referral_percentage", "u32"),
    input("token_in", "TokenIdentifier"),
    input("token_out", "TokenIdentifier"),
    input("amount_out_min", "BigUint"),
  ],
  outputs: [],
});
const pairAbi = abiOf(
  "Pair",
  view("getReservesAndTotalSupply", [], ["BigUint", "BigUint", "BigUint"]),
  view("getAmountOut", [input("token_in", "TokenIdentifier"), input("amount_in", "BigUint")], ["BigUint"]),
);

it("reads the account, the height and views", async () => {
  const { provider, wallet, sandbox } = await client();
  expect(wallet.address).toBe(alice);
  expect(await provider.getAccount(createKleverAddress(alice))).toMatchObject({ balance: 10_000_000_000n, nonce: 0 });
  expect(await provider.getBlockNumber()).toBe(29_146_851);
  expect(await new Contract(addresses.referral, referralAbi, provider).call("getRouterAddress")).toBe(addresses.router);
  const pair = new Contract(pairAddresses[0], pairAbi, provider);
  const { reserveFirst, reserveSecond, lpSupply } = sandbox.chain.state.pairs.get(pairAddresses[0])!;
  expect(await pair.call("getReservesAndTotalSupply")).toEqual([reserveFirst, reserveSecond, lpSupply]);
  await expect(pair.call("getAmountOut", "DVK-34ZH", 1n)).rejects.toThrow("VMUserError:Unknown token");
});

it("builds, signs and broadcasts a swap, waits for it and reads its logs", async () => {
  const { provider, wallet, block, balance, real } = await client();
  const referral = new Contract(addresses.referral, referralAbi, wallet);
  const kfi = balance("KFI");
  const sent = (await referral.invoke("swap", operator, 1000, "KLV", "KFI", 1n, { value: { KLV: 1_000_000n } })) as {
    readonly hash: string;
  };
  expect(real.node.pool(alice)).toMatchObject([{ hash: sent.hash, nonce: 0n }]);
  block();
  const found = await provider.waitForTransaction(sent.hash);
  expect(found).toMatchObject({ hash: sent.hash, status: "success", blockNum: 29_146_852 });
  const [returned] = referral.parseEvents(found!.logs, { identifier: "ReturnData" }).slice(-1);
  const [fee = 0n, received = 0n] = returned!.data.map((hex) => BigInt(`0x0${hex}`));
  expect(balance("KFI") - kfi).toBe(received);
  expect(fee).toBe((fee + received) / 100n);
  // The second swap has a nonce other than zero.
  const swap = (KLV: bigint) => referral.invoke("swap", operator, 1000, "KLV", "KFI", 1n, { value: { KLV } });
  await swap(1_000_000n);
  block();
  expect(real.node.accounts.nonce(alice)).toBe(2n);
  // Before there is a block the next two have the same one, and one of them is executed.
  await swap(1_000_000n);
  await swap(2_000_000n);
  expect(real.node.pool(alice).map(({ nonce }) => nonce)).toEqual([2n, 2n]);
  block();
  expect(real.node.accounts.nonce(alice)).toBe(3n);
  expect(real.node.pool(alice)).toEqual([]);
});

it("doesn't wait for a transaction that isn't known, nor estimate a fee", async () => {
  const { provider } = await client();
  await expect(provider.waitForTransaction("a".repeat(64))).rejects.toThrow("transaction not found");
  expect(await provider.estimateFee({})).toMatchObject({ kAppFee: 0, bandwidthFee: 0 });
});

it("signs the letters of a message, and sdk-node takes them for hex", async () => {
  const { wallet, sandbox } = await client();
  utils.setProviders({ node: sandbox.url, api: sandbox.url });
  const account = new Account(keys.alice);
  await account.ready;
  expect(await wallet.verifyMessage("123456", await wallet.signMessage("123456"))).toBe(true);
  const theirs = await account.signMessage("123456");
  expect(await wallet.verifyMessage("123456", theirs)).toBe(false);
  expect(await wallet.verifyMessage(Buffer.from("123456", "hex"), theirs)).toBe(true);
  await expect(account.signMessage("12345")).rejects.toThrow("hex");
});

it("is told about a revert, both in the simulation and in the block", async () => {
  const { provider, wallet, block, real } = await client();
  const referral = new Contract(addresses.referral, referralAbi, wallet);
  const swap = (minimum: bigint) =>
    referral.invoke("swap", operator, 1000, "KLV", "KFI", minimum, { value: { KLV: 1_000_000n } });
  await expect(swap(10n ** 6n)).rejects.toThrow("invalid argument: VMUserError - (Slippage exceeded)");
  real.node.set({ runsOutOfGas: true });
  const { hash } = (await swap(1n)) as { readonly hash: string };
  block();
  const found = await provider.waitForTransaction(hash);
  expect(found).toMatchObject({ status: "failed" });
  expect(referral.getEventIdentifiers(found!.logs as never)).toEqual(["internalVMErrors"]);
});
