import { startHttpStub, type Answer, type Received } from "./http-stub.js";

type Answering = (request: Received) => Answer | Promise<Answer>;

/** 12.345678 KFI, for any request. */
export const quoted: Answer = { body: { amountOut: "12.345678", tokenOutPrecision: 6 } };
/** The bot fee, 1 % of 12.345678 KFI rounded down, and the rest. */
export const carriedOut: Answer = answered(hex(123_456n), hex(12_222_222n));

const notFound: Answer = { status: 404, body: { error: "not found" } };
/** Matches names of views. */
const READS = /^(?:get[A-Z]|is[A-Z])/;

/** Node, quotation service and exchange in one server, each under its own path. Records all requests. */
export async function startServicesStub() {
  const received: Received[] = [];
  /** The answer of each service; set by tests. */
  const answers: Record<"onQuotation" | "onCall" | "onOrder", Answering> = {
    onQuotation: () => quoted,
    onCall: () => carriedOut,
    onOrder: () => notFound,
  };
  const isCall = ({ path, json }: Received) => path === "/chain/vm/query" && !READS.test(String(json?.["funcName"]));
  const calls = () => received.filter(isCall);

  const server = await startHttpStub((request) => {
    received.push(request);
    if (request.path === "/quotes/quotation") return answers.onQuotation(request);
    if (isCall(request)) return answers.onCall(request);
    if (request.path === "/chain/vm/query") return refused("VMFunctionNotFound", "invalid function");
    if (request.path.startsWith("/chain/asset/")) return plainAsset(request.path);
    return request.path.startsWith("/exchange/") ? answers.onOrder(request) : notFound;
  });

  return Object.assign(answers, {
    nodeUrl: `${server.url}/chain`,
    quotationUrl: `${server.url}/quotes`,
    orderUrl: `${server.url}/exchange`,
    received,
    /** Requests to `POST /quotation`. */
    quotations: () => received.filter(({ path }) => path === "/quotes/quotation"),
    /** Calls: requests to `/vm/query` other than read-only views. */
    calls,
    /** Calls with this payment, such as `KLV=100000000`. */
    callsOf: (value: string) => calls().filter(({ json }) => json?.["value"] === value),
    close: server.close,
  });
}

/** A token whose issuer can do nothing, as klever-go writes it. */
function plainAsset(path: string): Answer {
  const id = Buffer.from(path.replace("/chain/asset/", "")).toString("base64");
  return { body: { data: { asset: { ID: id, Precision: 6 } }, error: "", code: "successful" } };
}

/** The documented answer to a call that was executed. */
export function answered(...returnData: readonly string[]): Answer {
  return { body: { data: { returnData, returnCode: "ok", returnMessage: "" }, error: "", code: "successful" } };
}

/** The answer of a contract that refuses a call. */
export function refused(returnCode: string, returnMessage: string): Answer {
  return { body: { data: { returnData: [], returnCode, returnMessage }, error: "", code: "successful" } };
}

/** Base units as a contract returns them: big-endian, in as few bytes as possible. */
function bytes(units: bigint): Buffer {
  const digits = units === 0n ? "" : units.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
}

export function hex(units: bigint): string {
  return bytes(units).toString("hex");
}

export function base64(units: bigint): string {
  return bytes(units).toString("base64");
}
