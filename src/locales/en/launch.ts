const steps = {
  "create-pair": "Create the pair",
  "issue-lp": "Issue the LP token",
  "set-roles": "Set the local roles",
  "add-liquidity": "Add the first liquidity",
  lock: "Lock the LP tokens",
  enable: "Enable swapping",
};
/** A step's name within a sentence; "LP" stays as it is. */
const inSentence = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

export const launch = {
  title: (first: string, second: string) => `Launch ${first} / ${second}`,
  steps,
  evidence: {
    view: "the chain shows it",
    answer: "the node accepted it",
    word: "you told me",
  },
  todo: {
    "create-pair":
      "The router makes a contract for the two tokens. The account that creates the pair must also add the first liquidity and enable swapping.",
    "issue-lp":
      "The router issues the pair's LP token. For a while after the pair was created, only its creator can do this.",
    "set-roles": "This lets the pair mint and burn its LP token. Without it, the first liquidity is refused.",
    "add-liquidity":
      "You pay in both tokens; their ratio is the first price. You receive LP tokens for all but 1000 units, which stay in the pair forever.",
    lock: "You lock LP tokens until an epoch and receive a locked token, which opens the pair for swaps.",
    enable:
      "You show the locked token to the router. It checks how much is locked and for how long, opens the pair, and sends the locked token back to you.",
  },
  confirm: (step: keyof typeof steps) => `✅ Confirm: ${inSentence(steps[step])}`,
  pair: "Pair",
  pairHex: "In hexadecimal",
  lpToken: "LP token",
  lpNamed: (name: string, ticker: string) => `${name}, ticker ${ticker}`,
  underWay: "⏳ The call is under way.",
  unknown:
    "⚠️ Outcome unknown: the call was sent, no clear answer came back, and the node can't show whether it was carried out.",
  unknownUnasked:
    "⚠️ Outcome unknown: the call was sent, and no clear answer came back. I'll look as soon as the node can be reached.",
  unknownAsk: "Check your wallet or a chain explorer, then tell me. Until then I won't send anything again.",
  unseen:
    "⚠️ A call for this step was sent before, but the chain doesn't show it as done. If that was only a moment ago, check again first; if the first call still arrives, a second one is refused.",
  notReachable: "I can't reach the node right now, so this is what I last knew. Check again later.",
  manual:
    "Do this in your wallet, from the account that created the pair. The public interface names this call without describing it, so I don't send it myself. Enter exactly this:",
  manualContract: "Contract",
  manualFunction: "Function",
  manualArguments: "Arguments",
  manualPayment: "Payment",
  manualNone: "none",
  manualCheck: "Then tap 🔄 Check, and I'll look on the chain to see whether it is done.",
  manualWord: "Then tap ✅ Done. The chain doesn't show this step, so I take your word for it.",
  amountsButton: "▶️ Enter the amounts",
  otherAmountsButton: "✏️ Other amounts",
  doneButton: "✅ Done",
  carriedOutButton: "✅ It was carried out",
  notCarriedOutButton: "↩️ It was not",
  lockedElsewhereButton: "✅ I have a locked token",
  undoButton: (step: keyof typeof steps) => `↩️ Not done: ${inSentence(steps[step])}`,
  checked: (time: string) => `Checked at ${time}`,
  checkButton: "🔄 Check",
  dropButton: "✖️ Drop",
  dropTitle: (first: string, second: string) => `Drop the launch of ${first} / ${second}?`,
  dropExplain:
    "I'll forget the checklist. Nothing changes on the chain: what was created stays, and locked tokens stay in /locks. As long as the pair is yours and not open for swaps, /launch picks it up again.",
  dropSure: "✖️ Yes, drop it",
  dropped: "Dropped. Nothing on the chain was changed.",
  conditions: (value: string, period: bigint) =>
    `To enable swapping, LP tokens worth more than ${value} must be locked for more than ${period} epochs.`,
  conditionsUnknown:
    "This node doesn't say what the router asks for (how much must be locked, and for how long). Ask whoever runs the router before you lock.",
  strictly:
    "Both have to be above the minimum, not just equal to it: public descriptions of the router disagree on whether equal is enough.",
  lockedValue: "Locked value",
  lockedFor: "Locked for",
  epochs: (count: bigint) => (count === 1n ? "1 epoch" : `${count} epochs`),
  mustExceed: (minimum: string | bigint) => `must be above ${minimum}`,
  isEnough: "✅ Enough to enable swapping",
  isNotEnough: "❌ Not enough to enable swapping",
  obstacle: {
    "no-common-token":
      "⚠️ The router only values pairs in certain tokens, and neither of these two is among them. You can't enable swapping for this pair yourself; ask whoever runs the router.",
    "no-config":
      "⚠️ The router's owner has set no conditions for this token yet (configEnableByUserParameters), so swapping can't be enabled. Don't lock anything for it before that.",
    "no-adder": "⚠️ The pair has no initial liquidity adder, so nobody can enable swapping this way.",
  },
  otherAdder: (adder: string) =>
    `⚠️ Only ${adder} may add the first liquidity and enable swapping here, and your address is a different one.`,
  otherAdderMaybe: "If that is the account behind this bot's node, it works all the same.",
  complete: "🎉 All done: the pair is open. Anybody can swap now:",
  completeLock: "Your LP tokens stay locked until their epoch; /locks shows when they can be taken back.",
  caller: "From your account, which must be the pair's creator:",
  callerUnknown:
    "⚠️ A call doesn't say who makes it: it comes from the node's own account. That must be yours, and the same for every step:",
  firstPrice: "First price",
  worth: (least: string, minimum: string) =>
    `The LP tokens you receive are worth at least ${least} in all; to enable swapping, more than ${minimum} must be locked.`,
  worthTooLittle: (minimum: string) =>
    `⚠️ Even if you lock all the LP tokens you receive, that may not be above ${minimum}, and then swapping can't be enabled. Better add more.`,
  marketPrice: "The ratio should match the market: otherwise whoever trades first takes the difference.",
  marketEqual: (rate: string) => `That matches the market: elsewhere ${rate}.`,
  marketAbove: (rate: string, token: string, percent: string) =>
    `Elsewhere ${rate}. Your amounts price ${token} ${percent} above that.`,
  marketBelow: (rate: string, token: string, percent: string) =>
    `Elsewhere ${rate}. Your amounts price ${token} ${percent} below that.`,
  marketLoss: (amount: string) =>
    `Whoever trades against the pool until its price matches the market can take up to ${amount} of your deposit.`,
  marketSure: "⚠️ That is far from the market. Check both amounts before you go on.",
  marketSureButton: "⚠️ Keep these amounts",
  youShow: "You show",
  comesBack: "It comes back in the same call.",
  unchecked:
    "I can't check the router's conditions on this node. The router checks them itself, and refuses if they are not met.",
  kept: "This call changed nothing.",
  unknownNext: "I won't send it again. The checklist asks the chain whether it was carried out.",
  checklistButton: "📋 Checklist",
  listTitle: "Your launches",
  newButton: "➕ New launch",
  usage: "In one line:",
  askFirst: "Which is the pair's first token? Choose one, or send its name or id.",
  askSecond: (first: string) => `And which token goes with ${first}?`,
  askTicker: "Which ticker should the LP token have? 3 to 10 letters and digits.",
  askName: "And which name? 3 to 20 letters and digits.",
  askPair: "Send the pair's address, klv1…, as your wallet or a chain explorer shows it.",
  askLiquidity: (token: string) => `How much ${token} do you put in? Send an amount.`,
  askLpToken: "What is the LP token's id? Your wallet shows it; it begins with the ticker.",
  askLpAmount: (token: string) => `How much ${token} do you lock? Choose, or send an amount.`,
  askLpAmountRaw: (token: string) =>
    `How much ${token} do you lock? Choose, or send an amount in smallest units: nobody has told me its decimals.`,
  leastAmount: (amount: string) =>
    `At the pool's current price at least ${amount} is needed; lock more, since the price can move.`,
  askUnlock: "Until when? Choose, or send an epoch (5500), a date (2026-12-31) or a length of time (30d).",
  marketAmount: (amount: string, token: string) => `At the market's price it is ${amount} ${token}.`,
  leastEpoch: (epoch: string, now: string) =>
    `It is epoch ${now} now. To enable swapping straight away, choose epoch ${epoch} or later; a few more leave you time.`,
  askLocked: "Which locked token did you receive? Send it with its number, such as LKTOK-1A2B/7.",
  askLockedAmount: (locked: string) => `How much of ${locked} do you hold?`,
  askLockedEpoch: "At which epoch does it unlock?",
};
