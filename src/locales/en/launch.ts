export const launch = {
  title: (first: string, second: string) => `Launch ${first} / ${second}`,
  steps: {
    "create-pair": "Create the pair",
    "issue-lp": "Issue the LP token",
    "set-roles": "Set the token roles",
    "add-liquidity": "Add the first liquidity",
    lock: "Lock the LP tokens",
    enable: "Enable swapping",
  },
  evidence: { view: "on chain", answer: "accepted by the node", word: "reported by you" },
  todo: {
    "create-pair":
      "The router deploys a contract for this pair. The same account must later add the first liquidity and enable swapping.",
    "issue-lp": "The router issues the pair's LP token. For a short time only the pair's creator can do this.",
    "set-roles": "Allows the pair to mint and burn LP tokens. Without it, adding liquidity fails.",
    "add-liquidity":
      "You deposit both tokens; their ratio sets the starting price. You receive LP tokens, minus 1,000 base units that stay in the pair forever.",
    lock: "Lock LP tokens until an epoch you choose. You get a locked token, which you need for step 6.",
    enable:
      "Send the locked token to the router. It checks the amount and duration, enables swapping and returns the token in the same transaction.",
  },
  confirm: (step: string) => `✅ Confirm: ${step}`,
  pair: "Pair",
  pairHex: "Hex",
  lpToken: "LP token",
  lpNamed: (name: string, ticker: string) => `${name}, ticker ${ticker}`,
  underWay: "⏳ In progress.",
  unknown:
    "⚠️ Outcome unknown: it was sent, but no clear answer came back, and the node can't show whether it went through.",
  unknownUnasked:
    "⚠️ Outcome unknown: it was sent, but no clear answer came back. I'll check as soon as I can reach the node.",
  unknownAsk: "Check your wallet or an explorer, then tell me what happened. Until then I won't send anything.",
  unseen:
    "⚠️ This step was already sent, but the chain doesn't show it yet. If that was just now, tap 🔄 Check first. If both arrive, the second is rejected.",
  notReachable: "I can't reach the node. This is the last known state. Check again later.",
  manual:
    "Do this step in your wallet, from the account that created the pair. (Its format isn't publicly documented, so I don't send it for you.) Enter exactly:",
  manualContract: "Contract",
  manualFunction: "Function",
  manualArguments: "Arguments",
  manualPayment: "Payment",
  manualNone: "none",
  manualCheck: "Then tap 🔄 Check, and I'll look it up on chain.",
  manualWord: "Then tap ✅ Done. I can't see this step on chain, so I rely on you.",
  amountsButton: "▶️ Enter the amounts",
  otherAmountsButton: "✏️ Change amounts",
  doneButton: "✅ Done",
  carriedOutButton: "✅ It went through",
  notCarriedOutButton: "↩️ It didn't",
  lockedElsewhereButton: "✅ I have a locked token",
  undoButton: (step: string) => `↩️ Mark as not done: ${step}`,
  checked: (time: string) => `Checked at ${time}`,
  checkButton: "🔄 Check",
  dropButton: "🗑 Remove",
  dropTitle: (first: string, second: string) => `Remove the ${first} / ${second} launch from your list?`,
  dropExplain:
    "Only the checklist is deleted. Nothing changes on chain, and your locks stay in /locks. You can resume it with /launch while the pair is yours and not open for swaps.",
  dropSure: "🗑 Yes, remove it",
  dropped: "Removed. Nothing changed on chain.",
  conditions: (value: string, epochs: string, about: string | undefined) =>
    `To enable swapping, lock LP tokens worth more than ${value} for more than ${epochs}${about === undefined ? "" : ` (about ${about})`}.`,
  conditionsUnknown:
    "This node doesn't report the router's requirements (how much to lock, for how long). Ask the router's owner before you lock.",
  strictly: "Both must be above the minimum.",
  lockedValue: "Locked value",
  lockedFor: "Locked for",
  epochs: (count: bigint) => (count === 1n ? "1 epoch" : `${count} epochs`),
  mustExceed: (minimum: string | bigint) => `must be above ${minimum}`,
  isEnough: "✅ Enough to enable swapping",
  isNotEnough: "❌ Not enough to enable swapping",
  obstacle: {
    "no-common-token":
      "⚠️ The router can't value this pair, because neither token is one it accepts as a base. You can't enable swapping yourself; ask the router's owner.",
    "no-config":
      "⚠️ The router's owner hasn't set requirements for this token (configEnableByUserParameters), so swapping can't be enabled. Don't lock anything until then.",
    "no-adder":
      "⚠️ No account is registered as this pair's initial liquidity provider, so swapping can't be enabled this way.",
  },
  otherAdder: (adder: string) =>
    `⚠️ Only ${adder} can add the first liquidity and enable swapping, and that isn't your address.`,
  otherAdderMaybe: "If this bot's node sends from that account, it still works.",
  complete: "🎉 Done: the pair is open. Anyone can swap now:",
  completeLock: "Your LP tokens stay locked until their epoch; /locks shows when you can unlock them.",
  caller: "Sent from your account, which must be the pair's creator:",
  callerUnknown:
    "⚠️ This is sent from the node's own account. That account must be yours, and the same one for every step:",
  firstPrice: "Starting price",
  worth: (least: string, minimum: string) =>
    `Your LP tokens will be worth at least ${least}. You need to lock more than ${minimum} to enable swapping.`,
  worthTooLittle: (minimum: string) =>
    `⚠️ Even if you lock all your LP tokens, they may be worth less than the ${minimum} required to enable swapping. Add more liquidity.`,
  marketPrice: "Match the market price, or arbitrage traders will take the difference from your deposit.",
  marketEqual: (rate: string) => `Matches the market price (${rate}).`,
  marketDiffers: (rate: string, token: string, percent: string, isAbove: boolean) =>
    `Market price: ${rate}. Your price for ${token} is ${percent} ${isAbove ? "higher" : "lower"}.`,
  marketLoss: (amount: string) => `Arbitrage traders can take up to ${amount} of your deposit.`,
  marketSure: "⚠️ Your price is far from the market. Check both amounts.",
  marketSureButton: "⚠️ Keep these amounts",
  youShow: "You send (and get back)",
  comesBack: "Returned in the same transaction.",
  unchecked:
    "This node doesn't report the router's requirements. The router checks them and rejects the step if they aren't met.",
  kept: "Nothing changed.",
  unknownNext: "The checklist checks it on chain.",
  checklistButton: "📋 Checklist",
  listTitle: "Your launches",
  newButton: "➕ New launch",
  usage: "Or launch in one line:",
  askFirst: "Which is the pair's first token? Choose one, or send its name or ID.",
  askSecond: (first: string) => `Which token do you want to pair with ${first}?`,
  askTicker: "LP token ticker? 3 to 10 letters and digits.",
  askName: "LP token name? 3 to 20 letters and digits.",
  askPair: "Send the pair's address, klv1…, as your wallet or an explorer shows it.",
  askLiquidity: (token: string) => `How much ${token} do you want to deposit? Send an amount.`,
  askLpToken: "What is the LP token's ID? Your wallet shows it; it begins with the ticker.",
  askLpAmount: (token: string) => `How much ${token} do you want to lock? Choose, or send an amount.`,
  askLpAmountRaw: (token: string) =>
    `How much ${token} do you want to lock? Choose, or send an amount in base units (its decimals are unknown).`,
  leastAmount: (amount: string) =>
    `You need at least ${amount} at the current price. Lock a bit more in case it moves.`,
  tooLittle: (amount: string, least: string) =>
    `⚠️ ${amount} is too little: step 6 needs at least ${least} at the current price. Locked tokens can't be taken back early.`,
  lockedForNothing: (epoch: bigint, moment: string | undefined) =>
    `⚠️ This lock is not enough for step 6 of your launch. Your tokens will be locked for nothing until ${moment === undefined ? `epoch ${epoch}` : `about ${moment} (epoch ${epoch})`}.`,
  lockUnchecked:
    "⚠️ I can't check whether this lock is enough for step 6 of your launch. If it isn't, your tokens are locked for nothing.",
  noLongerEnough: "⚠️ This lock is no longer enough for step 6 of your launch. Nothing was sent.",
  askUnlock: "Lock until when? Choose, or send an epoch (5500), a date (2026-12-31) or a duration (30d).",
  marketAmount: (amount: string, token: string) => `At the market price it is ${amount} ${token}.`,
  leastEpoch: (epoch: string, now: string) =>
    `Current epoch: ${now}. To enable swapping right away, choose epoch ${epoch} or later; add a few to be safe.`,
  askLocked: "Which locked token did you receive? Send it with its number, such as LKTOK-1A2B/7.",
  askLockedAmount: (locked: string) => `How much ${locked} do you hold?`,
  askLockedEpoch: "At which epoch does it unlock?",
};
