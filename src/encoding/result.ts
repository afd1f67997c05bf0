import * as z from "zod";
import { Fault } from "../fault.js";
import { addressFromBytes } from "./address.js";
import { isTokenId, type Payment } from "./amount.js";
import { declarationOf, type contracts, type ContractName, type FunctionName, type OutputType } from "./contracts.js";

export type ReturnDataEncoding = "hex" | "base64";

const decoders = {
  Address: addressFromBytes,
  "Option<Address>": (bytes) => {
    if (bytes.length === 0 || (bytes.length === 1 && bytes[0] === 0)) return undefined;
    if (bytes[0] !== 1) throw unreadableAnswer("an option that is neither none nor some");
    return addressFromBytes(bytes.subarray(1));
  },
  BigUint: bytesToBigUint,
  u64: (bytes) => {
    if (bytes.length > 8) throw unreadableAnswer(`a u64 of ${bytes.length} bytes`);
    return bytesToBigUint(bytes);
  },
  State: (bytes) => {
    const number = bytesToBigUint(bytes);
    const state = (["Inactive", "Active", "PartialActive"] as const).find((_, index) => BigInt(index) === number);
    if (state === undefined) throw unreadableAnswer(`no value with the number ${number}`);
    return state;
  },
  TokenIdentifier: bytesToText,
  KdaTokenPayment: (bytes) => readWhole(bytes, readPayment),
  "List<KdaTokenPayment>": (bytes) =>
    readWhole(bytes, (reader): readonly Payment[] => {
      const payments: Payment[] = [];
      while (!reader.isAtEnd()) payments.push(readPayment(reader));
      return payments;
    }),
  PairContractMetadata: (bytes) =>
    readWhole(bytes, (reader) => {
      const [firstTokenId, secondTokenId, pair] = [reader.text(), reader.text(), reader.bytes(32)];
      // One bad entry in a list must not make the others unreadable.
      const isZero = pair.every((byte) => byte === 0);
      return { firstTokenId, secondTokenId, address: isZero ? undefined : addressFromBytes(pair) };
    }),
  EnableSwapByUserConfig: (bytes) =>
    readWhole(bytes, (reader) => ({
      lockedTokenId: reader.text(),
      minLockedTokenValue: reader.bigUint(),
      minLockPeriodEpochs: reader.u64(),
    })),
} satisfies Record<OutputType, (bytes: Uint8Array) => unknown>;

type OutputValue<Type extends OutputType> = ReturnType<(typeof decoders)[Type]>;
export type PairState = OutputValue<"State">;
export type EnableSwapByUserConfig = OutputValue<"EnableSwapByUserConfig">;

export type OutputsOf<
  Contract extends ContractName,
  Name extends FunctionName<Contract>,
> = (typeof contracts)[Contract][Name] extends { variadicOutput: infer Each extends OutputType }
  ? readonly OutputValue<Each>[]
  : (typeof contracts)[Contract][Name] extends { outputs: infer Outputs extends readonly OutputType[] }
    ? { readonly [Index in keyof Outputs]: OutputValue<Outputs[Index]> }
    : never;

const textField = z.string().catch("");
const said = z.object({ returnCode: textField, returnMessage: textField, returnData: z.unknown().optional() });
const nested = z.object({ data: said }).transform(({ data }) => data);
const answerFields = z.object({
  error: z.string().nullish(),
  data: z.union([nested, said]).catch({ returnCode: "", returnMessage: "", returnData: [] }),
});

/**
 * Parses a `VMQueryResponse`, as documented (`data.returnData`) or as a real node nests it (`data.data.returnData`). A
 * non-empty `error` is a failure, whatever else is present. @throws Fault `answer-unreadable`.
 */
export function readAnswer(body: unknown) {
  const read = answerFields.safeParse(body);
  if (!read.success) throw new Fault("answer-unreadable", { reason: "no answer to a call" }, { cause: read.error });
  const { error, data } = read.data;
  const { returnCode, returnMessage } = data;
  if (!error && returnCode === "") throw unreadableAnswer("neither a return code nor an error");
  if (error || returnCode.toLowerCase() !== "ok") {
    return { ok: false, returnCode, message: returnMessage || error || returnCode, returnData: [] };
  }
  const returnData = data.returnData ?? [];
  if (!isListOfTexts(returnData)) throw unreadableAnswer("returnData is not a list of texts");
  return { ok: true, returnCode, message: "", returnData };
}

/** Not by a schema, which takes several times as long for a long list. */
const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string");

export type ContractAnswer = ReturnType<typeof readAnswer>;

/** Four times as many pairs as routes are measured with (bench/routes.ts), since anybody can create one. */
export const MAX_LISTED = 4_000;

/** @throws Fault `answer-unreadable`, also for a list of more than {@link MAX_LISTED} entries. */
export function decodeOutputs<Contract extends ContractName, Name extends FunctionName<Contract>>(
  contract: Contract,
  functionName: Name,
  returnData: readonly string[],
  encoding: ReturnDataEncoding,
): OutputsOf<Contract, Name> {
  const declaration = declarationOf(contract, functionName);
  if (declaration === undefined) throw unreadableAnswer(`no function ${functionName}`);
  const { outputs, variadicOutput } = declaration;
  if (returnData.length > MAX_LISTED) throw unreadableAnswer(`a list of ${returnData.length} entries`);
  const types = variadicOutput === undefined ? outputs : returnData.map(() => variadicOutput);
  if (returnData.length !== types.length) {
    throw unreadableAnswer(`${returnData.length} entries instead of ${types.length}`);
  }
  return types.map((type, index) => {
    const entry = returnData[index] ?? "";
    // `createPair` is documented to return hex, even on nodes that otherwise return base64. 64 hex digits decoded as
    // base64 would be 48 bytes, so an address can't be misread.
    const isHexAddress = type === "Address" && /^[0-9a-fA-F]{64}$/.test(entry);
    return decoders[type](decodeEntry(entry, isHexAddress ? "hex" : encoding));
  }) as never;
}

/** No honest entry is longer, even a list of payments. */
const MAX_ENTRY = 4_096;

/** With `hex`, also accepts base64 of 32 bytes: its final `=` isn't hex. @throws Fault `answer-unreadable`. */
export function decodeEntry(entry: string, encoding: ReturnDataEncoding): Uint8Array {
  if (entry.length > MAX_ENTRY) throw unreadableAnswer(`an entry of ${entry.length} characters`);
  if (encoding === "hex" && /^(?:[0-9a-fA-F]{2})*$/.test(entry)) return Buffer.from(entry, "hex");
  if (encoding === "base64" || /^[A-Za-z0-9+/]{43}=$/.test(entry)) {
    const bytes = Buffer.from(entry, "base64");
    if (bytes.toString("base64") === entry) return bytes;
  }
  throw unreadableAnswer(`an entry that is not ${encoding}`);
}

/** token_identifier, token_nonce, amount (klever-vm-sdk-rs `kda_token_payment.rs`); nonce 0 means fungible. */
function readPayment(reader: ByteReader): Payment {
  const tokenId = reader.text();
  const nonce = reader.u64();
  const units = reader.bigUint();
  if (!isTokenId(tokenId)) throw unreadableAnswer("a payment without a token id");
  return nonce === 0n ? { tokenId, units } : { tokenId, nonce, units };
}

function readWhole<Value>(bytes: Uint8Array, read: (reader: ByteReader) => Value): Value {
  const reader = readerOf(bytes);
  const value = read(reader);
  if (!reader.isAtEnd()) throw unreadableAnswer("input too long");
  return value;
}

type ByteReader = ReturnType<typeof readerOf>;

/** Reads the chain's nested encoding. Its methods throw Fault `answer-unreadable`. */
export function readerOf(source: Uint8Array) {
  let position = 0;
  const bytes = (count: number): Uint8Array => {
    if (position + count > source.length) throw unreadableAnswer("input too short");
    position += count;
    return source.subarray(position - count, position);
  };
  const lengthPrefixed = (): Uint8Array => bytes(Buffer.from(bytes(4)).readUInt32BE(0));
  return {
    bytes,
    u64: (): bigint => Buffer.from(bytes(8)).readBigUInt64BE(0),
    bigUint: (): bigint => bytesToBigUint(lengthPrefixed()),
    text: (): string => bytesToText(lengthPrefixed()),
    isAtEnd: (): boolean => position === source.length,
  };
}

/** Decodes an unsigned big-endian number; empty bytes are zero. @throws Fault `answer-unreadable` above 64 bytes. */
export function bytesToBigUint(bytes: Uint8Array): bigint {
  if (bytes.length > 64) throw unreadableAnswer(`a number of ${bytes.length} bytes`);
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

export function unreadableAnswer(reason: string): Fault {
  return new Fault("answer-unreadable", { reason });
}

/** Decodes printable ASCII. @throws Fault `answer-unreadable`. */
export function bytesToText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString("latin1");
  if (!/^[\x20-\x7e]*$/.test(text)) throw unreadableAnswer("text with unprintable bytes");
  return text;
}

/** Codes of `/vm/query` (klever-go vmcommon/returnCodes.go); only `VMUserError` comes from the contract itself. */
const queryResultCodes = {
  OutOfFunds: 1,
  ContractInvalid: 4,
  ContractNotFound: 5,
  VMFunctionNotFound: 55,
  VMFunctionWrongSignature: 56,
  VMUserError: 57,
  VMOutOfGas: 58,
  VMAccountCollision: 59,
  VMCallStackOverFlow: 60,
  VMExecutionPanicked: 61,
  VMExecutionFailed: 62,
  VMUpgradeFailed: 63,
  VMSimulateFailed: 64,
  KDATransferNotAllowed: 65,
  Fail: 99,
} as const;

export type Failure = ReturnType<typeof failureOf>;

/** `text` is from the contract, or from what ended the call. No `code` if the contract itself refused. */
export function failureOf(code: number | undefined, text: string): { readonly text: string; readonly code?: number } {
  return code === undefined || code === queryResultCodes.VMUserError ? { text } : { text, code };
}

export function resultCodeNamed(name: string): number | undefined {
  return Object.entries(queryResultCodes).find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];
}

/** The last bracketed part of a trace, or the one before if the VM ended the call (`[not enough gas] [swap]`). */
export function reasonIn(trace: string, functionName: string): string {
  const brackets = [...trace.matchAll(/\[([^[\]]*)\]/g)].map(([, words = ""]) => words);
  const last = brackets.at(-1);
  if (last === undefined || !trace.trimEnd().endsWith("]")) return trace.trim();
  return last === functionName ? (brackets.at(-2) ?? last) : last;
}
