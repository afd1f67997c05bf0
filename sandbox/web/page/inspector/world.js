/**
 * The chain's snapshot, as served by the sandbox. Amounts are base units as decimal text.
 *
 * @typedef {{ id: string, name: string, precision: number, kind: string }} Token
 * @typedef {{
 *   address: string, name: string, telegramId?: number, isContract: boolean, balances: Record<string, string>,
 * }} Account
 * @typedef {{
 *   address: string, firstToken: string, secondToken: string, reserveFirst: string, reserveSecond: string,
 *   lpToken?: string, lpSupply: string, totalFeePercent: string, state: string,
 * }} Pool
 * @typedef {{
 *   hash: string, sender: string, nonce: string, call: string, fee: string, block?: number, failure?: string,
 * }} Transaction
 * @typedef {{
 *   transactions: Transaction[], alteration?: string, losesBroadcasts?: boolean, raisesFees?: boolean, isNotReady?: boolean, runsOutOfGas?: boolean, alterations: string[],
 *   walletMode: string, walletModes: string[], walletShape: string, walletShapes: string[], walletAccount: string, walletAccounts: string[],
 *   blockFault?: string, blockFaults: string[],
 * }} RealNode only if the sandbox was started with a wallet
 * @typedef {{
 *   epoch: number, block: number, nextEpochInMilliseconds: number, tokens: Token[], accounts: Account[], pools: Pool[],
 *   locked: Record<string, { asset: string, unlockEpoch: string }>, ahead: number, isKept: boolean, node?: RealNode,
 * }} World
 */
export {};
