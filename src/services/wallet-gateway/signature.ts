import { createPublicKey, verify } from "node:crypto";
import { addressToBytes, type Address } from "../../encoding/address.js";

/** Whether 64 bytes are the signature (Ed25519) of a hash by the key that an address is. */
export function isSignatureOf(address: Address, hash: Uint8Array, signature: Uint8Array): boolean {
  const x = Buffer.from(addressToBytes(address)).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return signature.length === 64 && verify(null, hash, key, signature);
}
