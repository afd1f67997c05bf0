export const wallet = {
  title: "Your payout address",
  explain: "Swaps, locks and unlocks pay out here. Check it character by character.",
  signs:
    "It has to be an account in your own Klever wallet, which signs and pays for everything that you confirm here.",
  since: (time: string) => `Set on ${time}.`,
  change: "To change it, paste another klv1… address here.",
  ask: "Where should your tokens go? Send your klv1… address. Never send a key or a seed phrase.",
  pasted: "Should your tokens go to this address?",
  pastedOther: "This isn't your payout address:",
  useButton: "📬 Use as payout",
  changeTitle: "Change your payout address?",
  from: "Your address until now",
  to: "The new address",
  changeWarning: "Everything would pay out to the new address. If somebody asked you to do this, don't.",
  changeButton: "Yes, change it",
  changed: (before: string) => `Your payout address was changed. Until now it was ${before}.`,
  cardsCanceled: (count: number) =>
    count === 1
      ? "One open card still paid to the old address; it was cancelled."
      : `${count} open cards still paid to the old address; they were cancelled.`,
};
