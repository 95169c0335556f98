import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname } from 'node:os';
import { defaultTextMapGetter, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { Operation, Tracing, TracingConfig, TracingOptions } from './tracing.ts';

// Only open-tracing.ts loads this module, and only if traces are exported. The global objects of OpenTelemetry are not
// used, so other packages that know OpenTelemetry do not change their behaviour.

/** Maximum number of spans that wait for the export. Further spans are dropped. */
const MOST_WAITING = 2_048;
/** Maximum number of spans in one request to the collector. */
const BATCH = 512;
/** Time limits of one export, and of the last export when the process stops, in milliseconds. */
const EXPORT_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 3_000;
/** Maximum length of a text in a span, in characters. */
const LONGEST_TEXT = 256;

const rootSampler = (name: string, ratio: number): Sampler => {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
};

const samplerOf = ({ tracesSampler: name, tracesSamplerRatio: ratio }: TracingConfig): Sampler => {
  const [, parentBased, root = ''] = /^(parentbased_)?(.*)$/.exec(name) ?? [];
  const sampler = rootSampler(root, ratio);
  return parentBased === undefined ? sampler : new ParentBasedSampler({ root: sampler });
};

/** Wraps an exporter. Logs when exports begin to fail, and when they succeed again. */
const logging = (exporter: SpanExporter, logger: TracingOptions['logger']): SpanExporter => {
  let fails = false;
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !fails) logger.warn({ reason: result.error?.message }, 'traces cannot be exported and are lost');
        if (fails && !failed) logger.info('traces are exported again');
        fails = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
};

const providerOf = ({ config, endpoint, release, duties, logger }: StartOptions): TracerProvider => {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    ...(config.otlpHeaders && { headers: { ...config.otlpHeaders } }),
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const own = resourceFromAttributes({
    'service.name': config.otelServiceName,
    'service.version': release(),
    'service.instance.id': `${hostname()}:${process.pid}`,
    'uptrail.duties': [...duties],
  });
  return new TracerProvider({
    sampler: samplerOf(config),
    // OTEL_RESOURCE_ATTRIBUTES adds attributes.
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanLimits: { attributeValueLengthLimit: LONGEST_TEXT, attributeCountLimit: 32 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: logging(exporter, logger),
        maxQueueSize: MOST_WAITING,
        maxExportBatchSize: BATCH,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
};

export interface StartOptions extends TracingOptions {
  /** base URL of the collector, without a trailing slash */
  endpoint: string;
}

/** Starts tracing with the packages of OpenTelemetry. */
export const startTracing = (options: StartOptions): Tracing => {
  const provider = providerOf(options);
  const tracer = provider.getTracer('uptrail');
  const requests = new AsyncLocalStorage<{ context: Context; isOver: boolean }>();
  const propagator = new W3CTraceContextPropagator();

  /** Returns the context of the current request. After the end of a request, work that it has started is not part of it. */
  const currentContext = (): Context => {
    const current = requests.getStore();
    return current && !current.isOver ? current.context : ROOT_CONTEXT;
  };

  return {
    request: ({ method = '', headers }, route, requestId) => {
      const attributes = {
        'http.request.method': method,
        ...(route !== null && { 'http.route': route }),
        'uptrail.request_id': requestId,
      };
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const name = route === null ? method : `${method} ${route}`;
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
      const current = { context: trace.setSpan(parent, span), isOver: false };
      return {
        run: (work) => requests.run(current, work),
        end: (status) => {
          current.isOver = true;
          span.setAttribute('http.response.status_code', status);
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    during: async ({ name, attributes }, work) => {
      const span = tracer.startSpan(name, { attributes: mutable(attributes) }, currentContext());
      try {
        return await work();
      } catch (error) {
        // The message can contain the id of a stream, so only the kind of the error is recorded.
        span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    ended: ({ name, attributes }, milliseconds, failure) => {
      const end = Date.now();
      const startTime = end - milliseconds;
      const span = tracer.startSpan(name, { root: true, startTime, attributes: mutable(attributes) }, ROOT_CONTEXT);
      if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
      span.end(end);
    },
    stop: async () => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_TIMEOUT_MS);
      });
      // A failed export is logged where it happens.
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
};

/** Copies attributes, because OpenTelemetry declares lists as mutable. */
const mutable = (attributes: Operation['attributes']): Record<string, string | number | boolean | string[]> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]),
  );
