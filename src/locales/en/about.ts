/** What the bot says of itself before anybody starts it, and who can see what of its users. */
export const about = {
  /** At most 120 characters; below its name in Telegram. */
  short: "Swaps, limit orders, stops and regular purchases on Klever, each with your tap. It never holds your keys.",
  /** At most 512 characters; in the empty chat. */
  long: "Swap KLV, KFI and other Klever tokens, with limit orders, stops and regular purchases that ask you first.\nSend a token to see its price and what its issuer can do, before you buy it. Be told of prices, new pairs, big trades and what arrives at your address.\nI never hold your keys: you see every number first, and nothing is sent without your tap.",
  whoTitle: "Who can see what",
  whoChain: "Anyone: your address, what is on it, and every transaction on the chain.",
  whoTelegram: "Telegram: this chat. Chats with bots aren't end-to-end encrypted.",
  whoOperator:
    "The operator of this bot: your Telegram ID and all that I keep about you, such as your address, history, orders, alerts and the addresses you look at. They can't move anything of yours: I hold no key.",
  whoServices:
    "The node, the quotation service and the exchange: the addresses, amounts and order IDs that I ask them about, and not whose they are.",
  whoPrograms: "A program that has a link of yours: whether its proposal was taken, and nothing else.",
  whoOthers:
    "Other people here: nothing. In groups, my answers are for you alone. What you share in another chat is a price, an order or a picture, without your address.",
};
