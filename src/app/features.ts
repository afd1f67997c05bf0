import type { Feature } from "../bot/feature.js";
import { adminFeature } from "../bot/features/admin.js";
import { historyFeature } from "../bot/features/history.js";
import { launchFeature } from "../bot/features/launch.js";
import { lockFeature } from "../bot/features/lock.js";
import { orderFeature } from "../bot/features/order.js";
import { pictureFeature } from "../bot/features/picture.js";
import { portfolioFeature } from "../bot/features/portfolio.js";
import { priceAlertFeature } from "../bot/features/price-alert.js";
import { securityFeature } from "../bot/features/security.js";
import { settingsFeature } from "../bot/features/settings.js";
import { startFeature } from "../bot/features/start.js";
import { swapFeature } from "../bot/features/swap.js";
import { tokenFeature } from "../bot/features/token.js";
import { saveWallet, walletFeature } from "../bot/features/wallet.js";
import { type Services, sharedOf } from "../bot/shared.js";

/** Every feature; see {@link Feature} for what one contributes. Text without a command is offered to them in order. */
export function createFeatures(services: Omit<Services, "forms" | "holdings">): readonly Feature[] {
  const shared = sharedOf(services, (userId, address) => saveWallet(services, userId, address));
  const all = { ...services, ...shared };
  return [
    startFeature(all),
    orderFeature(all),
    walletFeature(all),
    swapFeature(all),
    lockFeature(all),
    launchFeature(all),
    priceAlertFeature(all),
    portfolioFeature(all),
    historyFeature(all),
    settingsFeature(all),
    securityFeature(all),
    pictureFeature(all),
    tokenFeature(all),
    adminFeature(all),
  ];
}
