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

type PartsOf<Make extends (parts: never) => unknown> = Parameters<Make>[0];

/** What dialogs ask of the world. None of it sends anything to the chain. */
export type AllDialogParts = LaunchDialogParts &
  PartsOf<typeof unlockDialog> &
  PartsOf<typeof walletDialog> &
  PartsOf<typeof settingDialog>;

/** Every dialog by its id. */
export function allDialogs(parts: AllDialogParts) {
  return {
    swap: swapDialog(parts),
    multihop: multihopDialog(parts),
    lock: lockDialog(parts),
    unlock: unlockDialog(parts),
    launch: launchDialog(parts),
    "launch-pair": launchPairDialog(parts),
    "launch-liquidity": launchLiquidityDialog(parts),
    "launch-lock": launchLockDialog(parts),
    "launch-locked": launchLockedDialog(parts),
    quote: quoteDialog(parts),
    order: orderDialog(parts),
    wallet: walletDialog(parts),
    setting: settingDialog(parts),
  };
}

type Dialogs = ReturnType<typeof allDialogs>;

export type DialogId = keyof Dialogs;

/** To be raised where a form's steps change, so that an open dialog could not go on. */
const versions = {
  swap: 1,
  multihop: 1,
  lock: 1,
  unlock: 1,
  launch: 1,
  "launch-pair": 1,
  "launch-liquidity": 1,
  "launch-lock": 1,
  "launch-locked": 1,
  quote: 1,
  order: 1,
  wallet: 1,
  setting: 1,
} satisfies Record<DialogId, number>;

/** Under which a form's open dialogs are kept. */
export function formId(id: DialogId): string {
  return `${id}.${versions[id]}`;
}

/** What a dialog is entered with. */
export type DialogArguments<Id extends DialogId> =
  Parameters<Dialogs[Id]> extends [dialog: unknown, ctx: unknown, ...args: infer Args] ? Args : never;
