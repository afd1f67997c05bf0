import type { Dialog, DialogContext } from "./dialog.js";
import type { Setting } from "./setting.js";

/** Every dialog by its id, and what it is entered with. */
export interface DialogArguments {
  readonly swap: [typed?: string];
  readonly multihop: [typed?: string];
  readonly lock: [typed?: string];
  readonly unlock: [typed?: string];
  readonly launch: [typed?: string];
  readonly "launch-pair": [launchId: string];
  readonly "launch-liquidity": [launchId: string];
  readonly "launch-lock": [launchId: string];
  readonly "launch-locked": [launchId: string];
  readonly quote: [];
  readonly order: [];
  readonly wallet: [];
  readonly setting: [kind: Setting["kind"]];
}

export type DialogId = keyof DialogArguments;

/** The function of each dialog. */
export type Dialogs = {
  readonly [Id in DialogId]: (dialog: Dialog, ctx: DialogContext, ...args: DialogArguments[Id]) => Promise<void>;
};
