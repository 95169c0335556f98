import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MultistepMetadata } from '../../../../domain/check/types/multistep.ts';
import { SyntheticMetadata } from '../../../../domain/check/types/synthetic-metadata.ts';
import { compile } from '../../../../http/routes/validate.ts';
import { MAX_METADATA_BYTES } from '../../../../probes/script/outcome/fit-metadata.ts';
import { outcomeOf } from '../../../../probes/script/outcome/outcome.ts';
import type { RunRecord } from '../../../../probes/script/record.ts';
import { ERRORS } from './playwright-errors.ts';
import { error, failed, page, passed, record, request, step, synthetic, worst } from './records.ts';

const fit = suite('check_metadata of scripts');

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const made = (given: RunRecord) => {
  const { outcome, fullLogs } = outcomeOf(given, { timeout: 1_000 });
  assert.ok(sizeOf(outcome.check_metadata) <= MAX_METADATA_BYTES, sizeOf(outcome.check_metadata).toString());
  return { metadata: outcome.check_metadata, fullLogs };
};
const multistepOf = (given: RunRecord) => made(given).metadata as MultistepMetadata;
const syntheticOf = (given: RunRecord) => made(given).metadata as SyntheticMetadata;

const entry = (message: string) => ({ level: 'log', message, timestamp: '2026-11-20T15:04:05.123Z' });
const headers = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`x-${at}`, 'y'.repeat(400)]));
const rich = page({
  network: Array.from({ length: 50 }, () => request({ requestHeaders: headers, responseHeaders: headers })),
  requests: 50,
});

fit('script metadata within the limit is unchanged', () => {
  const { metadata, fullLogs } = made(synthetic({ logs: [entry('hello')] }));
  assert.is(metadata['truncated'], undefined);
  assert.is(fullLogs, null);
});

fit('script metadata over the limit first loses headers of requests, starting with the last page', () => {
  const pages = [page({ network: [request({ requestHeaders: headers })] }), rich];
  const logs = Array.from({ length: 100 }, () => entry('hello'));
  const found = syntheticOf(synthetic({ pages, logs }));
  assert.is(found.truncated, true);
  assert.is(found.logs.length, 100);
  assert.is(found.full_logs, undefined);
  assert.is(Object.keys(found.pages[0]?.network[0]?.requestHeaders ?? {}).length, 20);
  assert.equal(found.pages[1]?.network.at(-1)?.requestHeaders, {});
  assert.is(found.pages[1]?.network.length, 50);
});

fit('script metadata over the limit loses the oldest logs after the headers, and refers to a file with all logs', () => {
  const logs = Array.from({ length: 600 }, (_, at) => entry(`${at} ${'z'.repeat(1_000)}`));
  const steps = Array.from({ length: 50 }, () => step('Open the shop'));
  const { metadata, fullLogs } = made(record({ logs, tests: [passed({ steps })] }));
  const found = metadata as MultistepMetadata;
  assert.is(found.truncated, true);
  assert.ok(found.logs.length > 200 && found.logs.length < 300);
  assert.match(found.logs.at(-1)?.message ?? '', /^599 /);
  assert.equal(found.full_logs, { contentType: 'text/plain; charset=utf-8', name: 'logs.txt', url: 'file:logs' });
  assert.is(fullLogs?.split('\n').length, 601);
  assert.is(found.test_results[0]?.steps.length, 50);
});

fit('long log messages of a script are complete only in the log file', () => {
  const { metadata, fullLogs } = made(record({ logs: [entry('z'.repeat(20_000))] }));
  assert.is((metadata as MultistepMetadata).logs[0]?.message.length, 8_193);
  assert.is(metadata['truncated'], true);
  assert.ok((fullLogs?.length ?? 0) > 20_000);
});

fit('script metadata over the limit loses steps after the logs, and steps that lead to a failure last', () => {
  const long = 'n'.repeat(190);
  const broken = { error: error(ERRORS.status) };
  const many = Array.from({ length: 600 }, () => step(long));
  const tests = [
    passed({ steps: many }),
    failed(ERRORS.status, {
      steps: [...many, step('Pay', { ...broken, steps: [...many, step('Confirm', broken)] })],
    }),
  ];
  const found = multistepOf(record({ tests, logs: Array.from({ length: 300 }, () => entry('z'.repeat(1_000))) }));
  assert.is(found.logs.length, 0);
  assert.equal(found.test_results[0]?.steps, []);
  const way = found.test_results[1]?.steps.at(-1);
  assert.is(way?.name, 'Pay');
  assert.is((way?.steps as { name: string }[] | undefined)?.at(-1)?.name, 'Confirm');
});

fit('script metadata does not exceed the limit in the worst case, and its counts are complete', () => {
  for (const kind of ['multistep', 'synthetic'] as const) {
    const schema = kind === 'synthetic' ? SyntheticMetadata : MultistepMetadata;
    const { metadata, fullLogs } = made(worst(kind));
    assert.is(compile(schema)(metadata), null);
    assert.is(metadata['truncated'], true);
    assert.ok((fullLogs ?? '').length > 1_000_000);
    const { test_summary: counts } = metadata as MultistepMetadata;
    assert.is(counts.total, 210);
    assert.ok((metadata as MultistepMetadata).test_results.length > 0);
  }
});

/** Returns a generator of numbers that are the same in each test run. */
const numbers = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

fit('script metadata does not exceed the limit, whatever a script sends', () => {
  for (let seed = 1; seed <= 6; seed++) {
    const next = numbers(seed);
    const upTo = (most: number) => Math.floor(next() * most);
    const text = (most: number) => ['x', '"', '\u{1F512}', '\u0001', 'é', '\ud800'][upTo(6)]?.repeat(upTo(most)) ?? '';
    const times = <T>(most: number, make: () => T): T[] => Array.from({ length: upTo(most) }, make);
    const steps = (depth: number): ReturnType<typeof step>[] =>
      times(6, () =>
        step(text(400), { error: next() < 0.5 ? null : error(text(5_000)), steps: depth > 4 ? [] : steps(depth + 1) }),
      );
    const requests = () =>
      request({
        url: text(4_000),
        requestHeaders: { [text(600)]: text(9_000), a: text(600) },
        responseHeaders: headers,
      });
    const given = record({
      kind: next() < 0.5 ? 'synthetic' : 'multistep',
      browser: text(5_000),
      logs: times(3_000, () => entry(text(500))),
      tests: times(150, () =>
        passed({
          titles: [text(500)],
          status: next() < 0.5 ? 'failed' : 'passed',
          errors: times(4, () => error(text(9_000))),
          softErrors: times(30, () => error(text(3_000))),
          steps: next() < 0.2 ? steps(0) : [],
        }),
      ),
      pages: times(30, () => page({ url: text(5_000), network: times(40, requests) })),
      notes: times(80, () => text(2_000)),
    });
    made(given);
  }
});

fit.run();
