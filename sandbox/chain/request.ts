import * as z from "zod";
import type { Address } from "./address.js";
import { addressOf, decodeArguments, type InputValues } from "./arguments.js";
import type { Declaration } from "./declarations.js";
import { BadRequest } from "./failure.js";
import type { Payment } from "./ledger.js";
import { isTokenId } from "./token-id.js";

/** A requested contract call. */
export interface CallRequest {
  readonly contract: Address;
  readonly functionName: string;
  /** Decodes the arguments by the function's declaration. @throws CallFailure, BadRequest. */
  readonly inputs: (declaration: Declaration) => InputValues;
  readonly payments: readonly Payment[];
  /** Not a documented field, but a real node has it. */
  readonly caller?: Address;
}

const body = z.strictObject({
  scAddress: z.string(),
  funcName: z.string().min(1),
  args: z.array(z.string()).default([]),
  value: z.string().optional(),
  caller: z.string().optional(),
});

const PAYMENT = /^([A-Z0-9-]+)(?:\/([1-9][0-9]{0,19}))?=(0|[1-9][0-9]*)$/;

/** Reads the documented body strictly: unknown fields, or numbers instead of texts, are refused. @throws BadRequest. */
export function readRequest(json: unknown): CallRequest {
  const result = body.safeParse(json);
  if (!result.success) throw new BadRequest(z.prettifyError(result.error));
  const { scAddress, funcName, args, value, caller } = result.data;
  return {
    contract: addressOf(scAddress),
    functionName: funcName,
    inputs: (declaration) => decodeArguments(declaration, args),
    payments: value === undefined ? [] : value.split(",").map(readPayment),
    ...(caller !== undefined && { caller: addressOf(caller) }),
  };
}

/** `<asset_id>=<amount>`, or `<asset_id>/<nonce>=<amount>`. */
function readPayment(text: string): Payment {
  const [, tokenId = "", nonce = "0", units = "0"] = PAYMENT.exec(text) ?? [];
  if (!isTokenId(tokenId)) throw new BadRequest(`not a payment: ${text}`);
  return { tokenId, nonce: BigInt(nonce), units: BigInt(units) };
}
