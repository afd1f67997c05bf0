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
