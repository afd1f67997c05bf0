import { createPrivateKey, sign } from "node:crypto";

/** PKCS #8 of a raw Ed25519 key (RFC 8410) up to its 32 bytes. */
const KEY_HEAD = "302e020100300506032b657004220420";

/** Signs a hash as a wallet does, with the 32 bytes of a private key. */
export function signHash(keyHex: string, hash: Uint8Array): Uint8Array {
  const key = createPrivateKey({ key: Buffer.from(KEY_HEAD + keyHex, "hex"), format: "der", type: "pkcs8" });
  return new Uint8Array(sign(null, hash, key));
}
