export const portfolio = {
  asOf: (time: string, token: string) => `In ${token}, as if everything were sold at ${time}, after the bot fee`,
  unseen: "⚠️ I can't see your balance right now. What follows comes only from your trades here.",
  noBalance: (token: string) => `${token}: balance unknown`,
  valueUnknown: "value unknown",
  saleCost: (percent: string) => `selling it all costs ${percent} of the pool price`,
  cost: (cost: string, price: string | undefined) => `cost ${cost}${price === undefined ? "" : ` (${price} each)`}`,
  costOnly: (amount: string) => `known for ${amount} only`,
  costUnknown: "cost unknown",
  unrealised: "unrealised",
  realised: "realised",
  total: "Total value",
  totalOpen: (count: number) => `${count} of unknown value left out`,
  unrealisedTotal: "Unrealised gain",
  realisedTotal: "Realised gain",
  shares: "In pools (not in the total)",
  sharesUnknown: "⚠️ I can't read the pools, so what LP tokens are worth is unknown.",
  locks: "Locked (not in the total)",
  uncounted: (count: number) =>
    count === 1
      ? "1 trade isn't counted: its outcome or amounts are unknown."
      : `${count} trades aren't counted: their outcome or amounts are unknown.`,
  tooOld: (count: number) => `The ${count} oldest transactions aren't counted.`,
  soldUnknown: (amount: string) => `sold at unknown cost: ${amount}`,
  explain: "Average cost of what you bought here. What came from elsewhere has no known cost.",
  fileName: "portfolio.csv",
  fileCaption: (token: string) => `Your portfolio in ${token}. Amounts are exact; unknown ones are empty.`,
};
