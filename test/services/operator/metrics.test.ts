import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createMetrics, type Metrics } from "../../../src/services/operator/metrics.js";
import { amountOf } from "../../../src/encoding/amount.js";
import { intent, swapTerms } from "../../cards/arrange.js";
import { kfi } from "../samples.js";

function arrange(): Metrics {
  const metrics = createMetrics();
  metrics.outbox(async () => ({ count: 3, oldestMilliseconds: 1_500 }));
  metrics.unspent(async () => 104);
  metrics.blocks({
    state: () => ({ isCurrent: false, since: 0, isClosed: false, missedAt: undefined }),
    overdue: () => Promise.resolve(70_000),
  });
  return metrics;
}

it("counts events with bounded labels, in the units of Prometheus's conventions", async () => {
  const metrics = arrange();
  metrics.updateBegins()();
  metrics.updateBegins();
  metrics.asked({ service: "telegram", method: "sendMessage", status: 200, seconds: 0.02 });
  metrics.asked({ service: "telegram", method: "sendMessage", status: 429, seconds: 0.02 });
  // A long poll says nothing about how fast Telegram is.
  metrics.asked({ service: "telegram", method: "getUpdates", status: 200 });
  metrics.asked({ service: "quotation", status: 200, seconds: 0.2 });
  metrics.asked({ service: "node", status: "timeout", seconds: 10 });
  metrics.counted(intent(swapTerms, "OK", { kind: "ok", returnData: [] }), amountOf(kfi, 1_234_567n));
  metrics.standing(async () => ({ limit: 0, stop: 1, dca: 2, exit: 0 }));
  const request = { ...swapTerms.request, standing: { id: "order", kind: "limit" as const } };
  metrics.counted({ ...intent({ ...swapTerms, request }), origin: "standing" }, undefined);
  metrics.counted(intent({ ...swapTerms, request }), undefined);
  metrics.counted(intent(swapTerms, "UNKNOWN", { kind: "unknown", code: "interrupted" }), undefined);
  const text = await metrics.text();
  for (const line of [
    "swapdesk_updates_handled_total 1",
    "swapdesk_updates_under_way 1",
    "swapdesk_update_duration_seconds_count 1",
    'swapdesk_replies_total{method="sendMessage"} 1',
    'swapdesk_upstream_rate_limited_total{service="telegram"} 1',
    'swapdesk_upstream_request_duration_seconds_bucket{le="0.025",service="telegram",status="200"} 1',
    'swapdesk_upstream_request_duration_seconds_count{service="node",status="timeout"} 1',
    'swapdesk_quotes_total{outcome="answered"} 1',
    'swapdesk_calls_total{outcome="unknown"} 1',
    'swapdesk_intents_total{state="OK"} 1',
    'swapdesk_fees_total{token="KFI"} 1.234567',
    'swapdesk_standing_orders{kind="dca"} 2',
    'swapdesk_standing_offers_total{kind="limit"} 1',
    "swapdesk_outbox_people 3",
    "swapdesk_unspent_cards 104",
    "swapdesk_blocks_current 0",
    "swapdesk_blocks_overdue_seconds 70",
    "swapdesk_outbox_oldest_seconds 1.5",
  ]) {
    expect(text).toContain(`${line}\n`);
  }
});

it("bounds the number of series, however many tokens are made up", async () => {
  const metrics = arrange();
  for (let token = 0; token < 300; token += 1) {
    const fee = amountOf({ ...kfi, id: `T${token}-AAAA` }, 1_000_000n);
    metrics.counted(intent(swapTerms, "OK"), fee);
  }
  expect((await metrics.text()).match(/^swapdesk_fees_total\{/gm)).toHaveLength(100);
});

it.each(["grafana.json", "alerts.yml"])("deploy/%s names only metrics that exist", async (file) => {
  const metrics = arrange();
  metrics.watchProcess();
  const text = readFileSync(join(import.meta.dirname, "../../../deploy", file), "utf8");
  if (file.endsWith(".json")) expect(JSON.parse(text)).toMatchObject({ title: "Swapdesk" });
  const named = new Set(text.match(/\b(?:swapdesk|process|nodejs)_[a-z0-9_]+/g));
  const types = new Map(
    [...(await metrics.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
  );
  const exists = (name: string) =>
    types.has(name) || types.get(name.replace(/_(?:bucket|count|sum)$/, "")) === "histogram";
  expect([...named].filter((name) => !exists(name))).toEqual([]);
  expect(named.size).toBeGreaterThan(8);
});
