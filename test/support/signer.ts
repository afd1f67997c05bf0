import { createPrivateKey, sign } from "node:crypto";

/** What precedes the 32 bytes of a raw Ed25519 key in PKCS #8 (RFC 8410). */
const KEY_HEAD = "302e020100300506032b657004220420";

/** Signs a hash as a wallet does. @param keyHex the 32 bytes of a private key. */
export function signHash(keyHex: string, hash: Uint8Array): Uint8Array {
  const key = createPrivateKey({ key: Buffer.from(KEY_HEAD + keyHex, "hex"), format: "der", type: "pkcs8" });
  return new Uint8Array(sign(null, hash, key));
}
