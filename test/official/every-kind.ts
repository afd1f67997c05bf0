import { onTestFinished } from "vitest";
import { systemClock } from "../../src/clock.js";
import { addressFromBytes, parseAddress } from "../../src/encoding/address.js";
import { contractCall, type ContractCall } from "../../src/encoding/call.js";
import { decodeOutputs } from "../../src/encoding/result.js";
import { rawDataSchema, type RawData } from "../../src/encoding/transaction.js";
import { createHttp } from "../../src/services/base/http.js";
import { createChainNode } from "../../src/services/signing/chain-node.js";
import { addresses, pairAddresses } from "../sandbox/chain/local-chain.js";
import { keys, realNodeDesk } from "../sandbox/node/real-node.js";
import { alice, operator, silent } from "../services/samples.js";
import { signHash } from "../support/signer.js";

export interface Built {
  readonly call: ContractCall;
  readonly raw: RawData;
  /** As the node gave it. */
  readonly hash: string;
  readonly signature: Uint8Array;
}

const at = <Contract extends string>(contract: Contract, address: string) => ({
  contract,
  address: parseAddress(address),
});
const referral = at("referral", addresses.referral);
const router = at("router", addresses.router);
const lock = at("simpleLock", addresses.simpleLock);
const payment = (tokenId: string, units: bigint) => ({ tokenId, units });

/** A transaction of every kind that the bot makes, built for Alice and executed by the sandbox's node, in order. */
export async function everyKind(): Promise<readonly Built[]> {
  const { sandbox, block, get } = await realNodeDesk();
  const http = createHttp({ timeoutSeconds: 10, clock: systemClock, log: silent });
  onTestFinished(() => http.close());
  const node = createChainNode({ nodeUrl: sandbox.url, http, clock: systemClock, hide: (text) => text });
  const built: Built[] = [];
  /** @returns The call's result, in hex. */
  const carryOut = async (call: ContractCall): Promise<readonly string[]> => {
    const { nonce } = await node.nonce(alice);
    const { raw: told, hash } = await node.build(call, alice, nonce);
    const raw = rawDataSchema.parse(told);
    const signature = signHash(keys.alice, Buffer.from(hash, "hex"));
    built.push({ call, raw, hash, signature });
    await node.broadcast({ raw, hash }, signature);
    block();
    const { events } = (await get(`/transaction/${hash}?withResults=true`)).body.data.transaction.logs;
    const last = events.at(-1);
    if (last?.identifier !== "ReturnData") throw new Error(`${call.function} failed: ${last?.identifier}`);
    return last.data;
  };

  const hop = { function: "swapTokensFixedInput", amount_wanted: 1n } as const;
  const swap = { referral_address: operator, referral_percentage: 1000n, token_in: "KLV", token_out: "KFI" };
  await carryOut(contractCall(referral, "swap", { ...swap, amount_out_min: 1n }, [payment("KLV", 1_000_000n)]));
  await carryOut(
    contractCall(
      router,
      "multiPairSwap",
      {
        swap_operations: [
          { ...hop, pair_address: parseAddress(pairAddresses[0]), token_wanted: "KLV" },
          { ...hop, pair_address: parseAddress(pairAddresses[1]), token_wanted: "DVK-34ZH" },
        ],
      },
      [payment("KFI", 1_000_000n)],
    ),
  );
  const [pairHex = ""] = await carryOut(
    contractCall(router, "createPair", { first_token_id: "BTC-9K3F", second_token_id: "KFI" }),
  );
  const pair = addressFromBytes(Buffer.from(pairHex, "hex"));
  const names = { lp_token_display_name: "LPBTCKFI", lp_token_ticker: "LPBTCKFI" };
  await carryOut(contractCall(router, "issueLpToken", { pair_address: pair, ...names }));
  await carryOut(contractCall(router, "setLocalRoles", { pair_address: pair }));
  const liquidity = contractCall({ contract: "pair", address: pair }, "addInitialLiquidity", {}, [
    payment("BTC-9K3F", 4_000_000n),
    payment("KFI", 20_000_000n),
  ]);
  const [lp] = decodeOutputs("pair", "addInitialLiquidity", await carryOut(liquidity), "hex");
  const locking = contractCall(lock, "lockTokens", { unlock_epoch: 5500n }, [payment(lp.tokenId, lp.units)]);
  const [locked] = decodeOutputs("simpleLock", "lockTokens", await carryOut(locking), "hex");
  await carryOut(contractCall(router, "setSwapEnabledByUser", { pair_address: pair }, [locked]));
  await carryOut(
    contractCall(lock, "unlockTokens", { opt_destination: alice }, [{ tokenId: "LKTOK-1A2B", nonce: 1n, units: 25n }]),
  );
  return built;
}
