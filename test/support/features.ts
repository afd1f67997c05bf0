import { createFeatures } from "../../src/features.js";

/** The features as the bot lists them, with nothing behind them. */
export const features = createFeatures({
  settings: {},
  lock: {},
  priceAlerts: {},
  operator: { isOperator: () => false },
  orders: {},
} as unknown as Parameters<typeof createFeatures>[0]);
