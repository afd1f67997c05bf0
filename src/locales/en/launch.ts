import type { Evidence, LaunchStep } from "../../model/launch.js";

const steps: Record<LaunchStep, string> = {
  "create-pair": "Create the pair",
  "issue-lp": "Issue the LP token",
  "set-roles": "Set the local roles",
  "add-liquidity": "Add the first liquidity",
  lock: "Lock the LP tokens",
  enable: "Enable swapping",
};
const evidence: Record<Evidence, string> = {
  view: "the chain shows it",
  answer: "the node answered ok",
  word: "as you told me",
};
const todo: Record<LaunchStep, string> = {
  "create-pair":
    "The router makes a contract for the two tokens. The account that creates the pair must also add the first liquidity and enable swapping.",
  "issue-lp":
    "The router issues the pair's LP token. For a while after the creation only the pair's creator can do it.",
  "set-roles": "It lets the pair mint and burn its LP token. Without it the first liquidity is refused.",
  "add-liquidity":
    "You pay in both tokens; their proportion is the first price. You receive LP tokens for all but 1000 units, which stay in the pair for ever.",
  lock: "You lock LP tokens until an epoch and receive a locked token, which opens the pair for swaps.",
  enable:
    "You show the locked token to the router. It checks value and time, opens the pair, and sends the locked token back to you.",
};

export const launch = {
  title: (first: string, second: string) => `Launch ${first} / ${second}`,
  step: (step: LaunchStep) => steps[step],
  evidence: (by: Evidence) => evidence[by],
  todo: (step: LaunchStep) => todo[step],
  stepTitle: (step: LaunchStep, first: string, second: string) => `${steps[step]} · ${first} / ${second}`,
  confirm: (step: LaunchStep) => `✅ Confirm: ${steps[step].toLowerCase()}`,
  doButton: (step: LaunchStep) => `▶️ ${steps[step]}`,
  pair: "Pair",
  pairHex: "In hexadecimal",
  lpToken: "LP token",
  lpNamed: (name: string, ticker: string) => `${name}, ticker ${ticker}`,
  underWay: "⏳ The call is under way.",
  unknown: "⚠️ Outcome unknown: the call left, no clear answer came, and this node has no view that tells.",
  unknownUnasked: "⚠️ Outcome unknown: the call left, and no clear answer came. When the node can be asked, I look.",
  unknownAsk: "Look in your wallet or in a chain explorer, then tell me. I send nothing again before that.",
  unseen:
    "⚠️ A call for this step left before, but the chain does not show it as done. If it was only a moment ago, check again first; a second call would be refused if the first one still arrives.",
  notReachable: "I can't ask the node now, so this is what I know from before. Check again later.",
  manual:
    "Do this in your wallet, from the account that created the pair: the public interface names this call without its shape, so I don't send it myself. Enter exactly this:",
  manualContract: "Contract",
  manualFunction: "Function",
  manualArguments: "Arguments",
  manualPayment: "Payment",
  manualNone: "none",
  manualCheck: "Then tap 🔄 Check: I look on the chain whether it is done.",
  manualWord: "Then tap ✅ Done: no view of the chain shows this, so I take your word.",
  amountsButton: "▶️ Enter the amounts",
  otherAmountsButton: "✏️ Other amounts",
  doneButton: "✅ Done",
  carriedOutButton: "✅ It was carried out",
  notCarriedOutButton: "↩️ It was not",
  lockedElsewhereButton: "✅ I have a locked token",
  undoButton: (step: LaunchStep) => `↩️ Not done: ${steps[step].toLowerCase()}`,
  checked: (time: string) => `Checked at ${time}`,
  checkButton: "🔄 Check",
  dropButton: "✖️ Drop",
  dropTitle: (first: string, second: string) => `Drop the launch of ${first} / ${second}?`,
  dropExplain:
    "I forget the checklist. On the chain nothing changes: what was created stays, and locked tokens stay in /locks. As long as the pair is yours and not open for swaps, /launch takes it up again.",
  dropSure: "✖️ Yes, drop it",
  dropped: "Dropped. Nothing on the chain was changed.",
  conditions: (value: string, period: string) =>
    `To enable swapping, LP tokens worth more than ${value} must be locked for more than ${period} epochs.`,
  conditionsUnknown:
    "This node doesn't tell the router's conditions for enabling (least value and least time of the lock). Ask whoever runs the router before you lock.",
  strictly:
    "I wait until both are above the minimum, not just equal to it: the public descriptions of the router disagree on whether equal is enough, and above is right under both.",
  lockedValue: "Locked value",
  lockedFor: "Locked for",
  epochs: (count: string) => (count === "1" ? "1 epoch" : `${count} epochs`),
  mustExceed: (minimum: string) => `must be above ${minimum}`,
  isEnough: "With this lock swapping can be enabled.",
  isNotEnough: "With this lock alone swapping can't be enabled.",
  noCommonToken:
    "⚠️ The router values pairs in certain tokens only, and neither of these two is one of them. You can't enable swapping for this pair yourself; ask whoever runs the router.",
  noConfig:
    "⚠️ The router's owner has set no conditions for this token yet (configEnableByUserParameters), so swapping can't be enabled. Don't lock anything for it before that.",
  noAdder: "⚠️ The pair names nobody as its initial liquidity adder, so nobody can enable swapping this way.",
  otherAdder: (adder: string) =>
    `⚠️ Only ${adder} may add the first liquidity and enable swapping here, and your address is another one.`,
  otherAdderMaybe: "If the account behind this bot's node is that one, it works all the same.",
  complete: "🎉 All done: the pair is open. Anybody can swap now:",
  completeLock: "Your LP tokens stay locked until their epoch; /locks shows when they can be taken back.",
  caller: "The call is made in the name of your account, which must be the pair's creator:",
  callerUnknown:
    "⚠️ The interface has no field for who makes this call, and this bot's node isn't told. It is made by the account that the node stands for; that one must be yours, and the same for every step:",
  youPay: "You pay",
  firstPrice: "First price",
  worth: (least: string, minimum: string) =>
    `All LP tokens of it are worth at least ${least}; to enable swapping, more than ${minimum} has to be locked.`,
  worthTooLittle: (minimum: string) =>
    `⚠️ Even when you lock all LP tokens of it, that may not be above ${minimum}, so swapping may not be enabled. Better add more.`,
  marketPrice: "The proportion should be the market's: whoever comes first takes the difference.",
  youShow: "You show",
  comesBack: "It comes back in the same call.",
  unchecked:
    "I can't check the router's conditions on this node. The router checks them, and refuses when they are not met.",
  uncheckedButton: "I understand, show the card",
  received: "You received",
  kept: "Nothing was changed by this call.",
  unknownNext: "I will not send it again by myself. The checklist asks the chain whether it was carried out.",
  checklistButton: "📋 Checklist",
  listTitle: "Your launches",
  listRow: (first: string, second: string) => `${first} / ${second}`,
  newButton: "➕ New launch",
  usage: "In one line it goes:",
  askFirst: "Which token does the pair have first? Choose one, or send its name or id.",
  askSecond: (first: string) => `And which token beside ${first}?`,
  askTicker: "Under which ticker should the LP token be issued? 3 to 10 letters and digits.",
  askName: "And its name? 3 to 20 letters and digits.",
  askPair: "Send the pair's address, klv1…, as your wallet or a chain explorer shows it.",
  askLiquidity: (token: string) => `How much ${token} do you put in? Send an amount in whole ${token}.`,
  askLpToken: "Which id does the LP token have? Your wallet shows it; it begins with the ticker.",
  askLpAmount: (token: string) => `How much ${token} do you lock? Choose, or send an amount.`,
  askLpAmountRaw: (token: string) =>
    `How much ${token} do you lock? Choose, or send an amount in smallest units: nobody has told me its decimals.`,
  leastAmount: (amount: string) =>
    `At least ${amount} is needed at the pool of now; take more, since the pool can move.`,
  askUnlock: "Until when? Send an epoch (5500), a date (2026-12-31) or a duration (30d).",
  leastEpoch: (epoch: string, now: string) =>
    `It is epoch ${now} now. To enable at once, it must be epoch ${epoch} or later; a few more leave you time.`,
  askLocked: "Which locked token did you receive? Send it with its number, such as LKTOK-1A2B/7.",
  askLockedAmount: (locked: string) => `How much of ${locked} do you hold?`,
  askLockedEpoch: "At which epoch does it unlock?",
};
