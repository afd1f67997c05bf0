import type { FaultCode, FaultParameters, ServiceName } from "../../fault.js";

/** The contracts' known texts (multiversx/mx-exchange-sc), each with its cause and what can be done about it. */
export const refusals: Readonly<Record<string, (slippage: string) => string>> = {
  "Slippage exceeded": (slippage) => `The price moved past your ${slippage}. New quote?`,
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

export const services: Record<ServiceName, string> = {
  node: "the chain's node",
  quotation: "the quotation service",
  exchange: "the exchange",
  telegram: "Telegram",
};

/** For each fault a sentence that says what is wrong and what to do next. */
export const faults: { readonly [Code in FaultCode]: (parameters: FaultParameters[Code]) => string } = {
  "address-invalid": ({ text }) =>
    `“${text}” is not a valid address: a letter may be wrong or missing. Copy the whole klv1… address from your wallet and send it again.`,
  "address-wrong-chain": ({ prefix }) =>
    `This address belongs to another chain (it begins with “${prefix}”). Send one that begins with klv1.`,
  "address-zero": () => "This is the zero address: whatever is sent there is lost. Send your own klv1… address.",
  "address-is-contract": () =>
    "This is a contract's address, and tokens sent there could be lost. Send the address of your own wallet.",
  "address-not-contract": ({ text }) => `${text} is not a contract's address. Check it and send it again.`,
  "amount-empty": () => "The amount is missing. Send a number such as 100 or 12.5, or a share: 50%, half, max.",
  "amount-not-a-number": ({ text }) =>
    `“${text}” is not an amount. Send a number such as 100 or 12.5, or a share: 50%, half, max.`,
  "amount-negative": ({ text }) => `“${text}” is negative. Send a number above zero.`,
  "amount-exponent": ({ text }) => `“${text}” is written with an exponent. Write the number out, such as 1000000.`,
  "amount-hex": ({ text }) => `“${text}” is a hexadecimal number. Write it in ordinary digits, such as 100.`,
  "amount-comma": ({ text, meant: [first, second] }) =>
    first === undefined
      ? `“${text}” has a comma where I can't place it. Use a point for decimals and nothing between thousands: 1234.5.`
      : second === undefined
        ? `I read a point before decimals, not a comma. Do you mean ${first}?`
        : `A comma or a point there can mean two things. Do you mean ${first} or ${second}?`,
  "amount-zero": () => "The amount is zero. Send a number above zero.",
  "amount-too-many-decimals": ({ token, precision }) =>
    precision === 0
      ? `${token} has no decimals. Send a whole number.`
      : `${token} has at most ${precision} decimals. Shorten the amount and send it again.`,
  "amount-too-large": ({ text }) => `“${text}” is larger than any supply. Send a smaller amount.`,
  "asset-invalid": ({ text }) => `“${text}” is not a token id. Ids look like KLV, KFI or DVK-34ZH.`,
  "token-unknown": ({ text, ids }) =>
    ids.length === 0
      ? `I don't know the token “${text}”. Choose one from the list, or send its exact id.`
      : `I don't know the token “${text}”. Did you mean ${ids.join(" or ")}?`,
  "token-ambiguous": ({ text, ids }) => `Several tokens are called “${text}”: ${ids.join(", ")}. Send the exact id.`,
  "tokens-identical": ({ token }) => `Both sides are ${token}. Choose two different tokens.`,
  "token-precision-unknown": ({ token }) =>
    `Nobody has told me how many decimals ${token} has, so I can't work out amounts safely. Ask the operator to add it to the token list.`,
  "token-not-swappable": ({ token }) =>
    `${token} is not an ordinary token, so it can't be swapped or locked. Choose another one from the list.`,
  "token-list-invalid": ({ reason }) => `The token list can't be used: ${reason}.`,
  "wallet-missing": () => "I don't know where your tokens should go. Set your address first: /wallet klv1…",
  "contract-changed": () =>
    "This card is for a contract that this bot no longer uses, so nothing was sent. Ask for a new card.",
  "trading-paused": ({ reason }) => `Trading is paused, so nothing was sent. The operator says: ${reason}`,
  frozen: () => "Your account is frozen, so nothing was sent. Send /unfreeze to go on.",
  "value-out-of-range": ({ name, value }) => `${value} is out of range for ${name}. Nothing was sent.`,
  "percentage-out-of-range": ({ minimum, maximum }) =>
    `The referral percentage must be between ${minimum} and ${maximum} (base 100000). Nothing was sent; tell the operator.`,
  "slippage-out-of-range": ({ maximum }) =>
    `Slippage must be between 0% and ${maximum / 100}%. Change it in /settings.`,
  "arguments-invalid": ({ reason }) => `The call could not be built (${reason}). Nothing was sent.`,
  "answer-unreadable": () => "The answer came in a form I don't understand, so I can't say what it means.",
  "transaction-altered": ({ field }) =>
    `The transaction that the node built differs from your card (${field}), so I won't offer it for signing. Nothing was sent. Tell the operator.`,
  "network-fee-too-high": ({ fee, maximum }) =>
    `The network fee would be ${fee} KLV, above the limit of ${maximum} KLV that the operator has set. Nothing was sent.`,
  "funds-missing": ({ token, needed }) =>
    needed === undefined
      ? `Your wallet holds too little ${token} for this. Nothing was sent.`
      : `Your wallet holds too little ${token}: the amount and the network fee together take ${needed} ${token}. Nothing was sent.`,
  "limit-in-one-swap": ({ most, token }) =>
    `Your own limit is ${most} ${token} at a time, so nothing was sent. Ask for less, or see /security.`,
  "limit-in-a-day": ({ most, left, token }) =>
    `Your own limit is ${most} ${token} a day, and ${left} ${token} is left today, so nothing was sent. See /security.`,
  "limit-unreadable": () =>
    "I can't read this. Send the token, the most at a time and the most in a day, such as KLV 100 / 500; a dash means no limit.",
  "limits-full": ({ maximum }) => `You can have ${maximum} limits at most. Remove one first, as in KLV - / -.`,
  "balances-untold": () =>
    "The node I use doesn't report balances, so I can't show them or work out percentages. Type the amount.",
  "balance-empty": ({ token }) => `You have no ${token} to spend. /balance shows what you hold.`,
  "balance-too-small": ({ held, needed, token }) =>
    `Not enough: this takes ${needed} ${token}, but you hold ${held} ${token}. Nothing was sent.`,
  "account-unknown": ({ address }) =>
    `The chain doesn't know the account ${address} yet. Send some KLV there first, or set another address with /wallet.`,
  "account-permissions": () =>
    "Your account needs signatures other than its own key's (several signers, perhaps), which I can't collect yet. Use another account.",
  "wallet-busy": ({ paid }) =>
    `${paid === "" ? "Another transaction from your address" : `Your transaction that pays ${paid}`} is still pending. Try again once it is done.`,
  "wallet-changed": () => "Your payout address has changed in the meantime, so nothing was sent. Ask for a new card.",
  "nonce-used": () =>
    "Your account has sent another transaction in the meantime, so I haven't sent this one. Ask for a new card.",
  "signing-declined": () => "You declined it on the signing page. Nothing was sent.",
  "price-moved": () =>
    "The price moved past your minimum before it could be sent, so nothing was sent. Ask for a new card.",
  "sent-too-late": () => "It couldn't be sent in time, so nothing was sent. Ask for a new card.",
  "transaction-replaced": () =>
    "Another transaction from your account took its place on the chain, so this one was never carried out and never will be.",
  "payment-order": ({ first, second }) =>
    `The pair wants ${first} before ${second}, and the chain passes payments on in alphabetical order. Nobody knows yet whether the pair accepts that, so I won't send it. Launch it the other way round: /launch ${second} ${first}`,
  "node-refused": ({ text }) => `The node refused: “${text}”. Nothing was sent.`,
  "chain-mismatch": () =>
    "The node is on a different chain from the one this bot is set up for. Nothing will be traded until the operator has looked into it.",
  "service-unreachable": ({ service }) => `I can't reach ${services[service]} right now. Try again in a moment.`,
  "service-timeout": ({ service }) => `No answer came from ${services[service]} in time. Try again in a moment.`,
  "service-status": ({ service, status }) =>
    `I got an error from ${services[service]} (${status}). Try again in a moment.`,
  "service-rate-limited": ({ service, retryAfterSeconds }) =>
    `Too many requests to ${services[service]}. Try again in ${retryAfterSeconds} s.`,
  "too-often": ({ retryAfterSeconds }) => `You are doing that too often. Try again in ${retryAfterSeconds} s.`,
  "service-unauthorized": ({ service }) => `I was refused access to ${services[service]}. Tell the operator.`,
  "quote-none": ({ from, to }) =>
    `The quotation service has no route from ${from} to ${to}. Choose other tokens, or try /multihop, which looks for longer routes.`,
  "quote-unreadable": () =>
    "The quotation service answered in a form I don't understand, so nothing can be traded. Try again later.",
  "quote-zero": ({ token }) => `The quote for this amount is zero ${token}. Try a larger amount.`,
  "contract-failed": ({ text }) => `The contract refused: “${text}”.`,
  "call-ended": ({ text, code }) => resultCodes[code] ?? resultCode(code, text),
  "view-missing": ({ text }) => `There is no such contract, or it can't be asked this: “${text}”.`,
  "order-id-invalid": ({ text }) =>
    `“${text}” is not an order id. One looks like 1989652f-be77-4179-924e-b71c03a4198a; copy it whole from the exchange.`,
  "order-not-found": ({ id }) =>
    `The exchange has no order ${id}. Check the id; a new order can take a moment to appear.`,
  "order-refused": ({ reason }) => `The exchange refused to show this order${reason === "" ? "" : ` (“${reason}”)`}.`,
  "watches-full": ({ maximum }) =>
    `You are already watching ${maximum} orders, the most I can follow. Unwatch one in /orders first.`,
  "store-locked": () => "Another copy of this bot is already running.",
  "store-unreadable": () =>
    "Your saved data can't be read, so I won't touch it, and nothing of yours is traded. Tell the operator.",
  "store-lost": () => "My disk failed, and I have to restart. Look at /history before you try again.",
  "store-newer": () => "A newer version of this bot saved your data, so I won't touch it. Tell the operator.",
  "store-read-failed": () =>
    "I can't read your saved data right now. Try again; if it keeps happening, tell the operator.",
  "store-write-failed": () =>
    "I couldn't save this, so I did nothing. Try again; if it keeps happening, tell the operator.",
  "database-unusable": ({ reason }) => `The database can't be used: ${reason}.`,
  "store-slow": () => "My disk was too slow to write this down in time, so nothing was sent. Try again in a moment.",
  "store-damaged": ({ file, reason }) =>
    `${file} is damaged (${reason}), and nothing in it was changed. The operator can restore a back-up.`,
  "store-not-empty": ({ directory }) => `There is a store in ${directory} already. Name an empty folder in STORE_DIR.`,
  "token-not-lockable": ({ token }) => `${token} is already a locked token. Lock the token itself.`,
  "unlock-time-invalid": ({ text }) =>
    `“${text}” is not an unlock time. Send an epoch (5500), a date (2026-12-31) or a duration (12h, 30d, 4w).`,
  "unlock-time-past": ({ text }) => `“${text}” is not in the future any more. Until when should they be locked?`,
  "unlock-time-ambiguous": ({ digits, date }) =>
    `Do you mean the date ${date}? Then send it like that, with hyphens. If you really mean epoch number ${digits}, send #${digits}.`,
  "lock-too-long": ({ epoch, years, maximum }) =>
    `Epoch ${epoch} is about ${years} years away, and nobody could take the tokens back before then, so I lock for ${maximum} years at most. Send an epoch (5500), a date (2026-12-31) or a duration (12h, 30d, 4w).`,
  "epoch-length-unknown": () =>
    "The node doesn't say how long an epoch lasts, so I can't turn a date into an epoch. Send the epoch itself, such as 5500.",
  "locks-full": ({ maximum }) =>
    `You have ${maximum} locks, the most I keep track of. Unlock one that is due in /locks first.`,
  "locked-token-invalid": ({ text }) =>
    `“${text}” is not a locked token. Its id has a number after a slash, such as LKTOK-1A2B/7; /locks lists yours.`,
  "locked-token-foreign": ({ text, lockedToken }) =>
    `${text} does not come from the lock contract, whose locked tokens are called ${lockedToken} and carry a number, such as ${lockedToken}/7. /locks lists yours.`,
  "route-none": ({ from, to }) =>
    `I found no route from ${from} to ${to} for this amount. Try other tokens or another amount.`,
  "pair-unknown": ({ from, to }) =>
    `No pool trades ${from} against ${to}. Choose other tokens, or name only the first and the last, and I'll look for a route.`,
  "pair-inactive": ({ from, to }) =>
    `Trading in the pool of ${from} and ${to} is switched off right now. Choose another route, or try again later.`,
  "pair-empty": ({ from, to }) => `The pool of ${from} and ${to} holds no tokens yet. Choose another route.`,
  "route-too-long": ({ maximum }) => `A route can have at most ${maximum} hops. Leave some tokens out.`,
  "route-too-expensive": ({ token, needed, paid }) =>
    `That would cost ${needed} ${token}, but you are paying ${paid}. Pay more, or ask for less.`,
  "pair-exists": ({ pair }) =>
    `This pair already exists, at ${pair}, so there is nothing to launch. Try /swap with it.`,
  "lp-name-invalid": ({ text }) => `“${text}” can't be the LP token's name. Send 3 to 20 letters and digits.`,
  "lp-ticker-invalid": ({ text }) =>
    `“${text}” can't be the LP token's ticker. Send 3 to 10 letters and digits, such as LPKLVDVK.`,
  "liquidity-too-small": ({ minimum }) =>
    `Both amounts must be above ${minimum} smallest units: that much of the LP token stays in the pair forever.`,
  "launches-full": ({ maximum }) =>
    `You have ${maximum} launches, the most I keep track of. Drop one in /launch first.`,
  "launch-unknown": () => "I no longer have this launch. /launch lists yours.",
  "launch-step-not-due": () =>
    "This step isn't the next one, or something stands in its way, so nothing was sent. Look at the checklist: /launch",
  "router-mismatch": () =>
    "The referral contract uses a different router from the one this bot is set up for. Nothing will be traded until the operator has looked into it.",
  "pools-unknown": () =>
    "The node doesn't say which pools there are, so I can't look for a route. Use /swap, or tell the operator.",
  "pools-file-invalid": ({ reason }) => `The pools file has errors: ${reason}`,
};
