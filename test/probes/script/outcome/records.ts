import type { ScriptError, PageRecord, PageRequest, RequestTiming } from '../../../../probes/script/protocol.ts';
import type { RecordedFile, RecordedStep, RecordedTest, RunRecord } from '../../../../probes/script/record.ts';

/* Records of script runs: ordinary ones, and the largest that a script can cause. */

export const error = (message: string, line: number | null = null, column: number | null = null): ScriptError => ({
  message,
  line,
  column,
});

export const step = (name: string, fields: Partial<RecordedStep> = {}): RecordedStep => ({
  name,
  category: 'test.step',
  line: 3,
  duration: 10,
  error: null,
  steps: [],
  ...fields,
});

export const passed = (fields: Partial<RecordedTest> = {}): RecordedTest => ({
  titles: ['opens the shop'],
  line: 2,
  status: 'passed',
  duration: 100,
  errors: [],
  softErrors: [],
  steps: [],
  ...fields,
});

/** Returns a test that failed with an error. */
export const failed = (message: string, fields: Partial<RecordedTest> = {}): RecordedTest =>
  passed({ titles: ['buys a book'], status: 'failed', errors: [error(message)], ...fields });

export const record = (fields: Partial<RunRecord> = {}): RunRecord => ({
  kind: 'multistep',
  browser: null,
  end: { how: 'done' },
  execution_time: 1_234.56,
  logs: [],
  logsCut: false,
  tests: [passed()],
  testCount: (fields.tests ?? [passed()]).length,
  fatal: null,
  pages: [],
  files: [],
  filesLeftOut: 0,
  notes: [],
  ...fields,
});

export const request = (fields: Partial<PageRequest> = {}): PageRequest => ({
  method: 'GET',
  url: 'http://shop.test/style.css',
  resourceType: 'stylesheet',
  requestHeaders: { accept: 'text/css' },
  responseHeaders: { 'content-type': 'text/css' },
  statusCode: 200,
  time: 12.34,
  start: 20.06,
  size: 512,
  ...fields,
});

export const TIMING: RequestTiming = {
  startTime: 1_795_000_000_000,
  domainLookupStart: 1,
  domainLookupEnd: 3,
  connectStart: 3,
  secureConnectionStart: 5,
  connectEnd: 9,
  requestStart: 9.5,
  responseStart: 20,
  responseEnd: 30,
};

export const page = (fields: Partial<PageRecord> = {}): PageRecord => ({
  test: 0,
  url: 'http://shop.test/',
  duration: 250.55,
  documentRequest: {
    ...request({
      url: 'http://shop.test/',
      resourceType: 'document',
      responseHeaders: { 'content-type': 'text/html' },
    }),
    timing: TIMING,
  },
  network: [request()],
  requests: 1,
  webVitals: { FCP: 100, LCP: 120.25, TTFB: 20 },
  domContentLoaded: 80,
  load: 200,
  ...fields,
});

export const file = (fields: Partial<RecordedFile> = {}): RecordedFile => ({
  test: 0,
  role: 'screenshot',
  name: 'cart.png',
  contentType: 'image/png',
  path: '/staging/1',
  size: 1_000,
  ...fields,
});

export const synthetic = (fields: Partial<RunRecord> = {}): RunRecord =>
  record({ kind: 'synthetic', browser: 'chromium 140', pages: [page()], ...fields });

/** Returns a text whose characters take the most space, as JSON or as UTF-8. */
const odd = (length: number): string => '"\u{1F512}\\é'.repeat(Math.ceil(length / 5));

const deep = (depth: number): RecordedStep =>
  step(odd(500), { error: error(odd(1_200)), steps: depth === 0 ? [] : [deep(depth - 1)] });

const headers = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`x-${at}${odd(600)}`, odd(600)]));

const worstTest = (status: RecordedTest['status']): RecordedTest =>
  passed({
    titles: [odd(300), odd(300)],
    status,
    errors: Array.from({ length: 2 }, () => error(odd(5_000))),
    softErrors: Array.from({ length: 25 }, () => error(odd(1_200))),
    steps: Array.from({ length: 4 }, () => deep(9)),
  });

const worstRequest = request({ url: `http://${odd(5_000)}`, requestHeaders: headers, responseHeaders: headers });

/** Returns a record of everything that a script can send, larger than a result may be. */
export const worst = (kind: RunRecord['kind']): RunRecord =>
  record({
    kind,
    browser: odd(1_000),
    logs: Array.from({ length: 4_500 }, (_, at) => ({
      level: odd(10),
      message: odd(at % 100 === 0 ? 10_000 : 150),
      timestamp: '2026-11-20T15:04:05.123Z',
    })),
    logsCut: true,
    tests: Array.from({ length: 210 }, (_, at) => worstTest(at % 2 === 0 ? 'passed' : 'failed')),
    pages: Array.from({ length: 20 }, () =>
      page({
        url: odd(5_000),
        documentRequest: { ...worstRequest, timing: TIMING },
        network: Array.from({ length: 10 }, () => worstRequest),
        requests: 1_000,
      }),
    ),
    files: Array.from({ length: 19 }, (_, at) => file({ test: at, name: odd(500), path: `/staging/${at}` })),
    notes: Array.from({ length: 100 }, () => odd(1_000)),
  });
