import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MultistepMetadata } from '../../../../domain/check/types/multistep.ts';
import { SyntheticMetadata } from '../../../../domain/check/types/synthetic-metadata.ts';
import { regionalStatusOf } from '../../../../domain/execution-group/state.ts';
import { compile } from '../../../../http/routes/validate.ts';
import { outcomeOf } from '../../../../probes/script/outcome/outcome.ts';
import type { RunRecord } from '../../../../probes/script/record.ts';
import { ERRORS } from './playwright-errors.ts';
import { error, failed, file, page, passed, record, request, step, synthetic, TIMING } from './records.ts';

const outcome = suite('the outcome of a script');

const made = (given: RunRecord) => {
  const { outcome: found, ...files } = outcomeOf(given, { timeout: 30_000 });
  const schema = given.kind === 'synthetic' ? SyntheticMetadata : MultistepMetadata;
  assert.is(compile(schema)(found.check_metadata), null);
  return { ...found, ...files };
};
const multistepOf = (given: RunRecord) => made(given).check_metadata as MultistepMetadata;
const syntheticOf = (given: RunRecord) => made(given).check_metadata as SyntheticMetadata;

outcome('the outcome of a script is ok with its duration if every test passed', () => {
  const { status, reason, response_time, error_message } = made(record());
  assert.equal(
    { status, reason, response_time, error_message },
    {
      status: 'ok',
      reason: null,
      response_time: 1_235,
      error_message: null,
    },
  );
});

outcome(
  'a failed script has the status error in its outcome; a region shows the outcome as failed, or as timeout if the time was up',
  () => {
    const statusesOf = (fields: Partial<RunRecord>) => {
      const { status, reason, response_time } = made(record(fields));
      assert.is(status, 'error');
      return [regionalStatusOf({ status, reason: reason ?? '' }), response_time];
    };
    assert.equal(statusesOf({ tests: [failed(ERRORS.status)] }), ['failed', 1_235]);
    assert.equal(statusesOf({ tests: [] }), ['failed', 1_235]);
    assert.equal(statusesOf({ end: { how: 'memory', limit: 512 } }), ['failed', null]);
    assert.equal(statusesOf({ end: { how: 'died', cause: 'it ended with code 0' } }), ['failed', null]);
    assert.equal(statusesOf({ fatal: { error: error('no'), compiling: true }, tests: [] }), ['failed', null]);
    assert.equal(statusesOf({ end: { how: 'timeout' } }), ['timeout', null]);
    const late = failed(ERRORS.testTimeout, { status: 'timedOut' });
    assert.equal(statusesOf({ tests: [late], execution_time: 29_900 }), ['timeout', 29_900]);
    const loading = { error: error('It was not loaded in time.'), compiling: false };
    assert.equal(statusesOf({ tests: [], fatal: loading, execution_time: 29_900 }), ['timeout', null]);
    assert.equal(statusesOf({ tests: [late], execution_time: 700 }), ['failed', 700]);
  },
);

outcome('the outcome of a multistep check contains its tests with steps, and its logs', () => {
  const broken = { error: error(ERRORS.status) };
  const tests = [
    passed({
      steps: [
        step('Before Hooks', { category: 'hook', steps: [step('Fixture "request"', { category: 'fixture' })] }),
        step('GET', { category: 'pw:api', duration: 12.34 }),
      ],
    }),
    failed(ERRORS.status, {
      titles: ['Shop', 'buys a book'],
      softErrors: [error(ERRORS.contained)],
      steps: [step('Pay', { ...broken, steps: [step('Confirm', { category: 'expect', ...broken })] })],
    }),
  ];
  const logs = [{ level: 'warn', message: '\u001b[31mlow stock\u001b[39m', timestamp: '2026-11-20T15:04:05.123Z' }];
  const expected = 'expect(received).toBe(expected) // Object.is equality\n\nExpected: 200\nReceived: 500';
  assert.equal(multistepOf(record({ tests, logs })), {
    execution_time: 1_234.6,
    logs: [{ level: 'warn', message: 'low stock', timestamp: '2026-11-20T15:04:05.123Z' }],
    test_results: [
      {
        name: 'opens the shop',
        status: 'passed',
        duration: 100,
        error: null,
        softAssertionErrors: [],
        steps: [{ name: 'GET', status: 'passed', duration: 12.3, error: null }],
      },
      {
        name: 'Shop › buys a book',
        status: 'failed',
        duration: 100,
        error: expected,
        softAssertionErrors: [
          'expect(received).toContain(expected) // indexOf\n\nExpected substring: "bye"\nReceived string:    "hello world"',
        ],
        steps: [
          {
            name: 'Pay',
            status: 'failed',
            duration: 10,
            error: expected,
            steps: [{ name: 'Confirm', status: 'failed', duration: 10, error: expected }],
          },
        ],
      },
    ],
    test_summary: { duration: 1_234.6, failed: 1, passed: 1, total: 2 },
  });
});

outcome('the outcome of a script leaves out skipped tests, with a note', () => {
  const tests = [passed({ status: 'skipped' }), passed()];
  const { status, check_metadata } = made(record({ tests }));
  assert.is(status, 'ok');
  assert.equal((check_metadata as MultistepMetadata).test_summary, {
    duration: 1_234.6,
    failed: 0,
    passed: 1,
    total: 1,
  });
  assert.equal((check_metadata as MultistepMetadata).notes, ['The script skipped a test.']);
  assert.is(made(record({ tests: [passed({ status: 'skipped' })] })).status, 'ok');
});

outcome('the outcome of a script shows the failed step even if there are too many steps', () => {
  const polls = Array.from({ length: 2_000 }, () => step('Poll', { category: 'expect' }));
  const within = [step('Ask'), step('Pay', { error: error('Error: no luck') })];
  const steps = [...polls, step('Checkout', { error: error('Error: no luck'), steps: within })];
  const metadata = multistepOf(record({ tests: [failed('Error: no luck', { steps })] }));
  const last = metadata.test_results[0]?.steps.at(-1);
  assert.equal([last?.name, last?.steps?.map(({ name }) => name)], ['Checkout', ['Pay']]);
  assert.is(metadata.truncated, true);
});

outcome(
  'the outcome of an interrupted script shows which test and step were in progress, with their maximum possible durations',
  () => {
    const steps = [step('Open', { duration: 200 }), step('Wait', { duration: null })];
    const tests = [passed({ duration: 100 }), passed({ status: 'running', duration: null, steps })];
    const { test_results: results } = multistepOf(record({ tests, end: { how: 'timeout' }, execution_time: 1_000 }));
    assert.is(results[1]?.duration, 900);
    assert.is(results[1]?.error, 'It was under way when the run ended.');
    assert.equal(results[1]?.steps[1], {
      name: 'Wait',
      status: 'failed',
      duration: 700,
      error: 'It was under way when the run ended.',
    });
  },
);

outcome('the outcome of a synthetic check contains its pages, whose headers contain no credentials', () => {
  const headers = { Cookie: 'session=1', accept: '*/*' };
  const pages = [page({ network: [request({ requestHeaders: headers, statusCode: null, size: null })] })];
  const { pages: found, response_version, test_summary } = syntheticOf(synthetic({ pages }));
  assert.is(response_version, 2);
  assert.equal(test_summary, { failed: 0, passed: 1, total: 1 });
  assert.equal(found, [
    {
      documentRequest: {
        method: 'GET',
        requestHeaders: { accept: 'text/css' },
        responseHeaders: { 'content-type': 'text/html' },
        statusCode: 200,
        timing: TIMING,
        url: 'http://shop.test/',
      },
      duration: 250.6,
      network: [
        {
          method: 'GET',
          requestHeaders: { Cookie: '********', accept: '*/*' },
          resourceType: 'stylesheet',
          responseHeaders: { 'content-type': 'text/css' },
          statusCode: null,
          time: 12.3,
          url: 'http://shop.test/style.css',
          start: 20.1,
          size: null,
        },
      ],
      networkSummary: { count: 1, truncated: false },
      url: 'http://shop.test/',
      webVitals: { FCP: 100, LCP: 120.3, TTFB: 20 },
      domContentLoaded: 80,
      load: 200,
    },
  ]);
});

outcome('the outcome of a script contains 50 requests of a page, and counts all', () => {
  const network = Array.from({ length: 60 }, () => request());
  const { pages } = syntheticOf(synthetic({ pages: [page({ network, requests: 75 })] }));
  assert.is(pages[0]?.network.length, 50);
  assert.equal(pages[0]?.networkSummary, { count: 75, truncated: true });
});

outcome('the outcome of a script leaves out pages that loaded nothing', () => {
  const blank = page({ url: 'about:blank', documentRequest: null, network: [], requests: 0 });
  const filled = page({ url: 'about:blank', documentRequest: null });
  const { pages } = syntheticOf(synthetic({ pages: [blank, filled] }));
  assert.equal(
    pages.map(({ documentRequest, network }) => [documentRequest, network.length]),
    [[null, 1]],
  );
});

outcome('the outcome of a script names its files as the script did', () => {
  const files = [
    file({ test: 1, name: 'shots/cart.png' }),
    file({ test: null, name: 'first.png', path: '/staging/2' }),
    file({ test: 1, role: 'video', name: 'video.webm', contentType: 'video/webm', path: '/staging/3' }),
    file({ test: 1, name: 'page.html', contentType: 'text/html', path: '/staging/4' }),
  ];
  const found = made(synthetic({ tests: [passed(), failed(ERRORS.status)], files }));
  assert.equal(
    (found.check_metadata as SyntheticMetadata).test_results.map(({ browser_metadata }) => browser_metadata),
    [
      {
        browser: 'chromium 140',
        screenshots: [{ contentType: 'image/png', name: 'first.png', url: 'file:1' }],
        videos: [],
      },
      {
        browser: 'chromium 140',
        screenshots: [
          { contentType: 'image/png', name: 'shots/cart.png', url: 'file:0' },
          { contentType: 'application/octet-stream', name: 'page.html', url: 'file:3' },
        ],
        videos: [{ contentType: 'video/webm', name: 'video.webm', url: 'file:2' }],
      },
    ],
  );
  assert.equal(
    found.files.map(({ reference, path }) => [reference, path]),
    [
      ['file:0', '/staging/1'],
      ['file:1', '/staging/2'],
      ['file:2', '/staging/3'],
      ['file:3', '/staging/4'],
    ],
  );
});

outcome('the outcome of a script states how many files were left out', () => {
  const found = made(synthetic({ files: [file()], filesLeftOut: 11 }));
  assert.equal((found.check_metadata as SyntheticMetadata).notes, ['11 files were left out.']);
});

outcome('the outcome of a multistep check has no files except its logs', () => {
  const found = made(record({ files: [file()] }));
  assert.equal(found.files, []);
  assert.equal((found.check_metadata as MultistepMetadata).notes, ['A file was left out.']);
});

outcome.run();
