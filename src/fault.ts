/**
 * What each fault code carries. The code finds the sentence for the person (`locales/`), the parameters fill it.
 * Parameters are shown to people and written to logs: never put a token, key or secret into one.
 */
export interface FaultParameters {
  // Text that a person typed
  "address-invalid": { text: string };
  "address-wrong-chain": { text: string; prefix: string };
  "address-zero": Record<string, never>;
  "address-is-contract": { text: string };
  "address-not-contract": { text: string };
  "amount-empty": Record<string, never>;
  "amount-not-a-number": { text: string };
  "amount-negative": { text: string };
  "amount-exponent": { text: string };
  "amount-hex": { text: string };
  "amount-comma": { text: string; meant: readonly string[] };
  "amount-zero": Record<string, never>;
  "amount-too-many-decimals": { text: string; token: string; precision: number };
  "amount-too-large": { text: string };
  "asset-invalid": { text: string };
  /** `ids`: what it may mean, by the look of it. */
  "token-unknown": { text: string; ids: readonly string[] };
  "token-ambiguous": { text: string; ids: readonly string[] };
  "tokens-identical": { token: string };
  "token-precision-unknown": { token: string };
  "token-not-swappable": { token: string };
  "token-list-invalid": { reason: string };
  // A person's own settings
  "wallet-missing": Record<string, never>;
  "contract-changed": Record<string, never>;
  frozen: Record<string, never>;
  "trading-paused": { reason: string };
  // Values that a program built wrongly, or that a service answered
  "value-out-of-range": { name: string; type: string; value: string };
  "percentage-out-of-range": { percentage: number; minimum: number; maximum: number };
  "slippage-out-of-range": { bps: number; maximum: number };
  "arguments-invalid": { function: string; reason: string };
  "answer-unreadable": { reason: string };
  // A transaction that the node built, and the account that is to sign it
  "transaction-altered": { field: string };
  "network-fee-too-high": { fee: string; maximum: string };
  "funds-missing": { token: string; needed?: string };
  "limit-per-transaction": { asked: string; most: string; token: string };
  "limit-per-day": { asked: string; most: string; left: string; token: string };
  "limit-unreadable": Record<string, never>;
  "limits-full": { maximum: number };
  "balances-untold": Record<string, never>;
  "balance-empty": { token: string };
  "balance-too-small": { held: string; needed: string; token: string };
  "account-unknown": { address: string };
  "account-permissions": Record<string, never>;
  /** `paid`: what the transaction pays that is waited for; empty where that is not known. */
  "wallet-busy": { paid: string };
  "wallet-changed": Record<string, never>;
  "nonce-used": Record<string, never>;
  "signing-declined": Record<string, never>;
  "price-moved": Record<string, never>;
  "sent-too-late": Record<string, never>;
  "transaction-replaced": Record<string, never>;
  "payment-order": { first: string; second: string };
  "node-refused": { text: string };
  "chain-mismatch": Record<string, never>;
  // Routes
  "route-none": { from: string; to: string };
  "route-too-long": { maximum: number };
  "pair-unknown": { from: string; to: string };
  "pair-inactive": { from: string; to: string };
  "pair-empty": { from: string; to: string };
  "route-too-expensive": { token: string; needed: string; paid: string };
  "router-mismatch": Record<string, never>;
  "pools-unknown": Record<string, never>;
  "pools-file-invalid": { reason: string };
  // Locks
  "token-not-lockable": { token: string };
  "unlock-time-invalid": { text: string };
  "unlock-time-past": { text: string };
  "unlock-time-ambiguous": { digits: string; date: string };
  "lock-too-long": { epoch: string; years: string; maximum: string };
  "epoch-length-unknown": Record<string, never>;
  "locks-full": { maximum: number };
  "locked-token-invalid": { text: string };
  "locked-token-foreign": { text: string; lockedToken: string };
  // Launches
  "pair-exists": { pair: string };
  "lp-name-invalid": { text: string };
  "lp-ticker-invalid": { text: string };
  "liquidity-too-small": { minimum: string };
  "launches-full": { maximum: number };
  "launch-unknown": Record<string, never>;
  "launch-step-not-due": Record<string, never>;
  // Services
  "service-unreachable": { service: ServiceName };
  "service-timeout": { service: ServiceName };
  "service-status": { service: ServiceName; status: number };
  "service-rate-limited": { service: ServiceName; retryAfterSeconds: number };
  "service-unauthorized": { service: ServiceName };
  "too-often": { retryAfterSeconds: number };
  "quote-none": { from: string; to: string };
  "quote-unreadable": Record<string, never>;
  "quote-zero": { token: string };
  "contract-failed": { text: string };
  /** Something else than the contract ended a call; `code` is the chain's number of it. */
  "call-ended": { text: string; code: number };
  "view-missing": { text: string };
  // Orders
  "order-id-invalid": { text: string };
  "order-not-found": { id: string };
  "order-refused": { reason: string };
  "watches-full": { maximum: number };
  // Price alerts
  "alert-without-token": Record<string, never>;
  "alert-without-direction": { price: string };
  "alert-without-price": Record<string, never>;
  "alert-price-zero": Record<string, never>;
  "alert-unclear": Record<string, never>;
  "alert-percent": { text: string };
  "alert-too-long": { text: string };
  "alerts-full": { maximum: number };
  // Store
  "store-locked": { directory: string };
  "store-unreadable": { document: string };
  "store-lost": { directory: string };
  "store-newer": { document: string };
  "store-read-failed": { document: string };
  "store-write-failed": { document: string };
  "database-unusable": { reason: string };
  "store-slow": Record<string, never>;
  "store-damaged": { file: string; reason: string };
  "store-not-empty": { directory: string };
}

/** The outside services that the bot depends on, as they are named to people and in logs. */
export type ServiceName = "node" | "quotation" | "exchange" | "telegram";

export type FaultCode = keyof FaultParameters;

/** What a service that is away, or too busy, fails with. */
export const SERVICE_AWAY = [
  "service-unreachable",
  "service-timeout",
  "service-status",
  "service-rate-limited",
] as const;

/**
 * The one error type of Swapdesk: a code to decide on, parameters for the sentence, and a cause for the log.
 * The message is for logs only; what a person reads comes from `locales/` by code.
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

/** What `read` gives, or undefined where it throws a fault, of which `onFault` hears. */
export async function unlessFault<Value>(
  read: () => Promise<Value>,
  onFault: (fault: Fault) => void = () => undefined,
): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isFault(error)) throw error;
    onFault(error);
    return undefined;
  }
}

/** Whether `error` is a fault, and, where codes are named, one of those. */
export function isFault<Code extends FaultCode>(error: unknown, ...codes: Code[]): error is Fault<Code> {
  return error instanceof Fault && (codes.length === 0 || (codes as readonly string[]).includes(String(error.code)));
}
