import { randomBytes } from "node:crypto";

/** 16 random bytes in base64url. */
export function newId(): string {
  return randomBytes(16).toString("base64url");
}
