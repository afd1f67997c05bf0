import { createPrivateKey, createPublicKey, sign as signWith, verify as verifyWith, type KeyObject } from "node:crypto";
import { bytesOf, textOf, type Address } from "../chain/address.js";

/** The PKCS #8 header before the 32 bytes of an Ed25519 key (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** Cached, since OpenSSL takes half a millisecond to read a key; there are few. */
const keyObjects = new Map<string, KeyObject>();
const addresses = new Map<string, Address>();

/** The account of a private key of 64 hex digits. */
export function addressOfKey(privateKey: string): Address {
  const known = addresses.get(privateKey);
  if (known !== undefined) return known;
  const { x = "" } = createPublicKey(keyObject(privateKey)).export({ format: "jwk" });
  const address = textOf(Buffer.from(x, "base64url"));
  addresses.set(privateKey, address);
  return address;
}

export function sign(privateKey: string, hash: Buffer): Buffer {
  return signWith(null, hash, keyObject(privateKey));
}

/** Whether this account's key made the signature. */
export function isSignedBy(account: Address, hash: Buffer, signature: Buffer): boolean {
  const x = bytesOf(account).toString("base64url");
  return verifyWith(null, hash, createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }), signature);
}

function keyObject(privateKey: string): KeyObject {
  const known = keyObjects.get(privateKey);
  if (known !== undefined) return known;
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, Buffer.from(privateKey, "hex")]),
    format: "der",
    type: "pkcs8",
  });
  keyObjects.set(privateKey, key);
  return key;
}
