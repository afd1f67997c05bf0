/** Transactions published with their hash, in the node's JSON form. */

const transferOf = (value: string) => ({
  Contract: [{ Parameter: { type_url: "type.googleapis.com/proto.TransferContract", value } }],
  KAppFee: 500_000n,
  BandwidthFee: 1_000_000n,
  Version: 1n,
  ChainID: "MTAwNDIw",
});

/** A transfer that klever-io/kos-rs signs in its tests. */
export const transfer = {
  raw: {
    Nonce: 39n,
    Sender: "5BsyOlcf2VXgnNQWYP9EZcP0RpPIfy+upKD8QIcnyOo=",
    ...transferOf("CiAysyg0Aj8xj/rr5XGU6iJ+ATI29mnRHS0W0BrC1vz0CBgK"),
  },
  hash: "1e61c51f0d230f4855dc9b8935b47b9019887baf02be75d364a4068083833c15",
};

/** A transfer from an account with two signers, from Klever's documentation. */
export const transferOfTwo = {
  raw: {
    Nonce: 4n,
    Sender: "sz5SxRSNlsIimvUyvkcUuIjfXNz1CHt1d8s07og5UtA=",
    ...transferOf("CiBSrsW33uMB+HZ7BFuEhcvcr79J5B5IhKVPhgmHPaaLQxIDS0xWGICt4gQ="),
  },
  hash: "bd51a21cb8c364f5b1cc20e44684fe1163bc0767a7051dcd34095d77d010bf5e",
};
