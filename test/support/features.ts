import type { Feature } from "../../src/bot/feature.js";
import { createFeatures } from "../../src/app/features.js";

const nothing = { settings: {}, lock: {}, priceAlerts: {}, operator: { isOperator: () => false }, orders: {} };

/** The bot's features, without services. */
export const features = createFeatures(nothing as unknown as Parameters<typeof createFeatures>[0]);

/** The feature that a file under `src/bot/features` creates, without services. */
export async function featureIn(file: string): Promise<Feature> {
  const url = new URL(`../../src/bot/features/${file}.ts`, import.meta.url).href;
  const exported = (await import(url)) as Record<string, unknown>;
  const [, make] = Object.entries(exported).find(([name]) => name.endsWith("Feature")) ?? [];
  return (make as (services: object) => Feature)({ ...nothing, forms: {} });
}
