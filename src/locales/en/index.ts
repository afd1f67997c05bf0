import { admin } from "./admin.js";
import { balance } from "./balance.js";
import { common } from "./common.js";
import { faults } from "./faults.js";
import { help } from "./help.js";
import { history } from "./history.js";
import { orders } from "./orders.js";
import { intent } from "./intent.js";
import { launch } from "./launch.js";
import { lock } from "./lock.js";
import { multihop } from "./multihop.js";
import { price } from "./price.js";
import { refusals } from "./refusals.js";
import { security } from "./security.js";
import { settings } from "./settings.js";
import { signing } from "./signing.js";
import { swap } from "./swap.js";
import { token } from "./token.js";
import { wallet } from "./wallet.js";

export const en = {
  languageName: "English",
  admin,
  balance,
  common,
  faults,
  help,
  history,
  intent,
  launch,
  lock,
  multihop,
  orders,
  price,
  refusals,
  security,
  settings,
  signing,
  swap,
  token,
  wallet,
};

/** Every word that people see, in one language. A second language that lacks a key does not compile. */
export type Messages = typeof en;
