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

/** What a dialog is entered with. */
export type DialogArguments<Id extends DialogId> =
  Parameters<Dialogs[Id]> extends [dialog: unknown, ctx: unknown, ...args: infer Args] ? Args : never;
