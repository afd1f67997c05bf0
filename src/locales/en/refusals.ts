/** The contracts' known texts (multiversx/mx-exchange-sc), each with its cause and what can be done about it. */
export const refusals: Readonly<Record<string, (slippage: string) => string>> = {
  "Slippage exceeded": (slippage) => `The price moved past your ${slippage} %. New quote?`,
  "Not enough reserve": () => "The pool holds too little for that. Try a smaller amount.",
  "Swap is not enabled": () => "Trading in this pool is switched off. Try another route.",
  "Cannot unlock yet": () => "Its epoch hasn't begun yet. /locks shows when it does.",
  "Invalid payment token": () => "This isn't a token of the lock contract. /locks lists yours.",
  "Insufficient funds": () => "The paying account holds too little. Top it up, or try less.",
  "Insufficient balance": () => "The paying account holds too little. Top it up, or try less.",
  // Of a node, where governance changed the fees after the transaction was built.
  "invalid transaction fees": () => "The network fee has risen in the meantime. Ask for a new card.",
  "Not a pair SC": () => "The router no longer lists this pool. Ask for a new card.",
  "Not active": () => "The router is paused. Try again later.",
  "Pair creation is disabled": () => "The router lets only its owner create pairs. Ask whoever runs it.",
  "Pair already exists": () => "This pair exists already. /launch picks it up if it is yours.",
  "Temporary owner differs": () => "For now only the account that created the pair may do this.",
  "Permission denied": () => "The calling account may not do this. Use the pair creator's.",
  "LP token not issued": () => "The LP token has to be issued first. See the checklist.",
  "LP token already issued": () => "The LP token is issued already. See the checklist.",
  "Initial liquidity was already added": () => "The first liquidity is there already. See the checklist.",
  "Needs to be greater than minimum liquidity": () =>
    "Too little: both amounts must be above 1000 smallest units. Put in more.",
  "Not enough value locked": () => "Too little is locked for that. Lock more LP tokens.",
  "Token not locked for long enough": () => "It isn't locked for long enough. Lock until a later epoch.",
  "Caller is not the initial liq adder": () => "Only the account that added the first liquidity may do this.",
  "Pair not in ActiveNoSwaps state": () => "Swapping is enabled already, or liquidity is missing. See the checklist.",
};

/** What ends a call other than the contract itself, by the chain's number (klever-go, transaction.proto). */
export const resultCodes: Readonly<Record<number, string>> = {
  1: "The paying account holds too little. Top it up, or try less.",
  5: "The contract isn't there. Tell the operator.",
  55: "The contract has no such function, so it isn't the one that I was set up for. Tell the operator.",
  58: "It ran out of gas: the network fee was too low for what it took. Ask for a new card, whose fee is worked out again.",
  62: "The chain's machine broke it off. Ask for a new card; if it happens again, tell the operator.",
};

/** A number that has no words of its own. */
export const resultCode = (code: number, text: string): string =>
  `The chain ended it with result code ${code}${text === "" ? "" : ` (“${text}”)`}.`;
