/** Typical results of scripts. */
import { randomBytes, randomInt } from 'node:crypto';
import type { EventOf } from '../../domain/event-types.ts';
import type { NewEvent } from '../../domain/event.ts';
import { outcomeOf } from '../../probes/script/outcome/outcome.ts';
import type { PageRecord, PageRequest, ScriptKind } from '../../probes/script/protocol.ts';
import type { RecordedStep, RecordedTest, RunRecord } from '../../probes/script/record.ts';
import { webResult } from './result-samples.ts';

const REQUESTS = 30;
const TESTS = 2;
const STEPS = 10;

const token = (): string => randomBytes(12).toString('hex');
const upTo = (most: number): number => randomInt(most * 10) / 10;

const request = (name: string, resourceType: string): PageRequest => ({
  method: 'GET',
  url: `https://shop.example.com/${name}`,
  resourceType,
  requestHeaders: {
    accept: '*/*',
    'accept-language': 'en-US',
    referer: 'https://shop.example.com/',
    'sec-ch-ua': '"Not)A;Brand";v="24", "Chromium";v="156"',
    'sec-ch-ua-mobile': '?0',
    'sec-ch-ua-platform': '"Linux"',
    'user-agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36',
  },
  responseHeaders: {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-length': randomInt(1_000, 99_999).toString(),
    'content-type': resourceType === 'image' ? 'image/webp' : 'text/javascript',
    date: new Date(randomInt(2 ** 40)).toUTCString(),
    etag: `W/"${token()}"`,
    server: 'nginx',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    vary: 'Accept-Encoding',
    'x-request-id': token(),
  },
  statusCode: 200,
  time: upTo(200),
  start: upTo(900),
  size: randomInt(1_000, 99_999),
});

const page = (): PageRecord => ({
  test: 0,
  url: 'https://shop.example.com/',
  duration: upTo(1_500),
  documentRequest: {
    ...request('', 'document'),
    timing: {
      startTime: Date.now() + upTo(1),
      domainLookupStart: upTo(2),
      domainLookupEnd: upTo(9),
      connectStart: upTo(9),
      secureConnectionStart: upTo(20),
      connectEnd: upTo(40),
      requestStart: upTo(40),
      responseStart: upTo(100),
      responseEnd: upTo(120),
    },
  },
  network: Array.from({ length: REQUESTS }, (_, at) =>
    request(`assets/${at}-${at % 3 === 0 ? 'image.webp' : 'chunk.js'}?v=7f3a21`, at % 3 === 0 ? 'image' : 'script'),
  ),
  requests: REQUESTS,
  webVitals: { FCP: upTo(900), LCP: upTo(1_200), TTFB: upTo(100) },
  domContentLoaded: upTo(800),
  load: upTo(1_400),
});

const step = (at: number): RecordedStep => ({
  name: `Step ${at} of buying a book`,
  category: 'test.step',
  line: at * 4,
  duration: upTo(300),
  error: null,
  steps: [
    {
      name: `Click getByRole('button', { name: 'Next ${at}' })`,
      category: 'pw:api',
      line: at * 4 + 1,
      duration: upTo(200),
      error: null,
      steps: [],
    },
  ],
});

const test = (at: number): RecordedTest => ({
  titles: ['Shop', `journey ${at}`],
  line: at * 50,
  status: 'passed',
  duration: upTo(4_000),
  errors: [],
  softErrors: [],
  steps: Array.from({ length: STEPS }, (_, place) => step(place)),
});

const recordOf = (kind: ScriptKind): RunRecord => ({
  kind,
  browser: kind === 'synthetic' ? 'Chromium 156.0.8078.108' : null,
  end: { how: 'done' },
  execution_time: upTo(5_000),
  logs: [{ level: 'log', message: `order ${token()}`, timestamp: new Date().toISOString() }],
  logsCut: false,
  tests: Array.from({ length: TESTS }, (_, at) => test(at)),
  testCount: TESTS,
  fatal: null,
  pages: kind === 'synthetic' ? [page()] : [],
  files: [],
  filesLeftOut: 0,
  notes: [],
});

/**
 * Creates a good result of a new check.
 *
 * @param at milliseconds since 1970
 */
export const scriptResult = (kind: ScriptKind, at: number): NewEvent<EventOf<'CheckRunCompleted'>> => {
  const { data, ...event } = webResult('check0000000', at);
  const { status, response_time, error_message, check_metadata } = outcomeOf(recordOf(kind), {
    timeout: 30_000,
  }).outcome;
  delete data.reason;
  return { ...event, data: { ...data, check_type: kind, status, response_time, error_message, check_metadata } };
};
