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

export const picture = {
  chart: "📈 Chart",
  fills: "📈 Fills",
  share: "🖼 Share",
  usage: (command: string) => `Send two tokens, for example ${command} KFI KLV.`,
  noPrice: (pair: string) => `I haven't seen a price for ${pair} yet.`,
  spans: { minute: "6 hours", hour: "2 weeks", day: "1 year" },
  now: (rate: string) => `Now: ${rate}`,
  change: (percent: string) => `Change: ${percent}`,
  highest: (rate: string) => `Highest: ${rate}`,
  lowest: (rate: string) => `Lowest: ${rate}`,
  seen: (time: string) =>
    `Prices seen by this bot since ${time}: from the pools, before fees; where there is no pool, as quoted`,
  filledTitle: (order: string) => `Filled: ${order}`,
  filledAt: (percent: string, time: string) => `${percent} on ${time}`,
  started: "Swapped",
};
