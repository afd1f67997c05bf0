import { isIssuedId } from "../../encoding/amount.js";
import type { FaultCode, FaultParameters, ServiceName } from "../../fault.js";
import { orderFaults } from "./order-faults.js";
import { handName } from "./rights.js";

const tooLittle = "Not enough balance in the paying account. Top it up, or use a smaller amount.";

/** The contracts' known messages (multiversx/mx-exchange-sc), each with its cause and what to do about it. */
export const refusals: Readonly<Record<string, string | ((slippage: string) => string)>> = {
  "Slippage exceeded": (slippage) => `The price moved by more than your ${slippage} slippage. Get a new quote?`,
  "Not enough reserve": "Not enough liquidity in the pool. Try a smaller amount.",
  "Swap is not enabled": "Trading in this pool is disabled. Try another route.",
  "Cannot unlock yet": "It can't be unlocked yet. See /locks for when.",
  "Invalid payment token": "This isn't one of the lock contract's tokens. See /locks for yours.",
  "Insufficient funds": tooLittle,
  "Insufficient balance": tooLittle,
  // From a node, if governance changed the fees after the transaction was built.
  "invalid transaction fees": "The network fee has gone up. Try again.",
  "Not a pair SC": "The router no longer lists this pool. Get a new quote.",
  "Not active": "The router is paused. Try again later.",
  "Pair creation is disabled": "Only the router's owner can create pairs right now. Ask them.",
  "Pair already exists": "This pair already exists. If it's yours, resume it with /launch.",
  "Temporary owner differs": "For now only the account that created the pair can do this.",
  "Permission denied": "This account isn't allowed to do that. Use the account that created the pair.",
  "LP token not issued": "The LP token has to be issued first. See the checklist.",
  "LP token already issued": "The LP token has already been issued. See the checklist.",
  "Initial liquidity was already added": "The first liquidity has already been added. See the checklist.",
  "Needs to be greater than minimum liquidity": "Too little: each amount must be more than 1,000 base units.",
  "Not enough value locked": "Not enough value is locked. Lock more LP tokens.",
  "Token not locked for long enough": "The lock is too short. Choose a later epoch.",
  "Caller is not the initial liq adder": "Only the account that added the first liquidity can do this.",
  "Pair not in ActiveNoSwaps state": "Swapping is already enabled, or there is no liquidity yet. See the checklist.",
};

/** Why something other than the contract ended a call, by result code (klever-go, transaction.proto). */
export const resultCodes: Readonly<Record<number, string>> = {
  1: tooLittle,
  5: "The contract doesn't exist. Contact the operator.",
  31: "All transfers of one of these tokens are stopped. Wait until its issuer resumes them.",
  55: "The contract has no such function, so it isn't the one this bot was set up for. Contact the operator.",
  58: "It ran out of gas: the network fee was too low for the work. Try again; the fee will be recalculated.",
  62: "The chain aborted it. Try again; if it happens again, contact the operator.",
  65: "One of these tokens moves only between addresses that its issuer approves.",
};

/** For a result code without a sentence of its own. */
export const resultCode = (code: number, text: string): string =>
  `The chain rejected it with result code ${code}${text === "" ? "" : ` (“${text}”)`}.`;

export const services: Record<ServiceName, string> = {
  node: "the node",
  quotation: "the quotation service",
  exchange: "the exchange",
  telegram: "Telegram",
};
/** A service's name at the start of a sentence. */
export const serviceFirst = (service: ServiceName) => services[service].replace(/^t/, "T");

/** A sentence for each fault: what is wrong and what to do next. */
export const faults = {
  ...orderFaults,
  "address-invalid": ({ text }) =>
    `“${text}” isn't a valid address; a character may be wrong or missing. Copy the full klv1… address from your wallet.`,
  "address-wrong-chain": ({ prefix }) =>
    `This address is for another chain (it starts with “${prefix}”). Send one that starts with klv1.`,
  "address-zero": "This is the zero address; anything sent there is lost. Send your own klv1… address.",
  "address-is-contract": "This is a contract address; tokens sent there could be lost. Send your own wallet address.",
  "address-not-contract": ({ text }) => `${text} isn't a contract address. Check it and send it again.`,
  "amount-empty": "The amount is missing. Send a number such as 100 or 12.5, or a share: 50%, half, max.",
  "amount-not-a-number": ({ text }) =>
    `“${text}” isn't an amount. Send a number such as 100 or 12.5, or a share: 50%, half, max.`,
  "amount-negative": ({ text }) => `“${text}” is negative. Send a number above zero.`,
  "amount-exponent": ({ text }) => `“${text}” is in scientific notation. Write it out, for example 1000000.`,
  "amount-hex": ({ text }) => `“${text}” is hexadecimal. Use a decimal number, such as 100.`,
  "amount-comma": ({ text, meant: [first, second] }) =>
    first === undefined
      ? `I can't read the comma in “${text}”. Use a point for decimals and no thousands separator: 1234.5.`
      : second === undefined
        ? `Use a point for decimals, not a comma. Did you mean ${first}?`
        : `That comma or point can mean two things. Did you mean ${first} or ${second}?`,
  "amount-unclear": ({ text, asked, share }) =>
    `“${text}” can mean two things: ${asked}, or ${share} of what you have. Which one?`,
  "share-too-large": ({ text }) => `“${text}” is more than all you have. Send 100% or less, or max.`,
  "trade-unclear": "That can mean more than one thing. Which one?",
  "payout-own": "Trades and locks pay only to your own account, never to another address.",
  "amount-zero": "The amount is zero. Send a number above zero.",
  "amount-too-many-decimals": ({ token, precision }) =>
    precision === 0
      ? `${token} has no decimals. Send a whole number.`
      : `${token} has ${precision} decimals at most. Use fewer decimals.`,
  "amount-too-large": ({ text }) => `“${text}” is more than any token's supply. Send a smaller amount.`,
  "asset-invalid": ({ text }) => `“${text}” isn't a token ID. IDs look like KLV, KFI or DVK-34ZH.`,
  "token-unknown": ({ text, ids }) =>
    ids.length === 0
      ? isIssuedId(text)
        ? `${text.toUpperCase()} isn't on this bot's list, so it can't be traded here. Tap it to see what its issuer can do.`
        : `I don't know the token “${text}”. Send its exact ID, such as KFI or DVK-34ZH.`
      : `I don't know the token “${text}”. Did you mean ${ids.join(" or ")}?`,
  "token-ambiguous": ({ text, ids }) => `Several tokens are named “${text}”: ${ids.join(", ")}. Send the exact ID.`,
  "token-nonexistent": ({ token, ids }) =>
    `There is no token ${token} on this chain. ${ids.length === 0 ? "Check its ID, letter by letter." : `Did you mean ${ids.join(" or ")}?`}`,
  "token-one-way": ({ token, pair }) =>
    `⛔ ${token} can be bought but not sold: only addresses that its issuer approves may receive it, and the pair ${pair} isn't one. Nothing was sent.`,
  "token-unlisted": ({ token }) =>
    `${token} is no longer on this bot's list, so nothing was sent. If you need it, contact the operator.`,
  "token-limited": ({ token, pair }) =>
    `⛔ ${token} moves only between addresses that its issuer approves, and the pair ${pair} may not give it out. Nothing was sent.`,
  "token-unsellable": ({ token, from, to }) =>
    `⛔ ${token} can be bought but not sold: it can't get from ${handName(from)} to ${handName(to)}, since its issuer lets neither the one send it nor the other receive it. Nothing was sent.`,
  "token-royalty": ({ token, fee }) =>
    `⛔ ${token} can be bought but not sold: its issuer takes ${fee} KLV of each sale, at least as much as all of it is worth. Nothing was sent.`,
  "token-stuck": ({ token, from, to }) =>
    `⛔ ${token} wouldn't come out again: it can't get from ${handName(from)} to ${handName(to)}, since its issuer lets neither the one send it nor the other receive it. Nothing was sent.`,
  "assets-untold": "This bot's node says nothing about tokens. Contact the operator.",
  "tokens-identical": ({ token }) => `You can't trade ${token} for itself. Choose two different tokens.`,
  "token-precision-unknown": ({ token }) =>
    `I don't know how many decimals ${token} has, so I can't calculate amounts safely. Contact the operator, who can add it to the token list.`,
  "token-not-swappable": ({ token }) =>
    `${token} isn't a fungible token, so it can't be swapped or locked. Choose another.`,
  "token-list-invalid": ({ reason }) => `The token list can't be used: ${reason}.`,
  "wallet-missing": "Set your wallet address first: /wallet klv1…",
  "contract-changed": "This used a contract the bot no longer works with. Nothing was sent. Start again.",
  "trading-paused": ({ reason }) => `Trading is paused. Nothing was sent. The operator says: ${reason}`,
  forgotten: "I deleted everything about you meanwhile, so nothing came of this. Send it again if you still want it.",
  frozen: "Your account is frozen. Nothing was sent. Send /unfreeze to continue.",
  "value-out-of-range": ({ name, value }) => `${value} is out of range for ${name}. Nothing was sent.`,
  "percentage-out-of-range": ({ minimum, maximum }) =>
    `The referral percentage must be between ${minimum} and ${maximum} (1000 = 1%). Nothing was sent; contact the operator.`,
  "slippage-out-of-range": ({ maximum }) =>
    `Slippage must be between 0% and ${maximum / 100}%. Change it in /settings.`,
  "arguments-invalid": ({ reason }) => `The transaction couldn't be built (${reason}). Nothing was sent.`,
  "answer-unreadable": "I couldn't read a service's response. Nothing was sent. Try again later.",
  "transaction-altered": ({ field }) =>
    `The transaction the node built doesn't match what you confirmed (${field}), so I blocked it. Nothing was sent. Contact the operator.`,
  "network-fee-too-high": ({ fee, maximum }) =>
    `The network fee would be ${fee} KLV, above this bot's limit of ${maximum} KLV. Nothing was sent.`,
  "funds-missing": ({ token, needed }) =>
    needed === undefined
      ? `Not enough ${token} in your wallet. Nothing was sent.`
      : `Not enough ${token}: you need ${needed}, including the network fee. Nothing was sent.`,
  "limit-per-transaction": ({ most, token }) =>
    `This is over your limit of ${most} ${token} per transaction. Nothing was sent. Use a smaller amount, or see /security.`,
  "limit-per-day": ({ most, left, token }) =>
    `This is over your daily limit of ${most} ${token} (${left} left today). Nothing was sent. See /security.`,
  "limit-day-below": ({ perTransaction, perDay, token }) =>
    `That would be ${perTransaction} ${token} per transaction but only ${perDay} per day. First the limit per transaction, then per day. Did you mean the other way round?`,
  "limit-unreadable":
    "I can't read that. Send a token, a limit per transaction and a limit per day, for example KLV 100 / 500. Use - for no limit.",
  "limits-full": ({ maximum }) => `You have ${maximum} limits, the maximum. Remove one first, for example: KLV - / -`,
  "balances-untold":
    "This bot's node doesn't report balances, so I can't show them or use percentages. Enter an amount.",
  "balance-empty": ({ token }) => `You have no ${token} to spend. See /balance.`,
  "balance-too-small": ({ held, needed, token }) =>
    `Not enough ${token}: you need ${needed}, you have ${held}. Nothing was sent.`,
  "account-unknown": ({ address }) =>
    `The account ${address} doesn't exist on chain yet. Send it some KLV first, or set another address with /wallet.`,
  "account-permissions":
    "Your account is multi-signature or has custom permissions, which I don't support yet. Use another account.",
  "wallet-busy": ({ paid }) =>
    `${paid === "" ? "Another transaction from your address" : `Your transaction that pays ${paid}`} is still pending. Try again when it's done.`,
  "wallet-changed": "Your wallet address has changed. Nothing was sent. Start again.",
  "nonce-used": "Your account sent another transaction first, so I didn't send this one. Start again.",
  "signing-declined": "You declined it on the signing page. Nothing was sent.",
  "price-moved": "The price moved past your minimum before it could be sent. Nothing was sent. Get a new quote.",
  "sent-too-late": "It couldn't be sent in time. Nothing was sent. Try again.",
  "transaction-replaced":
    "Another transaction from your account took its place (same nonce). This one did not go through and never will.",
  "payment-order": ({ first, second }) =>
    `This pair expects ${first} before ${second}, but the chain sorts payments alphabetically, and it isn't known whether the pair accepts that. I won't risk it. Launch it the other way round: /launch ${second} ${first}`,
  "royalties-unsigned": ({ token }) =>
    `${token} can't be sent from here: its issuer takes a royalty on top, and I don't build such transactions for wallets yet.`,
  "node-refused": ({ text }) => `The node rejected it: “${text}”. Nothing was sent.`,
  "chain-mismatch":
    "This bot's node is on the wrong chain. Trading is blocked until that is fixed. Contact the operator.",
  "service-unreachable": ({ service }) => `I can't reach ${services[service]} right now. Try again in a moment.`,
  "service-timeout": ({ service }) => `${serviceFirst(service)} did not respond in time. Try again in a moment.`,
  "service-status": ({ service, status }) =>
    `${serviceFirst(service)} returned an error (${status}). Try again in a moment.`,
  "service-rate-limited": ({ service, retryAfterSeconds }) =>
    `Too many requests to ${services[service]}. Try again in ${retryAfterSeconds} s.`,
  "too-often": ({ retryAfterSeconds }) => `Too many requests. Try again in ${retryAfterSeconds} s.`,
  "service-unauthorized": ({ service }) =>
    `${serviceFirst(service)} rejected this bot's credentials. Contact the operator.`,
  "quote-none": ({ from, to }) =>
    `The quotation service has no route from ${from} to ${to}. Choose other tokens, or try /multihop, which finds longer routes.`,
  "quote-unreadable": "I couldn't read the quotation service's response, so there is no quote. Try again later.",
  "quote-zero": ({ token }) => `Too small: this amount would get you 0 ${token}. Try a larger amount.`,
  "contract-failed": ({ text }) => `The contract rejected it: “${text}”.`,
  "call-ended": ({ text, code }) => resultCodes[code] ?? resultCode(code, text),
  "view-missing": ({ text }) => `There is no such contract, or it doesn't answer this query: “${text}”.`,
  "order-id-invalid": ({ text }) =>
    `“${text}” isn't an order ID. Copy the full ID from the exchange; it looks like 1989652f-be77-4179-924e-b71c03a4198a.`,
  "order-not-found": ({ id }) =>
    `Order ${id} was not found on the exchange. Check the ID; new orders can take a moment to appear.`,
  "order-refused": ({ reason }) => `The exchange won't show this order${reason === "" ? "" : ` (“${reason}”)`}.`,
  "order-unreadable": ({ fields }) =>
    `The exchange writes this order in a way that I can't read (${fields}). Look it up there.`,
  "watches-full": ({ maximum }) =>
    `You're already watching ${maximum} orders, the maximum. Stop watching one in /orders first.`,
  "alert-without-token": "Which token? For example: /alert KFI above 120 KLV",
  "alert-without-direction": ({ price }) => `Above or below ${price}? For example: /alert KFI above 120 KLV`,
  "alert-without-price": "At which price? For example: /alert KFI above 120 KLV",
  "alert-price-zero": "That price is zero, or too low for this amount. For example: /alert KFI above 120 KLV",
  "alert-unclear": "Send a price or a percentage, not both. For example: /alert KFI 5%",
  "alert-too-fine": ({ amount, larger, token }) =>
    `${amount} ${token} are worth so little that rounding could set this alert off. Ask about ${larger} ${token}.`,
  "alert-percent": ({ text }) =>
    `${text} is out of range: send 0.5% to 999%, with two decimals at most. For example: /alert KFI 5%`,
  "alert-too-long": ({ text }) =>
    `${text} isn't within the next year, and alerts last a year at most. For example: /alert KFI above 120 KLV 30d`,
  "alerts-full": ({ maximum }) => `You have ${maximum} price alerts, the maximum. Delete one in /alerts first.`,
  "watch-only-name": ({ maximum }) =>
    `A name has up to ${maximum} letters, digits, spaces or hyphens, and is no token's. Send another.`,
  "watch-only-named": ({ text }) => `Another address is called “${text}” already. Choose another name.`,
  "link-name": ({ maximum }) => `A name has at most ${maximum} letters, digits, spaces, hyphens or apostrophes.`,
  "link-named": ({ text }) => `A link called “${text}” is in use already. Choose another name, or delete it first.`,
  "link-full": ({ maximum }) => `You have ${maximum} links, the maximum. Delete one in /signals first.`,
  "watch-only-own": "This is your own address: /balance shows it anyway.",
  "watch-only-full": ({ maximum }) => `You look at ${maximum} addresses, the maximum. Remove one in /addresses first.`,
  "blocks-closed": "This bot's node doesn't show its blocks, so I can't tell you what happens on the chain.",
  "trade-watches-full": ({ maximum }) => `You watch ${maximum} pairs, the maximum. Turn one off in /bigtrades first.`,
  "store-locked": "Another instance of this bot is already running.",
  "store-unreadable": "Your saved data can't be read, so I won't change it, and you can't trade. Contact the operator.",
  "store-lost": "My disk failed, and I have to restart. See /history before you try again.",
  "store-newer": "Your data was saved by a newer version of this bot, so I won't change it. Contact the operator.",
  "store-read-failed":
    "I can't read your saved data right now. Try again; if it keeps happening, contact the operator.",
  "store-write-failed":
    "I couldn't save this, so nothing was done. Try again; if it keeps happening, contact the operator.",
  "database-unusable": ({ reason }) => `The database can't be used: ${reason}.`,
  "store-slow": "My disk was too slow to record this in time. Nothing was sent. Try again in a moment.",
  "text-nul": "There is an invisible character in it (NUL) that I can't keep. Write it again without that.",
  "store-unmigrated": ({ document, reason }) =>
    `${document} can't be brought to this version (${reason}); nothing in it was changed.`,
  "store-damaged": ({ file, reason }) =>
    `${file} is damaged (${reason}); nothing in it was changed. The operator can restore a backup.`,
  "file-exists": ({ file }) =>
    `${file} exists already, and nothing was written. Name another file, or add --replace to overwrite it.`,
  "store-not-empty": ({ directory }) => `There is a store in ${directory} already. Name an empty folder in STORE_DIR.`,
  "token-not-lockable": ({ token }) => `${token} is already a locked token. Choose the original token.`,
  "unlock-time-invalid": ({ text }) =>
    `“${text}” isn't an unlock time. Send an epoch (5500), a date (2026-12-31) or a duration (12h, 30d, 4w).`,
  "unlock-time-past": ({ text }) => `“${text}” is in the past. Lock until when?`,
  "unlock-time-ambiguous": ({ digits, date }) =>
    `Did you mean the date ${date}? Send it with hyphens. For epoch ${digits}, send #${digits}.`,
  "unlock-epoch-past": ({ epoch }) =>
    `Epoch ${epoch} has already started. Did you mean ${epoch}d, which is ${epoch} ${epoch === "1" ? "day" : "days"}? #${epoch} means the epoch.`,
  "unlock-time-months": ({ text, days }) => `“${text}”: I count in hours, days, weeks and years. Did you mean ${days}?`,
  "lock-too-long": ({ epoch, years, maximum }) =>
    `Epoch ${epoch} is about ${years} years away, and nobody can unlock early. The longest lock allowed is ${maximum} years. Send an epoch (5500), a date (2026-12-31) or a duration (12h, 30d, 4w).`,
  "epoch-length-unknown":
    "The node doesn't report how long an epoch lasts, so I can't use dates. Send an epoch number, such as 5500.",
  "locks-full": ({ maximum }) => `You have ${maximum} locks, the maximum. Unlock one that is ready in /locks first.`,
  "locked-token-invalid": ({ text }) =>
    `“${text}” isn't a locked token. Locked tokens look like LKTOK-1A2B/7; see /locks for yours.`,
  "locked-token-foreign": ({ text, lockedToken }) =>
    `${text} isn't from this lock contract. Its tokens look like ${lockedToken}/7; see /locks for yours.`,
  "route-none": ({ from, to }) => `No route from ${from} to ${to} for this amount. Try other tokens or another amount.`,
  "pair-unknown": ({ from, to }) =>
    `There is no ${from}/${to} pool. Choose other tokens, or send only the first and the last and I'll find a route.`,
  "pool-none": ({ from, to }) => `There is no open ${from}/${to} pool, so there are no trades in it to tell of.`,
  "pair-inactive": ({ from, to }) =>
    `Trading in the ${from}/${to} pool is disabled right now. Choose another route, or try again later.`,
  "pair-empty": ({ from, to }) => `The ${from}/${to} pool has no liquidity yet. Choose another route.`,
  "route-too-long": ({ maximum }) => `A route can have at most ${maximum} hops. Use fewer tokens.`,
  "route-too-expensive": ({ token, needed, paid }) =>
    `That would cost ${needed} ${token}, but you offered ${paid}. Offer more, or ask for less.`,
  "pair-exists": ({ pair }) => `This pair already exists: ${pair}. Trade it with /swap.`,
  "lp-name-invalid": ({ text }) => `“${text}” isn't a valid LP token name. Use 3 to 20 letters and digits.`,
  "lp-ticker-invalid": ({ text }) =>
    `“${text}” isn't a valid ticker. Use 3 to 10 letters and digits, such as LPKLVDVK.`,
  "liquidity-too-small": ({ minimum }) =>
    `Each amount must be more than ${minimum} base units; the pair keeps the first ${minimum} LP units forever.`,
  "launches-full": ({ maximum }) => `You have ${maximum} launches, the maximum. Remove one in /launch first.`,
  "launch-unknown": "This launch no longer exists. See /launch.",
  "launch-step-not-due": "This step can't be done yet. Nothing was sent. See the checklist: /launch",
  "lock-mismatch":
    "The lock contract's address is wrong in this bot's configuration. Locks are blocked until that is fixed. Contact the operator.",
  "router-mismatch":
    "This bot's contracts don't match its configuration. Trading is blocked until that is fixed. Contact the operator.",
  "pools-unknown":
    "This bot's node doesn't list its pools, so I can't find a route. Use /swap, or contact the operator.",
  "pools-file-invalid": ({ reason }) => `The pools file has errors: ${reason}`,
} satisfies { readonly [Code in FaultCode]: string | ((parameters: FaultParameters[Code]) => string) };
