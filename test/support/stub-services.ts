import { startHttpStub, type Answer, type Received } from "./http-stub.js";

/** Node, quotation service and exchange in one server, each under a path of its own. Everything they get is kept. */
export interface ServicesStub {
  readonly nodeUrl: string;
  readonly quotationUrl: string;
  readonly orderUrl: string;
  readonly received: readonly Received[];
  /** What was asked at `POST /quotation`. */
  readonly quotations: () => readonly Received[];
  /** What was posted to `/vm/query` to be carried out: all but the read-only views. */
  readonly calls: () => readonly Received[];
  /** The calls that pay this, such as `KLV=100000000`. */
  readonly callsOf: (value: string) => readonly Received[];
  /** How quotations are answered; set by tests. */
  onQuotation: (request: Received) => Answer | Promise<Answer>;
  /** How contract calls are answered; set by tests. */
  onCall: (request: Received) => Answer | Promise<Answer>;
  /** How the exchange answers; set by tests. */
  onOrder: (request: Received) => Answer | Promise<Answer>;
  readonly close: () => Promise<void>;
}

/** 100 KLV give 12.345678 KFI at these, whoever asks. */
export const quoted: Answer = { body: { amountOut: "12.345678", tokenOutPrecision: 6 } };
/** 1 % of 12.345678 KFI, rounded down, and the rest. */
export const carriedOut: Answer = answered(hex(123_456n), hex(12_222_222n));

const notFound: Answer = { status: 404, body: { error: "not found" } };
/** How the names of views begin. */
const READS = /^(?:get[A-Z]|is[A-Z])/;

export async function startServicesStub(): Promise<ServicesStub> {
  const received: Received[] = [];
  const isCall = ({ path, json }: Received) => path === "/chain/vm/query" && !READS.test(String(json?.["funcName"]));
  const calls = () => received.filter(isCall);

  const server = await startHttpStub((request) => {
    received.push(request);
    if (request.path === "/quotes/quotation") return stub.onQuotation(request);
    if (isCall(request)) return stub.onCall(request);
    if (request.path === "/chain/vm/query") return refused("VMFunctionNotFound", "invalid function");
    return request.path.startsWith("/exchange/") ? stub.onOrder(request) : notFound;
  });

  const stub: ServicesStub = {
    nodeUrl: `${server.url}/chain`,
    quotationUrl: `${server.url}/quotes`,
    orderUrl: `${server.url}/exchange`,
    received,
    quotations: () => received.filter(({ path }) => path === "/quotes/quotation"),
    calls,
    callsOf: (value) => calls().filter(({ json }) => json?.["value"] === value),
    onQuotation: () => quoted,
    onCall: () => carriedOut,
    onOrder: () => notFound,
    close: server.close,
  };
  return stub;
}

/** The documented answer of a call that was carried out. */
export function answered(...returnData: readonly string[]): Answer {
  return { body: { data: { returnData, returnCode: "ok", returnMessage: "" }, error: "", code: "successful" } };
}

/** The answer of a contract that refuses. */
export function refused(returnCode: string, returnMessage: string): Answer {
  return { body: { data: { returnData: [], returnCode, returnMessage }, error: "", code: "successful" } };
}

/** Smallest units as a contract returns them: big-endian bytes, as few as will do. */
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
