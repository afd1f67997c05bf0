import type { Attributes } from "@opentelemetry/api";
import type { Transformer } from "grammy";
import type { ContractCall } from "../../encoding/call.js";
import { orFault } from "../../fault.js";
import type { ContractGateway } from "./gateway.js";
import type { Http } from "./http.js";

const STOP_MILLISECONDS = 5_000;

export type Tracing = Awaited<ReturnType<typeof startTracing>>;

/**
 * What happens from an update's arrival to a call, as spans of OpenTelemetry. Sends them to a collector by OTLP over HTTP. The
 * packages are large and seldom wanted, so they are loaded here only.
 * @throws Fault `tracing-missing` where they are not installed.
 */
export async function startTracing(endpoint: string) {
  const packages = Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace-node"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const [{ context, SpanStatusCode, trace }, { BatchSpanProcessor, NodeTracerProvider }, exporter, resources] =
    await orFault(packages, "tracing-missing", {});
  const provider = new NodeTracerProvider({
    resource: resources.defaultResource().merge(resources.resourceFromAttributes({ "service.name": "swapdesk" })),
    spanProcessors: [
      new BatchSpanProcessor(new exporter.OTLPTraceExporter({ url: `${endpoint}/v1/traces` }), {
        exportTimeoutMillis: STOP_MILLISECONDS,
      }),
    ],
  });
  provider.register();
  const tracer = provider.getTracer("swapdesk");

  return {
    /** Does some work as a span within the one that is open here; one that throws is marked as failed. */
    span: async <Result>(name: string, attributes: Attributes, work: () => Promise<Result>): Promise<Result> => {
      const span = tracer.startSpan(name, { attributes });
      try {
        return await context.with(trace.setSpan(context.active(), span), work);
      } catch (error) {
        // The error itself may name what must not leave this process.
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    /** Sends what is left, for some seconds at most. */
    stop: (): Promise<void> => provider.shutdown().catch(() => undefined),
  };
}

/** The same, each request a span. Bodies and addresses stay out of it. */
export function tracedHttp(http: Http, { span }: Tracing): Http {
  return {
    ...http,
    request: (request) => span(request.service, { method: request.method }, () => http.request(request)),
  };
}

export function tracedTelegram(call: Transformer, { span }: Tracing): Transformer {
  return (previous, method, payload, signal) =>
    span("telegram", { method }, () => call(previous, method, payload, signal));
}

/** The same, the sending of a call a span; where a wallet signs, its preparation. */
export function tracedGateway(gateway: ContractGateway, { span }: Tracing): ContractGateway {
  const traced = <Result>(name: string, { funcName }: ContractCall, work: () => Promise<Result>) =>
    span(name, { function: funcName }, work);
  return "prepare" in gateway
    ? { ...gateway, prepare: (call, caller) => traced("prepare", call, () => gateway.prepare(call, caller)) }
    : { ...gateway, send: (call, about) => traced("call", call, () => gateway.send(call, about)) };
}
