import * as z from "zod";
import { isDeployedContract, readAddress } from "./chain/address.js";
import { isTokenId } from "./chain/token-id.js";
import { addressOfKey } from "./node/key.js";

/**
 * A world: the initial state of the sandbox's chain, as a JSON file or as an object in a test. Amounts are in base
 * units, in JSON as decimal text.
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

const flag = z.boolean().default(false);
const property = z.enum([
  "CanFreeze",
  "CanWipe",
  "CanPause",
  "CanMint",
  "CanBurn",
  "CanChangeOwner",
  "CanAddRoles",
  "LimitTransfer",
]);
/** What a token's issuer can do and has done, in klever-go's own names (kapps/kda.pb.go). */
export const issued = z.strictObject({
  OwnerAddress: address.optional(),
  MaxSupply: units.default(0n),
  Properties: z.partialRecord(property, z.boolean()).default({}),
  Attributes: z.strictObject({ IsPaused: flag, IsRoyaltiesChangeStopped: flag }).prefault({}),
  Roles: z
    .array(z.strictObject({ Address: address, HasRoleMint: flag, HasRoleDeposit: flag, HasRoleTransfer: flag }))
    .default([]),
  Royalties: z
    .strictObject({
      /** Bands: `Percentage` of 10000 for each of `Amount`. */
      TransferPercentage: z
        .array(z.strictObject({ Amount: units, Percentage: z.int().min(0).max(10_000) }))
        .default([]),
      TransferFixed: units.default(0n),
    })
    .prefault({}),
});
export type Issued = z.output<typeof issued>;

const token = z.strictObject({
  id: tokenId,
  name: z.string(),
  precision: z.int().min(0).max(30),
  kind: z.enum(["fungible", "semi-fungible"]),
});

/** Signers that replace an account's own key. */
const permission = z.strictObject({
  id: units.default(0n),
  threshold: units,
  signers: z.array(z.strictObject({ address, weight: units })),
});

const account = z.strictObject({
  address,
  /** The next transaction's nonce. */
  nonce: units.default(0n),
  permissions: z.array(permission).default([]),
  /** A test account's key, 64 hex digits, with which the sandbox's wallet signs. */
  privateKey: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Shown in the inspector. */
  name: z.string().optional(),
  /** Id of the account's owner in the sandbox's Telegram. */
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
  /** Absent if not issued yet. */
  lpToken: tokenId.optional(),
  /** The router's owner gets what neither the accounts nor the pair itself (1000 units) hold. */
  lpSupply: units.default(0n),
  totalFeePercent: percent.default(300),
  specialFeePercent: percent.default(50),
  state: z.enum(["Inactive", "Active", "PartialActive"]).default("Active"),
  /** The only account that may add the first liquidity and enable swaps. Absent: anyone may add, no one enable. */
  initialLiquidityAdder: address.optional(),
  /** Receives a cut of the special fee. The fee is on as soon as there is a collector or a destination. */
  feesCollector: z.strictObject({ address, cutPercentage: percent }).optional(),
  /** For each of these tokens, a slice of the special fee is swapped into it and burned. */
  feeDestinations: z.array(tokenId).default([]),
  /** Swap outputs are locked until `unlockEpoch` while the epoch is below `deadlineEpoch`. */
  lockedOutput: z.strictObject({ deadlineEpoch: epoch, unlockEpoch: epoch }).optional(),
});

const router = z.strictObject({
  address: contractAddress,
  owner: address,
  active: z.boolean().default(true),
  /** Whether anyone but the owner may create pairs. */
  pairCreationEnabled: z.boolean().default(true),
  /** Number of blocks during which only a pair's creator can issue its LP token. */
  temporaryOwnerBlocks: z.int().min(0).default(50),
  /** Cost of `issueLpToken`, in base units of the native token. The interface shows no payment there. */
  lpIssueCost: units.default(0n),
  /** Tokens that can value a user's pair. */
  commonTokens: z.array(tokenId).default([]),
  enableSwapByUser: z
    .array(z.strictObject({ commonToken: tokenId, lockedToken: tokenId, minValue: units, minPeriodEpochs: epoch }))
    .default([]),
});

/** A nonce of a semi-fungible token that represents locked tokens. */
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
  /** The block at which the world starts; `blockAtEpochStart` is the first of its epoch. Each slot has one block. */
  block: z.int().min(0).default(1000),
  blockAtEpochStart: z.int().min(0).default(1000),
  blocksPerEpoch: z.int().min(1).default(5400),
  blockMilliseconds: z.int().min(1).default(4000),
});

/** Behaviour that the reference contracts or the chain leave open. */
const options = z.strictObject({
  /** LP tokens of a first deposit: the smaller amount (mx-exchange-sc) or the product's root (Klever's event). */
  firstLiquidityRule: z.enum(["min", "sqrt"]).default("sqrt"),
  /** Whether `multiPairSwap` returns residua of zero. */
  keepZeroResidua: z.boolean().default(false),
  /** `documented`: `data.returnData`, `ok`. `node`: `data.data.returnData`, `Ok`, as klever-go nests it. */
  answerNesting: z.enum(["documented", "node"]).default("documented"),
  returnDataEncoding: z.enum(["hex", "base64"]).default("hex"),
  /** Whether the node also reports balances, which the documented interface does not mention. */
  tellsBalances: z.boolean().default(true),
  /** Whether the node tells of tokens. */
  tellsAssets: z.boolean().default(true),
  /** The account that pays for a call if neither `caller` nor a destination names one. */
  defaultCaller: address.optional(),
});

const world = z
  .strictObject({
    chain: chain.prefault({}),
    options: options.prefault({}),
    tokens: z.array(token),
    /** What issuers can do, by token; absent: nothing. */
    issued: z.record(tokenId, issued).default({}),
    accounts: z.array(account).default([]),
    router,
    referral: z.strictObject({ address: contractAddress }),
    simpleLock: z.strictObject({ address: contractAddress, lockedToken: tokenId }),
    lockedNonces: z.array(lockedNonce).default([]),
    pairs: z.array(pair).default([]),
    /** The exchange's orders, validated by the exchange. */
    orders: z.array(z.unknown()).default([]),
  })
  .superRefine((value, context) => {
    const known = new Set(value.tokens.map(({ id }) => id));
    const named = [
      ...value.accounts.flatMap(({ balances }) => Object.keys(balances).map((text) => text.split("/")[0] ?? "")),
      ...value.pairs.flatMap((each) => [each.firstToken, each.secondToken, each.lpToken ?? each.firstToken]),
      ...value.lockedNonces.flatMap((each) => [each.tokenId, each.originalTokenId]),
      ...Object.keys(value.issued),
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

/** A world before it is parsed. */
export type WorldJson = z.input<typeof world>;
/** A parsed world: amounts are bigint, addresses are checked, defaults are filled in. */
export type World = z.output<typeof world>;

/** @throws Error that lists everything wrong with the file. */
export function loadWorld(json: unknown): World {
  const result = world.safeParse(json);
  if (!result.success) throw new Error(`The world cannot be read:\n${z.prettifyError(result.error)}`);
  return result.data;
}
