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

export const security = {
  title: "Security",
  notFrozen: "Trading is open. 🧊 stops everything at once.",
  frozen: (since: string) => `Frozen since ${since}. /unfreeze opens trading again.`,
  phrase: "Your phrase",
  noPhrase: "No phrase yet. Choose words for every card to show: a bot that imitates me can't know them.",
  limits: "Your limits",
  noLimits: "None. A limit takes effect at once; raising one takes 24 hours.",
  most: (atATime: string, inADay: string) => `${atATime} at a time, ${inADay} a day`,
  unlimited: "no limit",
  later: (from: string, most: string) => `from ${from}: ${most}`,
  unfreezeLater: (from: string) => `Trading opens again on ${from}.`,
  walletLater: (from: string) => `From ${from}, everything pays out to:`,
  walletInEffect: "Your payout address has changed. Everything now pays out to:",
  undo: { wallet: "↩️ Keep the address I have", unfreeze: "↩️ Stay frozen", forget: "↩️ Don't forget me" },
  undone: {
    wallet: "↩️ Undone: your payout address stays as it is.",
    unfreeze: "↩️ Undone: you stay frozen.",
    forget: "↩️ Nothing will be deleted.",
  },
  forgetTitle: "What I keep about you",
  forgetKept:
    "Your payout address, settings, limits and phrase; the history of your calls; what you locked and launched through me; and the orders you watch. I can delete all of it.",
  forgetFile: "Save your history first. The file has every call, and I can't send it afterwards.",
  forgetUnknown: (count: number) =>
    count === 1
      ? "⚠️ One of your calls has an unknown outcome. Check it first: afterwards I can't."
      : `⚠️ ${count} of your calls have an unknown outcome. Check them first: afterwards I can't.`,
  forgetTokens: "Your tokens don't move. They are in your own account, locked ones too.",
  forgetStays:
    "What stays: what the chain shows everybody, this chat until you delete it, and what the operator keeps: their own log, whom they let in, and back-ups.",
  forgetAsk: "🗑 Delete everything…",
  forgetReally: "⚠️ Delete everything I keep about you?",
  forgetGuards: "Your limits, your phrase and your history go too, and nobody can bring them back.",
  forgetAtOnce: "It happens at once and can't be undone.",
  forgetFrom: (from: string) => `It happens on ${from}. Until then you can undo it, and /freeze stops it.`,
  forgetWaits:
    "I wait for any call that is still on its way then, or that a wallet can still send, and show you its outcome first.",
  forgetKeep: "↩️ Keep everything",
  forgetConfirm: "🗑 Yes, delete everything",
  forgetLater: (from: string) => `On ${from}, I delete everything I keep about you.`,
  forgetNothing: "I keep nothing about you.",
  forgotten: "I have deleted everything I kept about you. Send /start whenever you want to begin again.",
  changes: "Recent changes",
  noChanges: "None.",
  guards: {
    wallet: "payout address",
    freeze: "frozen",
    unfreeze: "unfrozen",
    limit: "limit",
    phrase: "phrase",
    slippage: "slippage",
    timezone: "time zone",
  },
  setLimit: "Set a limit",
  setPhrase: "Choose a phrase",
  freeze: "🧊 Freeze",
  askLimit:
    "Send the token, the most at a time and the most in a day, such as KLV 100 / 500. A dash means no limit: KLV - / 500. Swaps, routes, locks and deposits count. Lower limits take effect at once, higher ones after 24 hours.",
  askPhrase: "Send a few words, 40 characters at most, to be shown on every card you confirm.",
  badPhrase: "Send plain words, 1 to 40 characters.",
  slippageZero: "⚠️ At 0 % almost every swap fails: any price move is too much.",
  slippageHigh: (percent: string) =>
    `⚠️ At ${percent} % you may get that much less than quoted. Others can exploit that.`,
};
