import type { Messages } from "../messages.js";
import { common } from "./common.js";
import { faults } from "./faults.js";
import { help } from "./help.js";
import { history } from "./history.js";
import { orders } from "./orders.js";
import { settings } from "./settings.js";
import { swap } from "./swap.js";
import { wallet } from "./wallet.js";

export const pt: Messages = { languageName: "Português", common, faults, help, history, orders, settings, swap, wallet };
