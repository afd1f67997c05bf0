import type { Parts } from "../../src/bot/context.js";
import { createFeatures } from "../../src/features.js";

/** The features as the bot lists them, with nothing behind them. */
export const features = createFeatures({
  operator: { isOperator: () => false },
  orders: {},
  settings: {},
} as unknown as Parts);
