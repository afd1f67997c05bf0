export const receipt = {
  title: "🧾 Receipt",
  none: "No receipt: this trade isn't finished, or its outcome or amounts are unknown.",
  quote: "Against the quote",
  price: "Against the pool price",
  best: "Against the best route",
  notCompared: "The pools couldn't be read then, so there is nothing to compare the price with.",
  explain: (seconds: number) =>
    `What arrived (after the bot fee) against figures from ${seconds} s before it was sent. Pool price and best route are before the bot fee.`,
  month: "📅 Month",
  monthTitle: (month: string) => `Receipts of ${month} (UTC)`,
  mostOnADay: (amount: string) => `At most on one day: ${amount}`,
  usage: "Send /receipt, /receipt month, or a month such as /receipt 2026-12; with csv behind it, it is a file.",
  trades: (count: number) => (count === 1 ? "1 trade" : `${count} trades`),
  compared: (count: number, of: number) => `Pools known for ${count} of ${of} trades.`,
  isCut: (count: string) => `Only the first ${count} trades are counted.`,
  fileCaption: (month: string) => `Your trades of ${month}. Amounts are exact; unknown ones are empty.`,
};
