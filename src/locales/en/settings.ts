export const settings = {
  title: "Settings",
  slippage: "Slippage",
  slippageExplain: (maximum: string) =>
    `How far the price may move against you between quote and swap. A higher value lets more swaps through, a lower one protects you better. At most ${maximum} %.`,
  presets: "Amount buttons",
  language: "Language",
  timeZone: "Time zone",
  custom: "Another value",
  askSlippage: (maximum: string) => `Send the slippage in percent, such as 0.5 or 2. At most ${maximum}.`,
  badSlippage: (maximum: string) => `Send a number from 0 to ${maximum} with at most two decimals, such as 0.5.`,
  askPresets: "Send up to four amounts, separated by spaces, such as 10 50 250.",
  badPresets: "Send one to four plain amounts, separated by spaces, such as 10 50 250.",
  askTimeZone: "Which city has your time? Choose one, or send its name or its time zone, such as Europe/Lisbon.",
  badTimeZone:
    "I don't know the time of this place. Send a larger city near you, or a time zone such as Europe/Lisbon or America/Sao_Paulo.",
  saved: "Saved.",
  appliesToNew: "This applies to new cards. An open card keeps the numbers it shows.",
  alerts: "Alerts",
};
