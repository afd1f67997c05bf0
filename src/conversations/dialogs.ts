import {
  launchDialog,
  launchLiquidityDialog,
  launchLockDialog,
  launchLockedDialog,
  launchPairDialog,
  type LaunchDialogParts,
} from "./launch.js";
import { lockDialog, unlockDialog } from "./lock.js";
import { multihopDialog } from "./multihop.js";
import { orderDialog } from "./order.js";
import { settingDialog } from "./setting.js";
import { quoteDialog, swapDialog } from "./swap.js";
import { walletDialog } from "./wallet.js";

/** Every form with the version of its steps: to be raised where an open dialog could not go on with them as they are now. */
const forms = {
  swap: [swapDialog, 1],
  multihop: [multihopDialog, 1],
  lock: [lockDialog, 1],
  unlock: [unlockDialog, 1],
  launch: [launchDialog, 1],
  "launch-pair": [launchPairDialog, 1],
  "launch-liquidity": [launchLiquidityDialog, 1],
  "launch-lock": [launchLockDialog, 1],
  "launch-locked": [launchLockedDialog, 1],
  quote: [quoteDialog, 1],
  order: [orderDialog, 1],
  wallet: [walletDialog, 1],
  setting: [settingDialog, 1],
} as const;

export type DialogId = keyof typeof forms;

type Make<Id extends DialogId = DialogId> = (typeof forms)[Id][0];

/** What dialogs ask of the world. None of it sends anything to the chain. */
export type AllDialogParts = LaunchDialogParts &
  Parameters<typeof unlockDialog>[0] &
  Parameters<typeof settingDialog>[0];

/** What a dialog is entered with. */
export type DialogArguments<Id extends DialogId> =
  Parameters<ReturnType<Make<Id>>> extends [dialog: unknown, ctx: unknown, ...args: infer Args] ? Args : never;

/** Under which a form's open dialogs are kept. */
export function formId(id: DialogId): string {
  return `${id}.${forms[id][1]}`;
}

/** Every dialog by that id. */
export function allDialogs(parts: AllDialogParts): Readonly<Record<string, ReturnType<Make>>> {
  return Object.fromEntries(Object.entries(forms).map(([id, [make, version]]) => [`${id}.${version}`, make(parts)]));
}
