/**
 * A second implementation of the chain's nested encoding (klever-docs, "Nested encoding"), for tests only: it writes
 * hexadecimal text, whereas the reader under test works on bytes.
 */
export const nested = {
  u64: (value: bigint): string => value.toString(16).padStart(16, "0"),
  text: (value: string): string =>
    prefixed(value.replace(/[^]/g, (c) => c.charCodeAt(0).toString(16).padStart(2, "0"))),
  bigUint: (value: bigint): string => {
    const digits = value === 0n ? "" : value.toString(16);
    return prefixed(digits.length % 2 === 0 ? digits : `0${digits}`);
  },
  payment: (payment: { tokenId: string; nonce?: bigint; units: bigint }): string =>
    nested.text(payment.tokenId) + nested.u64(payment.nonce ?? 0n) + nested.bigUint(payment.units),
};

function prefixed(hex: string): string {
  return (hex.length / 2).toString(16).padStart(8, "0") + hex;
}
