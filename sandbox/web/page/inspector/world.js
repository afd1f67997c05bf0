/**
 * The snapshot of the chain as the sandbox serves it. Amounts are smallest units as decimal text.
 *
 * @typedef {{ id: string, name: string, precision: number, kind: string }} Token
 * @typedef {{ address: string, name?: string, balances: Record<string, string> }} Account
 * @typedef {{
 *   address: string, firstToken: string, secondToken: string, reserveFirst: string, reserveSecond: string,
 *   lpToken?: string, lpSupply: string, totalFeePercent: number, state: string,
 * }} Pair
 * @typedef {{
 *   epoch: number, block: number, tokens: Token[], accounts: Account[], pairs: Pair[],
 *   contracts: Record<string, string>, options?: Record<string, unknown>,
 * }} World
 */
export {};
