// Own process: OpenTelemetry reads environment variables when it is loaded and keeps connections open.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readVariables } from '../../../service/config/config.ts';
import { openTracing } from '../../../service/tracing/open-tracing.ts';
import { traceAppends, traceDeliveries } from '../../../service/tracing/traced.ts';
import type { Tracing, TracingConfig, TracingOptions } from '../../../service/tracing/tracing.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { freePort } from '../../servers/ports.ts';
import { startCollector, type Collector, type ReceivedSpan } from './collector.ts';

const test = suite('traces');

const configOf = (environment: Record<string, string>): TracingConfig =>
  readVariables(environment, ['otlpEndpoint', 'otlpHeaders', 'otelServiceName', 'tracesSampler', 'tracesSamplerRatio']);

const loggingTo = (lines: string[]): TracingOptions['logger'] => {
  const log = (...words: unknown[]): void => {
    lines.push(String(words.at(-1)));
  };
  return { info: log, warn: log };
};

const open = async (environment: Record<string, string>, lines: string[] = []): Promise<Tracing> => {
  const tracing = await openTracing({
    config: configOf(environment),
    release: () => '1.2.3',
    duties: ['api', 'run'],
    logger: loggingTo(lines),
  });
  if (!tracing) throw new Error('Tracing is off.');
  return tracing;
};

/** Returns what a collector receives while `work` runs. */
const received = async (
  work: (tracing: Tracing) => Promise<unknown>,
  environment: Record<string, string> = {},
): Promise<Collector> => {
  const collector = await startCollector();
  const tracing = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...environment });
  await work(tracing);
  await tracing.stop();
  await collector.stop();
  return collector;
};

const named = ({ spans }: Collector, name: string): ReceivedSpan => {
  const found = spans.find((span) => span.name === name);
  if (!found) throw new Error(`There is no span ${name}.`);
  return found;
};

const REQUEST = { method: 'POST', headers: {} };
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const headersOf = (sampled: boolean) => ({ traceparent: `00-${TRACE}-${CALLER}-0${sampled ? 1 : 0}` });

test('without an endpoint, tracing is off', async () => {
  const options = { config: configOf({}), release: () => '', duties: [], logger: loggingTo([]) };
  assert.is(await openTracing(options), null);
});

test('a request is a span with its route, and what it does is part of its trace', async () => {
  const collector = await received(async ({ request, during }) => {
    const { run, end } = request(REQUEST, '/v1/checks/{check_id}', 'request-1');
    await run(() => during({ name: 'append main', attributes: { 'uptrail.event.types': ['a', 'b'] } }, async () => 1));
    end(201);
    await run(() => during({ name: 'late append', attributes: {} }, async () => 1));
  });
  const span = named(collector, 'POST /v1/checks/{check_id}');
  assert.equal(
    [span.kind, span.parentSpanId, span.status, span.attributes],
    [
      2,
      undefined,
      0,
      {
        'http.request.method': 'POST',
        'http.route': '/v1/checks/{check_id}',
        'uptrail.request_id': 'request-1',
        'http.response.status_code': 201,
      },
    ],
  );
  const append = named(collector, 'append main');
  assert.equal([append.traceId, append.parentSpanId], [span.traceId, span.spanId]);
  assert.equal(append.attributes, { 'uptrail.event.types': ['a', 'b'] });
  // Work after the end of a request, such as that of a timer, is not part of the request.
  assert.is.not(named(collector, 'late append').traceId, span.traceId);
});

test('a request continues the trace of its caller', async () => {
  const collector = await received(async ({ request }) => {
    request({ method: 'GET', headers: headersOf(true) }, null, '1').end(503);
    request({ method: 'HEAD', headers: { traceparent: 'nonsense' } }, null, '2').end(200);
  });
  const { traceId, parentSpanId, status } = named(collector, 'GET');
  assert.equal([traceId, parentSpanId, status], [TRACE, CALLER, 2]);
  assert.is(named(collector, 'HEAD').parentSpanId, undefined);
});

test('appends name categories and types, but no ids', async () => {
  const log = createMemoryEventStore('main');
  const failing = { ...log, append: () => Promise.reject(new TypeError('Stream check-secret000001 is full.')) };
  const collector = await received(async (tracing) => {
    const events = [{ id: '1', type: 'CheckDeleted', data: {}, metadata: {} }] as unknown as Parameters<
      typeof log.append
    >[1];
    await traceAppends(failing, tracing)
      .append('check-secret000001', events, 'any')
      .catch(() => undefined);
  });
  const { attributes, status } = named(collector, 'append main');
  assert.is(status, 2);
  assert.equal(attributes, {
    'uptrail.log': 'main',
    'uptrail.stream.category': 'check',
    'uptrail.event.count': 1,
    'uptrail.event.types': ['CheckDeleted'],
    'error.type': 'TypeError',
  });
  assert.not.match(JSON.stringify(collector.spans), 'secret');
});

test('deliveries are traces of their own, with their outcome and duration', async () => {
  const tried: unknown[] = [];
  const collector = await received(async (tracing) => {
    const observer = { tried: (...one: unknown[]) => tried.push(one), targetsBacklogged: () => undefined };
    traceDeliveries(observer, tracing).tried('email', 'failed', 250);
  });
  assert.equal(tried, [['email', 'failed', 250]]);
  const { attributes, status, milliseconds, parentSpanId } = named(collector, 'deliver email');
  assert.equal(attributes, { 'uptrail.notifier': 'email', 'uptrail.delivery.outcome': 'failed' });
  assert.equal([status, milliseconds, parentSpanId], [2, 250, undefined]);
});

test('the collector gets the name of the service, its version, its duties and the configured headers', async () => {
  const { resources, requests } = await received(
    async ({ ended }) => {
      ended({ name: 'run web', attributes: {} }, 1, null);
    },
    { OTEL_SERVICE_NAME: 'status', OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b, x-other=c' },
  );
  const [resource = {}] = resources;
  assert.is(resource['service.name'], 'status');
  assert.is(resource['service.version'], '1.2.3');
  assert.equal(resource['uptrail.duties'], ['api', 'run']);
  assert.equal(
    requests.map(({ path, headers }) => [path, headers['x-token'], headers['x-other']]),
    [['/v1/traces', 'a b', 'c']],
  );
});

test('the sampler decides which traces are exported', async () => {
  const exported = async (OTEL_TRACES_SAMPLER: string, OTEL_TRACES_SAMPLER_ARG = '1'): Promise<string[]> => {
    const { spans } = await received(
      async ({ request }) => {
        request({ method: 'GET', headers: {} }, '/root', '1').end(200);
        request({ method: 'GET', headers: headersOf(true) }, '/sampled', '2').end(200);
        request({ method: 'GET', headers: headersOf(false) }, '/unsampled', '3').end(200);
      },
      { OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG },
    );
    return spans.map(({ name }) => name.slice('GET /'.length));
  };
  assert.equal(await exported('always_on'), ['root', 'sampled', 'unsampled']);
  assert.equal(await exported('always_off'), []);
  assert.equal(await exported('traceidratio', '0'), []);
  assert.equal(await exported('parentbased_always_on'), ['root', 'sampled']);
  assert.equal(await exported('parentbased_always_off'), ['sampled']);
  assert.equal(await exported('parentbased_traceidratio', '0'), ['sampled']);
});

test('what an unsampled request does is not exported either', async () => {
  const { spans } = await received(
    async ({ request, during }) => {
      const { run, end } = request({ method: 'GET', headers: headersOf(false) }, '/unsampled', '1');
      await run(() => during({ name: 'append main', attributes: {} }, async () => 1));
      end(200);
      await run(() => during({ name: 'late append', attributes: {} }, async () => 1));
    },
    { OTEL_TRACES_SAMPLER: 'parentbased_always_on' },
  );
  assert.equal(
    spans.map(({ name }) => name),
    ['late append'],
  );
});

test('a collector that fails or does not exist delays nothing and is logged', async () => {
  const refusing = await startCollector(400);
  const endpoints = [refusing.endpoint, `http://127.0.0.1:${await freePort()}`];
  for (const endpoint of endpoints) {
    const lines: string[] = [];
    const tracing = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, lines);
    const { run, end } = tracing.request(REQUEST, '/', '1');
    assert.is(await run(async () => 7), 7);
    end(200);
    await tracing.stop();
    // A refused connection is retried for longer than a stop takes.
    if (endpoint === refusing.endpoint) assert.equal(lines, ['traces cannot be exported and are lost']);
  }
  await refusing.stop();
});

test('spans that the collector does not take are dropped, so that memory does not grow', async () => {
  const collector = await received(async ({ ended }) => {
    for (let count = 0; count < 10_000; count++) ended({ name: 'run web', attributes: {} }, 1, null);
  });
  assert.ok(collector.spans.length > 0);
  assert.ok(collector.spans.length <= 3_000, `${collector.spans.length} spans were exported`);
});

test('invalid variables of OpenTelemetry are refused without their secrets', () => {
  const refused = (environment: Record<string, string>) => {
    assert.throws(() => configOf(environment), /must be/);
  };
  refused({ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4317' });
  refused({ OTEL_TRACES_SAMPLER: 'jaeger' });
  refused({ OTEL_TRACES_SAMPLER_ARG: '1.5' });
  assert.throws(
    () => configOf({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b,secret%' }),
    (error: Error) => error.message.includes('entry 2') && !error.message.includes('secret'),
  );
});

test.run();
