import type { WorldJson } from "./world.js";

const owner = "klv1qy352eufzqg3yyc5z5v3wxqeyqsjygeyy5nzw2pfxqcnyve5x5mqfrkqfg";

/** A world with some more tokens and their pairs, whose issuers can do what traders should know of. */
export function withIssuers(world: WorldJson): WorldJson {
  const contracts = [world.router.address, world.referral.address];
  const sells = { HasRoleTransfer: true };
  const takesBack = { ...sells, HasRoleDeposit: true };
  const roles = (addresses: readonly string[], having: object) => addresses.map((Address) => ({ Address, ...having }));
  const [moon, honey, stop, club] = [
    "klv1qqqqqqqqqqqqqpgq6vhgneplnt64p2cxvx7pwukd9zpauwv5aa9q2xn9dj",
    "klv1qqqqqqqqqqqqqpgqlpf6uztyhud8t5ptsmsne9ljfk5qxh4ez3hspgeg32",
    "klv1qqqqqqqqqqqqqpgqr4udxt5fusle4a2s4vrxr0qhwtxj3q778x2qethcrr",
    "klv1qqqqqqqqqqqqqpgqg2wls5awp9jt7xn46q4cdcfujleym2qrt6us3mt36v",
  ] as const;
  const limited = { LimitTransfer: true, CanAddRoles: true };
  const royalties = {
    TransferFixed: "3000000",
    TransferPercentage: [
      { Amount: "1000000000", Percentage: 500 },
      { Amount: "100000000000", Percentage: 200 },
    ],
  };
  const issuers = [
    [
      "MOON-4R7T",
      moon,
      { Properties: { CanWipe: true, CanBurn: true, CanPause: true, CanMint: true }, Royalties: royalties },
    ],
    ["HONEY-8K2P", honey, { Properties: limited, Roles: roles([honey, ...contracts], sells) }],
    [
      "STOP-6H3Q",
      stop,
      { Properties: { CanWipe: true, CanMint: true }, MaxSupply: "900000000000", Attributes: { IsPaused: true } },
    ],
    ["CLUB-9C4M", club, { Properties: limited, Roles: roles([club, ...contracts], takesBack) }],
  ] as const;
  return {
    ...world,
    tokens: [
      ...world.tokens,
      ...issuers.map(([id]) => ({ id, name: id.replace(/-.*/, ""), precision: 6, kind: "fungible" as const })),
    ],
    issued: Object.fromEntries(issuers.map(([id, , can]) => [id, { OwnerAddress: owner, ...can }])),
    pairs: [
      ...(world.pairs ?? []),
      ...issuers.map(([id, address]) => ({
        ...{ address, firstToken: "KLV", secondToken: id },
        ...{ reserveFirst: "8000000000000", reserveSecond: "400000000000" },
      })),
    ],
  };
}
