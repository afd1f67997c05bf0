import { writeJson } from "./transaction.js";

/** A request that the node refuses. */
export class Refusal extends Error {
  constructor(
    text: string,
    readonly status: 400 | 500 = 400,
    readonly data: object | null = null,
  ) {
    super(text);
  }
}

/** Every answer of the node (klever-go network/api/shared `GenericAPIResponse`); a contract's refusal is one too. */
export function nodeAnswer(data: object, error = ""): Response {
  return answer(200, { data, error, code: "successful" });
}

export function refusalAnswer({ status, data, message }: Refusal): Response {
  return answer(status, { data, error: message, code: status === 400 ? "bad_request" : "internal_issue" });
}

/** For the balance of an account that has never received anything (klever-go network/api/address/routes.go). */
export function accountUnknown(): Refusal {
  return new Refusal("get balance error: account was not found", 500, { balance: 0 });
}

/** The answer of an overloaded endpoint (klever-go middleware/endpointThrottler.go). */
export function busyAnswer(endpoint: string): Response {
  return answer(429, { data: null, error: `too many requests for endpoint ${endpoint}`, code: "system_busy" });
}

function answer(status: number, body: object): Response {
  return new Response(writeJson(body), { status, headers: { "content-type": "application/json; charset=utf-8" } });
}
