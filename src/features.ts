import type { Feature } from "./bot/feature.js";
import { adminFeature, type AdminParts } from "./bot/features/admin.js";
import { historyFeature, type HistoryParts } from "./bot/features/history.js";
import { launchFeature, type LaunchParts } from "./bot/features/launch.js";
import { lockFeature, type LockParts } from "./bot/features/lock.js";
import { orderFeature, type OrderParts } from "./bot/features/order.js";
import { pictureFeature, type PictureParts } from "./bot/features/picture.js";
import { portfolioFeature, type PortfolioParts } from "./bot/features/portfolio.js";
import { priceAlertFeature, type PriceAlertParts } from "./bot/features/price-alert.js";
import { securityFeature, type SecurityParts } from "./bot/features/security.js";
import { settingsFeature, type SettingsParts } from "./bot/features/settings.js";
import { startFeature, type StartParts } from "./bot/features/start.js";
import { swapFeature, type SwapParts } from "./bot/features/swap.js";
import { tokenFeature, type TokenParts } from "./bot/features/token.js";
import { saveWallet, walletFeature, type WalletParts } from "./bot/features/wallet.js";
import { sharedOf } from "./bot/shared.js";

type Services = Omit<
  StartParts &
    OrderParts &
    WalletParts &
    SwapParts &
    LockParts &
    LaunchParts &
    PriceAlertParts &
    PortfolioParts &
    HistoryParts &
    SettingsParts &
    SecurityParts &
    PictureParts &
    TokenParts &
    AdminParts,
  "forms" | "holdings"
>;

/** The one list of features; {@link Feature} says what is fed from it. A text without a command is offered to them in this order. */
export function createFeatures(services: Services): readonly Feature[] {
  const shared = sharedOf(services, (userId, address) => saveWallet(services, userId, address));
  return [
    startFeature,
    orderFeature,
    walletFeature,
    swapFeature,
    lockFeature,
    launchFeature,
    priceAlertFeature,
    portfolioFeature,
    historyFeature,
    settingsFeature,
    securityFeature,
    pictureFeature,
    tokenFeature,
    adminFeature,
  ].map((create) => create({ ...services, ...shared }));
}
