import { alertCard, alertsCard, priceNewsCard, toldAlertCard, toldAlertsCard } from "../../src/cards/price-alert.js";
import type { PriceAlert } from "../../src/services/alerts/price-alert-queries.js";
import { priceAlert } from "../services/alerts/price-alerts-world.js";
import { now } from "./arrange.js";
import type { CardSample } from "./card-sample.js";

const alert = priceAlert({
  id: "a".repeat(22),
  rule: { way: "above", price: "1250.5" },
  lines: { high: 12_505_000_000n },
  anchor: 11_000_000_000n,
  endsAt: now + 30 * 86_400_000,
  last: { units: 11_400_000_000n, at: now - 12_000 },
  asked: { at: now - 12_000, everyMs: 15_020 },
});
const crossing = (n: number, units: bigint, from = 11_000_000_000n) => ({ n, at: now - 3_600_000 / n, from, units });
const move: PriceAlert = { ...alert, rule: { way: "move", bps: 550n }, isPaused: true, comesInQuietHours: true };
const beyond: PriceAlert = {
  ...alert,
  asked: { at: now - 400_000, everyMs: 90_000 },
  rule: { way: "below", price: "1200" },
  lines: { high: 12_120_000_000n },
};

const missing: PriceAlert = {
  ...alert,
  last: { units: 11_400_000_000n, at: now - 100_000_000 },
  missingSince: now - 99_000_000,
};

const quietHours = { modes: {}, quiet: { from: "22:00", to: "07:00" } };

export const alertSamples: readonly CardSample[] = [
  { name: "alert, above a price", draw: (view) => alertCard(alert, view) },
  { name: "alert, below a price that it is below already", draw: (view) => alertCard(beyond, view) },
  {
    name: "alert, a move, paused, in quiet hours too",
    draw: (view) => alertCard(move, { ...view, alerts: quietHours }),
  },
  { name: "alert, of somebody with quiet hours", draw: (view) => alertCard(alert, { ...view, alerts: quietHours }) },
  { name: "alert whose price can't be had", draw: (view) => alertCard(missing, view) },
  { name: "alerts, one whose price can't be had", draw: (view) => alertsCard([missing, alert], 0, view) },
  {
    name: "prices missing",
    draw: (view) => priceNewsCard({ kind: "missing", alerts: Array.from({ length: 12 }, () => missing) }, view),
  },
  { name: "prices back", draw: (view) => priceNewsCard({ kind: "back", alerts: [missing] }, view) },
  { name: "alerts, none", draw: (view) => alertsCard([], 0, view) },
  { name: "alerts, the last page", draw: (view) => alertsCard([alert, beyond, move, alert, beyond, move], 9, view) },
  {
    name: "alert told",
    draw: (view) => toldAlertCard({ ...alert, crossings: 1, untold: [crossing(1, 12_600_000_000n)] }, view),
  },
  {
    name: "alert told, whose price goes to and fro",
    draw: (view) => {
      const storm = { isOver: false, count: 4, lastAt: view.now };
      return toldAlertCard({ ...alert, crossings: 4, told: 3, untold: [crossing(4, 12_600_000_000n)], storm }, view);
    },
  },
  {
    name: "alert told, whose price is steady again",
    draw: (view) => {
      const storm = { isOver: true, count: 17, lastAt: view.now - 600_000 };
      return toldAlertCard({ ...alert, crossings: 17, told: 4, untold: [crossing(17, 12_600_000_000n)], storm }, view);
    },
  },
  {
    name: "alert told, after a long wait",
    draw: (view) =>
      toldAlertCard(
        { ...alert, crossings: 9, told: 2, untold: [5, 6, 7, 8, 9].map((n) => crossing(n, 12_600_000_000n)) },
        view,
      ),
  },
  {
    name: "alert told, a move down",
    draw: (view) =>
      toldAlertCard(
        {
          ...move,
          isPaused: false,
          crossings: 2,
          untold: [crossing(1, 11_605_000_000n), crossing(2, 10_966_725_000n, 11_605_000_000n)],
        },
        view,
      ),
  },
  {
    name: "alerts told together, of fifty",
    draw: (view) => {
      const told = { ...alert, crossings: 1, untold: [crossing(1, 12_600_000_000n)] };
      const over: PriceAlert = { ...alert, ended: "time" };
      return toldAlertsCard(
        [{ ...told, ...move, rule: move.rule }, told, over, ...Array.from({ length: 47 }, () => told)],
        view,
      );
    },
  },
  { name: "alert ended, its time over", draw: (view) => toldAlertCard({ ...alert, lines: {}, ended: "time" }, view) },
  {
    name: "alert ended, a token no longer listed",
    draw: (view) => toldAlertCard({ ...move, lines: {}, ended: "unlisted" }, view),
  },
];
