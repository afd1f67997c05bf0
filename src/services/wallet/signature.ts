import { createPublicKey, verify } from "node:crypto";
import { addressToBytes, type Address } from "../../encoding/address.js";

/** Whether 64 bytes are the signature (Ed25519) of a hash by the key that an address is; both are given in hex. */
export function isSignatureOf(address: Address, hash: string, signature: string): boolean {
  if (!/^[0-9a-f]{128}$/i.test(signature)) return false;
  const x = Buffer.from(addressToBytes(address)).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, Buffer.from(hash, "hex"), key, Buffer.from(signature, "hex"));
}
