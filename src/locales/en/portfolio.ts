export const portfolio = {
  asOf: (time: string, token: string) =>
    `In ${token}: what selling everything at ${time} would bring, after the bot fee`,
  unseen: "⚠️ I can't see your balance right now. This shows only your trades here.",
  noBalance: (token: string) => `${token}: balance unknown`,
  valueUnknown: "value unknown",
  totalUnknown: "unknown",
  saleCost: (percent: string) => `selling it all now: ${percent} below the pool price`,
  cost: (cost: string, price: string | undefined) => `cost ${cost}${price === undefined ? "" : ` (${price} each)`}`,
  costOnly: (amount: string) => `known for ${amount} only`,
  costUnknown: "cost unknown",
  unrealised: "unrealised",
  realised: "realised",
  total: "Total value",
  totalOpen: (count: number) => `${count} of unknown value not counted`,
  unrealisedTotal: "Unrealised gain",
  realisedTotal: "Realised gain",
  shares: "In pools (not in the total)",
  sharesUnknown: "⚠️ I can't read the pools, so I don't know what your LP tokens are worth.",
  locks: "Locked (not in the total)",
  uncounted: (count: number) =>
    count === 1
      ? "1 trade isn't counted: its outcome or amounts are unknown."
      : `${count} trades aren't counted: their outcome or amounts are unknown.`,
  tooOld: (count: number) =>
    count === 1 ? "Your oldest transaction isn't counted." : `Your ${count} oldest transactions aren't counted.`,
  soldUnknown: (amount: string) => `sold at unknown cost: ${amount}`,
  explain: "Cost is the average cost of what you bought here. Tokens from elsewhere have no known cost.",
  overTime: "📈 Over time",
  notYet: "I note the total on each day you open /portfolio. A chart needs two days: come back tomorrow.",
  valueOn: (value: string, date: string) => `${value} on ${date}`,
  lookedAt: (date: string) => `Since ${date}: the last total of each day (UTC) on which you opened /portfolio`,
  fileName: "portfolio.csv",
  fileCaption: (token: string) => `Your portfolio in ${token}. Amounts are exact; unknown ones are empty.`,
};
