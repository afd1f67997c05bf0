export type Codes<List extends string> = List extends `${infer Code} ${infer Others}` ? Code | Codes<Others> : List;
type Carrying<Parameters, Lists extends string> = Record<Codes<Lists>, Parameters>;

/**
 * Parameters of each fault code; codes that share the same ones come first. The code selects the user's sentence (in
 * `locales/`), the parameters fill it in. They are shown and logged: never put a token, key or secret into one.
 */
export interface FaultParameters
  extends Carrying<
      { text: string },
      | "address-invalid address-is-contract address-not-contract amount-not-a-number amount-negative"
      | "amount-exponent amount-hex amount-too-large asset-invalid node-refused unlock-time-invalid"
      | "unlock-time-past locked-token-invalid lp-name-invalid lp-ticker-invalid contract-failed view-missing"
      | "order-id-invalid alert-percent alert-too-long share-too-large standing-past standing-times standing-span"
      | "standing-time standing-zone standing-far standing-begins standing-twice watch-only-named link-named exit-percent"
    >,
    Carrying<
      Record<string, never>,
      | "address-zero amount-empty amount-zero wallet-missing contract-changed frozen limit-unreadable"
      | "balances-untold account-permissions wallet-changed nonce-used signing-declined price-moved sent-too-late"
      | "transaction-replaced chain-mismatch router-mismatch lock-mismatch pools-unknown epoch-length-unknown launch-unknown"
      | "launch-step-not-due quote-unreadable alert-without-token alert-without-price alert-price-zero"
      | "alert-unclear store-slow text-nul standing-bot-full standing-price-back standing-over standing-busy"
      | "standing-paused standing-met standing-price-zero watch-only-own forgotten blocks-closed exit-shares"
    >,
    Carrying<
      { token: string },
      "tokens-identical token-unlisted token-precision-unknown token-not-swappable balance-empty token-not-lockable quote-zero exit-exists"
    >,
    Carrying<
      { reason: string },
      "token-list-invalid trading-paused answer-unreadable pools-file-invalid order-refused database-unusable"
    >,
    Carrying<
      { maximum: number },
      | "limits-full route-too-long locks-full launches-full watches-full alerts-full standing-full trade-watches-full"
      | "watch-only-full watch-only-name link-full link-name"
    >,
    Carrying<{ from: string; to: string }, "route-none pair-unknown pair-inactive pair-empty pool-none quote-none">,
    Carrying<{ service: ServiceName }, "service-unreachable service-timeout service-unauthorized">,
    Carrying<{ directory: string }, "store-locked store-lost store-not-empty">,
    Carrying<{ document: string }, "store-unreadable store-newer store-read-failed store-write-failed"> {
  "address-wrong-chain": { text: string; prefix: string };
  "amount-comma": { text: string; meant: readonly string[] };
  /** Either an amount or a share of what the user holds. */
  "amount-unclear": { text: string; asked: string; share: string };
  /** A town that several countries have; `meant`: the zone of each. */
  "standing-town": { text: string; meant: readonly string[] };
  "trade-unclear": { choices: readonly { readonly label: string; readonly command: string }[] };
  /** `text`: the line that names another account; `meant`: the same without it. */
  "payout-own": { text: string; meant: readonly string[] };
  "amount-too-many-decimals": { text: string; token: string; precision: number };
  /** `ids`: tokens that `text` resembles. */
  "token-unknown": { text: string; ids: readonly string[] };
  "token-ambiguous": { text: string; ids: readonly string[] };
  /** On the chain. */
  "token-nonexistent": { token: string; ids: readonly string[] };
  /** `pair`, by its tokens: one that gives the token out and doesn't take it back; one that it never gets to. */
  "token-one-way": { token: string; pair: string; address: string };
  "token-limited": { token: string; pair: string; address: string };
  "token-unsellable": { token: string; from: string; to: string };
  "token-royalty": { token: string; fee: string };
  "token-stuck": { token: string; from: string; to: string };
  "assets-untold": { status: number };
  "value-out-of-range": { name: string; type: string; value: string };
  "percentage-out-of-range": { percentage: number; minimum: number; maximum: number };
  "slippage-out-of-range": { bps: number; maximum: number };
  /** `fields`: those of the interface that say something that isn't read. */
  "order-unreadable": { fields: string };
  "arguments-invalid": { function: string; reason: string };
  "transaction-altered": { field: string };
  "network-fee-too-high": { fee: string; maximum: string };
  "funds-missing": { token: string; needed?: string };
  "limit-per-transaction": { asked: string; most: string; token: string };
  /** `text`: the line that says so; `meant`: what it probably means. */
  "limit-day-below": { text: string; meant: readonly string[]; perTransaction: string; perDay: string; token: string };
  "limit-per-day": { asked: string; most: string; left: string; token: string };
  "balance-too-small": { held: string; needed: string; token: string };
  "account-unknown": { address: string };
  /** `paid`: what the pending transaction pays; empty if unknown. */
  "wallet-busy": { paid: string };
  "payment-order": { first: string; second: string };
  "royalties-unsigned": { token: string };
  "route-too-expensive": { token: string; needed: string; paid: string };
  "unlock-time-ambiguous": { digits: string; date: string };
  /** `text`: the number as it was typed, which could be days. */
  "unlock-epoch-past": { text: string; epoch: string };
  "unlock-time-months": { text: string; days: string };
  "lock-too-long": { epoch: string; years: string; maximum: string };
  "locked-token-foreign": { text: string; lockedToken: string };
  "pair-exists": { pair: string };
  "liquidity-too-small": { minimum: string };
  "service-status": { service: ServiceName; status: number };
  "service-rate-limited": { service: ServiceName; retryAfterSeconds: number };
  "too-often": { retryAfterSeconds: number };
  /** Something other than the contract ended a call; `code` is the chain's result code. */
  "call-ended": { text: string; code: number };
  "order-not-found": { id: string };
  /** `text`: the price as it was typed. */
  "alert-without-direction": { text: string; price: string };
  /** `line`: the same alert for the larger amount. */
  "alert-too-fine": { amount: string; larger: string; token: string; line: string };
  "store-damaged": { file: string; reason: string };
  "store-unmigrated": { document: string; reason: string };
  "file-exists": { file: string };
}

/** External services that the bot depends on, as named in logs. */
export type ServiceName = "node" | "quotation" | "exchange" | "telegram";

export type FaultCode = keyof FaultParameters;

/** Faults of a service that is down or too busy. */
export const OUTAGES = ["service-unreachable", "service-timeout", "service-status", "service-rate-limited"] as const;

/**
 * Swapdesk's only error type: a code to branch on, parameters for the sentence, and a cause for the log.
 * The message is for logs only; users read the sentence for the code in `locales/`.
 */
export class Fault<Code extends FaultCode = FaultCode> extends Error {
  override readonly name = "Fault";

  constructor(
    readonly code: Code,
    readonly parameters: FaultParameters[Code],
    options?: ErrorOptions,
  ) {
    super(`${code} ${JSON.stringify(parameters)}`, options);
  }
}

/** Returns the value of `read`, or undefined if it throws a Fault, which is passed to `onFault`. */
export async function unlessFault<Value>(read: () => Promise<Value>, onFault?: (fault: Fault) => void) {
  try {
    return await read();
  } catch (error) {
    if (!isFault(error)) throw error;
    onFault?.(error);
    return undefined;
  }
}

/** Like {@link unlessFault}, but synchronous. */
export function unlessFaultSync<Value>(read: () => Value, onFault?: (fault: Fault) => void): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!isFault(error)) throw error;
    onFault?.(error);
    return undefined;
  }
}

/** Whether `error` is a Fault and, if codes are given, has one of them. */
export function isFault<Code extends FaultCode>(error: unknown, ...codes: Code[]): error is Fault<Code> {
  return error instanceof Fault && (codes.length === 0 || (codes as readonly string[]).includes(String(error.code)));
}

/** Returns the error's code, such as ECONNREFUSED, or else its name; a fault's code with its parameters. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (isFault(error)) return error.message;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
