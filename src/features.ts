import type { Parts } from "./bot/context.js";
import { formParts } from "./bot/dialogs/market.js";
import type { Feature } from "./bot/feature.js";
import { adminFeature } from "./bot/features/admin.js";
import { balanceFeature } from "./bot/features/balance.js";
import { freezeFeature } from "./bot/features/freeze.js";
import { historyFeature } from "./bot/features/history.js";
import { launchFeature } from "./bot/features/launch.js";
import { lockFeature } from "./bot/features/lock.js";
import { multihopFeature } from "./bot/features/multihop.js";
import { orderFeature } from "./bot/features/order.js";
import { securityFeature } from "./bot/features/security.js";
import { formOfSettings, settingsFeature } from "./bot/features/settings.js";
import { startFeature } from "./bot/features/start.js";
import { swapFeature } from "./bot/features/swap.js";
import { tokenFeature } from "./bot/features/token.js";
import { createHoldings } from "./bot/held.js";
import { saveWallet, walletFeature } from "./bot/features/wallet.js";

/**
 * All features: commands, buttons, forms and what is written without a command are looked up here alone. A text without a command
 * is offered to them in this order.
 */
export function createFeatures(parts: Parts): readonly Feature[] {
  const { balances, clock, lock, pools, settings, store, tokens } = parts;
  const { referralPercentage } = settings;
  const holdings = createHoldings({ balances, lock, tokens, callerIsPerson: settings.callIncludesCaller, clock });
  const forms = formParts({ ...parts, holdings, saveWallet: (userId, address) => saveWallet(parts, userId, address) });
  const asking = { ...parts, forms };
  const setting = formOfSettings(asking);
  return [
    startFeature({ ...parts, holdings, referralPercentage }),
    orderFeature(asking),
    walletFeature(asking),
    swapFeature(asking),
    multihopFeature(asking),
    lockFeature({ ...asking, holdings }),
    launchFeature(asking),
    balanceFeature({ balances, holdings, lock, pools, tokens, store, clock }),
    historyFeature({ intents: parts.intents, referralPercentage, clock }),
    settingsFeature(parts, setting),
    securityFeature(parts, setting),
    freezeFeature(parts),
    tokenFeature(parts),
    adminFeature(parts),
  ];
}
