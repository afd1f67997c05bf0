import * as z from "zod";
import { isDeployedContract, readAddress } from "./chain/address.js";
import { isTokenId } from "./chain/token-id.js";
import { addressOfKey } from "./node/key.js";

/**
 * A world: everything that the sandbox's chain knows when it starts, as a JSON file or as an object in a test. Amounts are
 * smallest units, in JSON as decimal text.
 */
const units = z
  .union([z.bigint().nonnegative(), z.string().regex(/^(?:0|[1-9][0-9]*)$/)])
  .transform((value) => BigInt(value));
const epoch = units;
const tokenId = z.string().refine(isTokenId, "is not a token id");
const asset = z.string().refine((text) => {
  const [id = "", nonce, ...rest] = text.split("/");
  return isTokenId(id) && rest.length === 0 && (nonce === undefined || /^[1-9][0-9]*$/.test(nonce));
}, "is not an asset");
const address = z.string().transform((text, context) => {
  try {
    return readAddress(text);
  } catch (cause) {
    context.addIssue({ code: "custom", message: (cause as Error).message });
    return z.NEVER;
  }
});
const contractAddress = address.refine(isDeployedContract, "is not a contract's address");
/** Base 100000. */
const percent = z.int().min(0).max(100_000);

const token = z.strictObject({
  id: tokenId,
  name: z.string(),
  precision: z.int().min(0).max(30),
  kind: z.enum(["fungible", "semi-fungible"]),
});

/** Whose signatures count for an account in place of its own key's. */
const permission = z.strictObject({
  id: units.default(0n),
  threshold: units,
  signers: z.array(z.strictObject({ address, weight: units })),
});

const account = z.strictObject({
  address,
  /** Of the next transaction. */
  nonce: units.default(0n),
  permissions: z.array(permission).default([]),
  /** Of a test account, 64 hex digits: the wallet of the sandbox signs with it. */
  privateKey: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** For the inspector. */
  name: z.string().optional(),
  /** The person of the sandbox's Telegram whose account it is. */
  telegramId: z.int().optional(),
  /** By asset: `KLV`, or `LKTOK-1A2B/1` for one nonce of a semi-fungible token. */
  balances: z.record(asset, units).default({}),
});

const pair = z.strictObject({
  address: contractAddress,
  firstToken: tokenId,
  secondToken: tokenId,
  reserveFirst: units.default(0n),
  reserveSecond: units.default(0n),
  /** Absent: not issued yet. */
  lpToken: tokenId.optional(),
  /** What of it neither accounts nor the pair itself (1000 units) hold belongs to the router's owner. */
  lpSupply: units.default(0n),
  totalFeePercent: percent.default(300),
  specialFeePercent: percent.default(50),
  state: z.enum(["Inactive", "Active", "PartialActive"]).default("Active"),
  /** Who alone may add the first liquidity and enable swapping. Absent: anyone, and no one. */
  initialLiquidityAdder: address.optional(),
  /** Who shares the special fee; the fee switch is on as soon as there is one. */
  feesCollector: z.strictObject({ address, cutPercentage: percent }).optional(),
  /** One slice of the special fee each, turned into this token and burned. */
  feeDestinations: z.array(tokenId).default([]),
  /** Outputs of swaps are locked until `unlockEpoch` while the epoch is below `deadlineEpoch`. */
  lockedOutput: z.strictObject({ deadlineEpoch: epoch, unlockEpoch: epoch }).optional(),
});

const router = z.strictObject({
  address: contractAddress,
  owner: address,
  active: z.boolean().default(true),
  /** Whether anyone but the owner may create pairs. */
  pairCreationEnabled: z.boolean().default(true),
  /** For so many blocks only the creator of a pair can issue its LP token. */
  temporaryOwnerBlocks: z.int().min(0).default(50),
  /** What `issueLpToken` costs, in units of the native token. The interface shows no payment there. */
  lpIssueCost: units.default(0n),
  /** Tokens in which a user's pair can be valued. */
  commonTokens: z.array(tokenId).default([]),
  enableSwapByUser: z
    .array(z.strictObject({ commonToken: tokenId, lockedToken: tokenId, minValue: units, minPeriodEpochs: epoch }))
    .default([]),
});

/** A nonce of a semi-fungible token that stands for locked tokens. */
const lockedNonce = z.strictObject({
  tokenId,
  nonce: units,
  originalTokenId: tokenId,
  originalTokenNonce: units.default(0n),
  unlockEpoch: epoch,
});

const chain = z.strictObject({
  chainId: z.string().default("109"),
  epoch: z.int().min(0).default(1),
  /** The block at which the world starts, and the first one of its epoch. One block fills one slot. */
  block: z.int().min(0).default(1000),
  blockAtEpochStart: z.int().min(0).default(1000),
  blocksPerEpoch: z.int().min(1).default(5400),
  blockMilliseconds: z.int().min(1).default(4000),
});

/** Where the reference contracts or the chain leave two answers open. */
const options = z.strictObject({
  /** LP tokens for a first deposit: the smaller amount (mx-exchange-sc), or the square root of the product (Klever's event). */
  firstLiquidityRule: z.enum(["min", "sqrt"]).default("sqrt"),
  /** Whether `multiPairSwap` returns residua of zero. */
  keepZeroResidua: z.boolean().default(false),
  /** `documented`: `data.returnData`, `ok`. `node`: `data.data.returnData`, `Ok`, as klever-go nests it. */
  answerNesting: z.enum(["documented", "node"]).default("documented"),
  returnDataEncoding: z.enum(["hex", "base64"]).default("hex"),
  /** Whether the node also tells what accounts hold, which the documented interface does not speak of. */
  tellsBalances: z.boolean().default(true),
  /** Whose account a call is paid from when neither `caller` nor a destination names one. */
  defaultCaller: address.optional(),
});

const world = z
  .strictObject({
    chain: chain.prefault({}),
    options: options.prefault({}),
    tokens: z.array(token),
    accounts: z.array(account).default([]),
    router,
    referral: z.strictObject({ address: contractAddress }),
    simpleLock: z.strictObject({ address: contractAddress, lockedToken: tokenId }),
    lockedNonces: z.array(lockedNonce).default([]),
    pairs: z.array(pair).default([]),
    /** The exchange's orders; that part of the sandbox reads them. */
    orders: z.array(z.unknown()).default([]),
  })
  .superRefine((value, context) => {
    const known = new Set(value.tokens.map(({ id }) => id));
    const named = [
      ...value.accounts.flatMap(({ balances }) => Object.keys(balances).map((text) => text.split("/")[0] ?? "")),
      ...value.pairs.flatMap((each) => [each.firstToken, each.secondToken, each.lpToken ?? each.firstToken]),
      ...value.lockedNonces.flatMap((each) => [each.tokenId, each.originalTokenId]),
      value.simpleLock.lockedToken,
    ];
    for (const id of new Set(named)) {
      if (!known.has(id)) context.addIssue({ code: "custom", message: `${id} is not among the tokens` });
    }
    for (const { address, privateKey } of value.accounts) {
      if (privateKey === undefined || addressOfKey(privateKey) === address) continue;
      context.addIssue({ code: "custom", message: `the private key of ${address} is another account's` });
    }
    const addresses = [value.router.address, value.referral.address, value.simpleLock.address];
    addresses.push(...value.pairs.map((each) => each.address));
    if (new Set(addresses).size !== addresses.length) {
      context.addIssue({ code: "custom", message: "two contracts have the same address" });
    }
  });

/** A world as it is written. */
export type WorldJson = z.input<typeof world>;
/** A world that was read: amounts are bigint, addresses are checked, everything left out has its default. */
export type World = z.output<typeof world>;

/** @throws Error that lists every fault of the file. */
export function loadWorld(json: unknown): World {
  const result = world.safeParse(json);
  if (!result.success) throw new Error(`The world cannot be read:\n${z.prettifyError(result.error)}`);
  return result.data;
}
