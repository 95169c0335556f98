import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maskedMetadata } from '../../../../domain/check/sealing.ts';
import { checkTypeOf } from '../../../../domain/check/types/index.ts';
import type { Fields } from '../../../../domain/fields.ts';
import { outcomeOf } from '../../../../probes/script/outcome/outcome.ts';
import { ERRORS } from '../../../probes/script/outcome/playwright-errors.ts';
import { failed, file, page, passed, request, synthetic, TIMING } from '../../../probes/script/outcome/records.ts';

const formats = suite('the formats of synthetic results');

const BEFORE = '2025-07-08T23:59:59.999999';
const AFTER = '2025-07-09T00:00:00.000000';

const stored = (fields: Parameters<typeof synthetic>[0] = {}): Fields =>
  outcomeOf(synthetic(fields), { timeout: 30_000 }).outcome.check_metadata;
const shown = (metadata: Fields, created: string | null): Fields =>
  checkTypeOf('synthetic').shownMetadata(metadata, created);

formats(
  'synthetic results are in the current format for checks from 9 July 2025 on, and for runs without a check',
  () => {
    const metadata = stored();
    for (const created of [AFTER, '2026-11-20T15:00:00.000000', null]) {
      const found = shown(metadata, created);
      assert.equal(Object.keys(found).sort(), [
        'execution_time',
        'logs',
        'pages',
        'response_version',
        'test_results',
        'test_summary',
      ]);
      const [first] = found['pages'] as Fields[];
      assert.equal(Object.keys(first ?? {}).sort(), [
        'documentRequest',
        'duration',
        'network',
        'networkSummary',
        'url',
        'webVitals',
      ]);
      assert.equal(Object.keys((first?.['network'] as Fields[])[0] ?? {}).sort(), [
        'method',
        'requestHeaders',
        'resourceType',
        'responseHeaders',
        'statusCode',
        'time',
        'url',
      ]);
    }
  },
);

formats('synthetic results are in the legacy format for older checks', () => {
  const metadata = stored({
    tests: [passed(), failed(ERRORS.status)],
    pages: [page({ documentRequest: null }), page(), page({ url: 'http://shop.test/cart' })],
    files: [file({ name: 'start.png' }), file({ test: 1, name: 'cart.png' })],
  });
  assert.equal(shown(metadata, BEFORE), {
    function_execution_time: 1_234.6,
    headers: { 'content-type': 'text/html' },
    navigation_timing: {
      dns_lookup: 2,
      dom_content_loaded: 80,
      load_complete: 200,
      request_start: 9.5,
      response_end: 30,
      response_start: 20,
      ssl_handshake: 4,
      tcp_connect: 2,
      total_time: 250.6,
    },
    resource_timings: [
      {
        duration: 12.3,
        resource_type: 'stylesheet',
        size: 512,
        start_time: 20.1,
        status: 200,
        url: 'http://shop.test/style.css',
      },
    ],
    screenshot_path: 'file:1',
    status_code: 200,
    total_resources: 1,
  });
});

formats(
  'synthetic results have a connection time of 0 for a reused connection, and a TLS time of 0 without TLS',
  () => {
    const timing = { ...TIMING, domainLookupStart: -1, domainLookupEnd: -1, connectStart: -1, connectEnd: -1 };
    const plain = { ...TIMING, secureConnectionStart: -1 };
    const timingOf = (one: typeof TIMING) =>
      shown(stored({ pages: [page({ documentRequest: { ...request(), timing: one } })] }), BEFORE)['navigation_timing'];
    assert.equal(
      [timingOf({ ...timing, secureConnectionStart: -1 }), timingOf(plain)].map((found) => {
        const { dns_lookup, tcp_connect, ssl_handshake } = found as Record<string, number>;
        return [dns_lookup, tcp_connect, ssl_handshake];
      }),
      [
        [0, 0, 0],
        [2, 6, 0],
      ],
    );
  },
);

formats('synthetic results are null if no page was loaded', () => {
  const found = shown(stored({ pages: [] }), BEFORE);
  assert.equal(
    [found['navigation_timing'], found['status_code'], found['screenshot_path'], found['total_resources']],
    [null, null, null, 0],
  );
});

formats('unknown metadata is not changed by the format', () => {
  assert.equal(shown({ screenshot_path: 'old.png' }, BEFORE), { screenshot_path: 'old.png' });
  assert.equal(shown({}, AFTER), {});
});

formats('synthetic results for viewers mask the headers of pages and requests', () => {
  const headers = { 'x-session': 'abc', 'content-type': 'text/html' };
  const pages = [
    page({
      documentRequest: { ...request({ responseHeaders: headers }), timing: TIMING },
      network: [request({ requestHeaders: headers })],
    }),
  ];
  const masked = { 'x-session': '********', 'content-type': 'text/html' };
  const found = maskedMetadata(stored({ pages }), 'synthetic');
  const [first] = found['pages'] as { documentRequest: Fields; network: Fields[] }[];
  assert.equal(first?.documentRequest['responseHeaders'], masked);
  assert.equal(first?.network[0]?.['requestHeaders'], masked);
  assert.equal(shown(found, BEFORE)['headers'], masked);
});

formats.run();
