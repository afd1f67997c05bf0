import type { Feature } from "../../src/bot/feature.js";
import { createFeatures } from "../../src/app/features.js";

const base = { settings: {} };
const market = { lock: {}, newPairs: {}, arrivals: {}, bigTrades: {}, priceAlerts: {}, launching: {} };
const services = { connections: {}, market, orders: {}, operator: { isOperator: () => false } };
const parts = {
  base,
  cards: {},
  proposals: { topic: { name: "proposal" } },
  standingOrders: { offers: { name: "offer" } },
  weekly: {},
};

/** The bot's features, without services. */
export const features = createFeatures(...([services, parts] as unknown as Parameters<typeof createFeatures>));

/** The feature that a file under `src/bot/features` creates, without services. */
export async function featureIn(file: string): Promise<Feature> {
  const url = new URL(`../../src/bot/features/${file}.ts`, import.meta.url).href;
  const exported = (await import(url)) as Record<string, unknown>;
  const [, make] = Object.entries(exported).find(([name]) => name.endsWith("Feature")) ?? [];
  return (make as (services: object) => Feature)({ ...services, ...market, ...parts, forms: {} });
}
