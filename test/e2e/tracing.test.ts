import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers, httpServer } from '../probes/web/servers.ts';
import { startCollector } from '../service/tracing/collector.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { eventually } from '../waiting.ts';
import { callApiExpecting, endPrograms, serve } from './program.ts';
import { requestRun, waitForOutcome } from './polling.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

/** The line that is logged when exports begin to fail. */
const LOST = 'traces cannot be exported and are lost';

const test = suite('traces of the program');
test.after.each(endPrograms);
test.after.each(closeServers);

/** Returns variables with which a process writes the packages of OpenTelemetry that it has loaded to a file. */
const reportingPackages = (folder: string): { environment: Record<string, string>; packages: () => string[] } => {
  const [script, file] = [join(folder, 'report.cjs'), join(folder, 'packages.json')];
  writeFileSync(
    script,
    `process.once('exit', () => {
      if (!require('node:worker_threads').isMainThread || process.send) return;
      require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(Object.keys(require.cache)));
    });`,
  );
  return {
    environment: { NODE_OPTIONS: `--require ${script}` },
    packages: () => {
      const loaded = (JSON.parse(readFileSync(file, 'utf8')) as string[]).flatMap(
        (path) => /node_modules\/(@opentelemetry\/[^/]+)/.exec(path)?.slice(1) ?? [],
      );
      return [...new Set(loaded)].sort();
    },
  };
};

test(
  'without OTEL_EXPORTER_OTLP_ENDPOINT, no package of OpenTelemetry is loaded but the one that prom-client needs',
  inTemporaryFolder(async (folder) => {
    const { environment, packages } = reportingPackages(folder);
    const program = await serve({ DATA_DIR: join(folder, 'data'), ADMIN_API_KEY, ...environment });
    await callApiExpecting(program, ADMIN_API_KEY, 200, 'GET', '/v1/checks');
    assert.is((await program.end('SIGTERM')).code, 0);
    assert.equal(packages(), ['@opentelemetry/api']);
  }),
);

test(
  'the collector gets requests by route, the appends and runs that they cause, and nothing secret',
  inTemporaryFolder(async (folder) => {
    const collector = await startCollector();
    const { environment, packages } = reportingPackages(folder);
    const program = await serve({
      DATA_DIR: join(folder, 'data'),
      ADMIN_API_KEY,
      TARGET_POLICY: 'internal',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      ...environment,
    });
    const { port } = await httpServer((_, response) => {
      response.end('ok');
    });
    const body = {
      name: 'Shop',
      type: 'web',
      url: `http://127.0.0.1:${port}/?token=hidden`,
      interval: 60,
      active: false,
    };
    const { id } = await callApiExpecting<{ id: string }>(program, ADMIN_API_KEY, 201, 'POST', '/v1/checks', body);
    await waitForOutcome(
      program,
      ADMIN_API_KEY,
      await requestRun(program, ADMIN_API_KEY, `/v1/checks/${id}/execute`),
      60,
    );
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await fetch(`${program.address}/v1/checks/${id}?secret=hidden`, {
      headers: { authorization: ADMIN_API_KEY, traceparent },
    });
    await fetch(`${program.address}/health/live`);
    // A clean stop exports the last spans.
    assert.is((await program.end('SIGTERM')).code, 0);

    const { spans } = collector;
    const find = (name: string) => {
      const found = spans.find((span) => span.name === name);
      if (!found) throw new Error(`There is no span ${name}, only ${spans.map((span) => span.name).join(', ')}.`);
      return found;
    };
    const created = find('POST /v1/checks');
    const append = spans.find((span) => span.parentSpanId === created.spanId);
    assert.equal([append?.name, append?.attributes['uptrail.event.types']], ['append main', ['CheckCreated']]);
    const shown = find('GET /v1/checks/{check_id}');
    assert.equal([shown.traceId, shown.parentSpanId], [traceparent.split('-')[1], traceparent.split('-')[2]]);
    const { attributes, parentSpanId } = find('run web');
    assert.equal([attributes['uptrail.check.type'], attributes['uptrail.result.status']], ['web', 'ok']);
    assert.type(attributes['uptrail.region'], 'string');
    assert.is(parentSpanId, undefined);
    assert.ok(spans.some(({ name }) => name === 'append results'));
    assert.not(spans.some(({ name }) => name.includes('/health')));
    const sent = JSON.stringify(spans);
    for (const secret of ['hidden', ADMIN_API_KEY, id]) assert.not.match(sent, secret);
    assert.ok(packages().includes('@opentelemetry/sdk-trace'));
    await collector.stop();
  }),
);

test(
  'the program serves requests as before while the collector refuses traces, and logs that once',
  inTemporaryFolder(async (folder) => {
    const collector = await startCollector(400);
    const program = await serve({
      DATA_DIR: folder,
      ADMIN_API_KEY,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    });
    await callApiExpecting(program, ADMIN_API_KEY, 200, 'GET', '/v1/checks');
    await eventually(() => program.output.stderr.includes(LOST));
    await callApiExpecting(program, ADMIN_API_KEY, 200, 'GET', '/v1/checks');
    assert.is((await program.end('SIGTERM')).code, 0);
    assert.is(program.output.stderr.split(LOST).length, 2, program.output.stderr);
    await collector.stop();
  }),
);

test.run();
