import type { FaultCode, FaultParameters } from "../../fault.js";

type OrderFault = Extract<FaultCode, `exit-${string}` | `standing-${string}`>;

/** A sentence for each fault of an order here. */
export const orderFaults = {
  "standing-price-back": "The price has gone back, so nothing was sent. The order waits on.",
  "standing-over": "This order is over, or has changed. See /orders.",
  "standing-busy": "This order has a trade in progress, or one whose outcome isn't known yet. See /history.",
  "standing-paused": "This order is paused. Resume it in /orders first.",
  "standing-full": ({ maximum }) => `You have ${maximum} orders, the maximum. Delete one in /orders first.`,
  "standing-bot-full":
    "This bot has as many orders as its operator allows, and you have your share of them. Try again later, or set a price alert. For example: /alert KFI below 90 KLV",
  "standing-met": "That price is there already, so there is nothing to wait for. Swap now: /swap",
  "exit-percent": ({ text }) =>
    `${text} can't be a target or a stop: from 1% on, and a stop below 100%. For example: /exit KFI +50% -20%`,
  "exit-shares":
    "At most five targets, each at another price, that together sell no more than all. Give all of them shares, or none. For example: /exit KFI 25%@+25% 25%@+50%",
  "exit-exists": ({ token }) => `You have an exit for ${token} already. Change or delete it: /orders`,
  "standing-far": ({ text }) =>
    `That is more than ${text} times away from the price now. Is the direction right? For example: /limit 500 KLV KFI at 96 KLV`,
  "standing-price-zero": "That price is zero, or too low for this amount. For example: /limit 500 KLV KFI at 96 KLV",
  "standing-past": ({ text }) => `${text} is over already: send a later date or time, such as 30d or 2030-12-31.`,
  "standing-times": ({ text }) =>
    `${text} times isn't possible: send 1 to 366. For example: /dca 100 KLV KFI monday 09:00 x12`,
  "standing-span": ({ text }) =>
    `${text} takes more than a year, the maximum. For example: /dca 100 KLV KFI monday 09:00 x12`,
  "standing-time": ({ text }) => `${text} isn't a time of day. For example: /dca 100 KLV KFI daily 09:00 x30`,
  "standing-town": ({ text, meant }) =>
    `Several countries have a town called “${text}”. Send your time zone instead: ${meant.join(", ")}.`,
  "standing-zone": ({ text }) =>
    `I don't know the time zone “${text}”. Send a city. For example: /dca 100 KLV KFI daily 09:00 x30 Lisbon`,
  "standing-begins": ({ text }) =>
    `It would begin on ${text}, more than a year away. Send an earlier date. For example: /dca 100 KLV KFI monday 09:00 x12`,
  "standing-twice": ({ text }) =>
    `“${text}” doesn't go with what stands before it. Send one day, one time and one number of times. For example: /dca 100 KLV KFI monday 09:00 x12`,
} satisfies { readonly [Code in OrderFault]: string | ((parameters: FaultParameters[Code]) => string) };
