import { readFileSync } from "node:fs";
import { Hono } from "hono";
import type { ContractName } from "../../../src/encoding/contracts.js";
import { readAddress, type Address } from "../../../sandbox/chain/address.js";
import { createChain } from "../../../sandbox/chain/chain.js";
import { assetOf, type Payment } from "../../../sandbox/chain/ledger.js";
import { chainRoutes } from "../../../sandbox/chain/routes.js";
import { createFaults } from "../../../sandbox/faults.js";
import { quotationRoutes } from "../../../sandbox/quotation.js";
import { loadWorld, type WorldJson } from "../../../sandbox/world.js";

export const alice = readAddress("klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy");
export const bob = readAddress("klv1mt0upryzlgqcddm4ecxm9ury4xx6fu64guplk9dx4vljdf63q2ds3anuq6");
export const carol = readAddress("klv1ev7s7fvcjqs32x4skvgsc5l73hka0tca3026har0jlgskxu6ncrsuj6dh2");
export const operator = readAddress("klv18d4z00xwk6jz6c4r4rgz5mcdwdjny9thrh3y8f36cpy2rz6emg5scllvd2");
export const founder = readAddress("klv1qy352eufzqg3yyc5z5v3wxqeyqsjygeyy5nzw2pfxqcnyve5x5mqfrkqfg");

export const addresses = {
  router: readAddress("klv1qqqqqqqqqqqqqpgqeqv6qk59hce8zutmu5zn8h08grddc8zqc0nqe9k5za"),
  referral: readAddress("klv1qqqqqqqqqqqqqpgqhe7lg537aszyv48xpuhqh2jykx986wnd932qrd2478"),
  simpleLock: readAddress("klv1qqqqqqqqqqqqqpgq9696g7x76kwrrh02fahn4rpem4v595t8c0nqgxzpmu"),
};
export const pairAddresses = [
  readAddress("klv1qqqqqqqqqqqqqpgq5vp9gwu9ugqng9w2k75rlfedwk8uxjnvc0nqeqmkm2"),
  readAddress("klv1qqqqqqqqqqqqqpgqk762znj9v7nyky3wucdcw9awz83ppqy6c0nqhe2qaz"),
  readAddress("klv1qqqqqqqqqqqqqpgqj4aflyfuqwzjdxcu4sa0eu4ur8ajg9dqc0nqncgsa3"),
] as const;

const fungible = (id: string) => ({ id, name: id, precision: 6, kind: "fungible" as const });

/** A world of three contracts and some tokens, without pairs; tests add what they need. */
export function emptyWorld(change: Partial<WorldJson> = {}): WorldJson {
  return {
    tokens: [
      ...["KLV", "KFI", "DVK-34ZH", "ABC-1A2B", "LPT-0000", "LPT-1111"].map(fungible),
      { id: "LKTOK-1A2B", name: "Locked", precision: 6, kind: "semi-fungible" },
    ],
    router: { address: addresses.router, owner: founder },
    referral: { address: addresses.referral },
    simpleLock: { address: addresses.simpleLock, lockedToken: "LKTOK-1A2B" },
    ...change,
  };
}

export function defaultWorld(): WorldJson {
  return JSON.parse(readFileSync(new URL("../../../data/world.json", import.meta.url), "utf8")) as WorldJson;
}

/** A call's answer, with its entries in hex. */
export interface Result {
  readonly status: number;
  readonly ok: boolean;
  readonly code: string;
  readonly text: string;
  readonly data: readonly string[];
}

interface VmBody {
  readonly data: { readonly returnData: string[]; readonly returnCode: string; readonly returnMessage: string } | null;
  readonly error: string;
}

export type LocalChain = ReturnType<typeof localChain>;

export function localChain(json: WorldJson) {
  const chain = createChain(loadWorld(json), { clock: { now: () => 0 } });
  const faults = createFaults();
  const app = new Hono().route("/", chainRoutes(chain, faults)).route("/", quotationRoutes(chain, faults));
  const post = async (path: string, body: unknown) => {
    const response = await app.request(path, { method: "POST", body: JSON.stringify(body) });
    const json: unknown = await response.json();
    return { status: response.status, json };
  };
  return {
    chain,
    post,
    /** Calls through `POST /vm/query`. `to` is a contract's name or a pair's address. */
    call: async (
      to: ContractName | Address,
      functionName: string,
      args: readonly string[] = [],
      options: { readonly caller?: Address; readonly value?: string } = {},
    ): Promise<Result> => {
      const scAddress = to in addresses ? addresses[to as keyof typeof addresses] : to;
      const { status, json: answer } = await post("/vm/query", { scAddress, funcName: functionName, args, ...options });
      const { data, error } = answer as VmBody;
      const code = data?.returnCode ?? "";
      return { status, ok: code === "ok", code, text: data?.returnMessage ?? error, data: data?.returnData ?? [] };
    },
    balance: (owner: Address, asset: string): bigint => chain.state.ledger.balance(owner, assetOf(asset)),
    /** Everything that calls can change, as text. */
    fingerprint: (): string =>
      JSON.stringify(chain.keep().tables, (_, value: unknown) =>
        typeof value === "bigint" ? value.toString() : value,
      ),
  };
}

/** The number in an entry. */
export function numberOf(entry: string | undefined): bigint {
  return entry === undefined || entry === "" ? 0n : BigInt(`0x${entry}`);
}

/** The payments in an entry, as `KFI=5` or `LKTOK-1A2B/1=5`; decoded by hand here, so that the codec is tested too. */
export function paymentsOf(entry: string | undefined): readonly string[] {
  const bytes = Buffer.from(entry ?? "", "hex");
  const payments: Payment[] = [];
  let position = 0;
  const take = (count: number): Buffer => {
    position += count;
    return bytes.subarray(position - count, position);
  };
  while (position < bytes.length) {
    const tokenId = take(take(4).readUInt32BE()).toString();
    const nonce = take(8).readBigUInt64BE();
    payments.push({ tokenId, nonce, units: numberOf(take(take(4).readUInt32BE()).toString("hex")) });
  }
  return payments.map(({ tokenId, nonce, units }) => `${tokenId}${nonce === 0n ? "" : `/${nonce}`}=${units}`);
}
