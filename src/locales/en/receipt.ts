export const receipt = {
  title: "🧾 Receipt",
  none: "No receipt: this trade isn't finished, or its outcome or amounts are unknown.",
  quote: "Vs. quote",
  price: "Vs. pool price",
  best: "Vs. best route",
  notCompared: "The pools couldn't be read at the time, so there is no price to compare with.",
  explain: (seconds: number) =>
    `What you received (after the bot fee), compared with figures from ${seconds} s before it was sent. The pool price and the best route are before that fee.`,
  month: "📅 Month",
  monthTitle: (month: string) => `Receipts for ${month} (UTC)`,
  mostOnADay: (amount: string) => `Most in one day: ${amount}`,
  usage: "Send /receipt, /receipt month, or a month such as /receipt 2026-12. Add csv to get a file.",
  empty: "No finished trades in this month.",
  trades: (count: number) => (count === 1 ? "1 trade" : `${count} trades`),
  compared: (count: number, of: number) => `Pool prices known for ${count} of ${of} trades.`,
  isCut: (count: string) => `Only the first ${count} trades are counted.`,
  fileCaption: (month: string) => `Your trades in ${month}. Amounts are exact; unknown ones are empty.`,
};
