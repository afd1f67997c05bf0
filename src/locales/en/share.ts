/** What people send to other chats by way of the bot. */
export const share = {
  open: "Open in Swapdesk",
  hint: "Type 100 KLV KFI, or an order ID",
  busy: "Too many requests. Try again soon",
  none: "Nothing found",
  quoteHint: "Price now, after the bot fee",
  priceAt: (time: string, ago: string) => `Price at ${time}, ${ago}`,
  seenAt: (time: string, ago: string) => `As of ${time}, ${ago}`,
  badLink: "I can't read this link. Send /help to see what I can do.",
};
