import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '../../../rejects.ts';
import { treeOf } from '../inside/scripts.ts';
import {
  done,
  file,
  folderForFiles,
  log,
  page,
  recordOf,
  stepBegin,
  stepEnd,
  testBegin,
  testEnd,
  type SendMessage,
} from './messages.ts';

/* The record of a run, whatever the run sends. */

const test = suite('reading the messages of a run');
const files = await folderForFiles();
test.after(() => files.remove());

test('tests, steps, pages and output of a run are recorded', async () => {
  const record = await recordOf([
    log('hello'),
    testBegin(0, 'shop', 'buys'),
    stepBegin(0, 0),
    stepBegin(0, 1, 0),
    { type: 'stepEnd', test: 0, step: 1, duration: 3, error: { message: 'Error: a', line: 2, column: 3 } },
    page(0),
    page(0, { duration: 20 }),
    testEnd(0),
    done,
  ]);
  assert.equal(
    [record.kind, record.browser, record.end, record.testCount],
    ['synthetic', 'Chromium 156.0', { how: 'done' }, 1],
  );
  const [one] = record.tests;
  assert.equal([one?.titles, one?.status, one?.duration], [['shop', 'buys'], 'passed', 5]);
  assert.equal(one?.steps[0]?.steps[0]?.error, { message: 'Error: a', line: 2, column: 3 });
  assert.is(one?.steps[0]?.duration, null);
  assert.equal(
    record.pages.map(({ duration, webVitals }) => [duration, webVitals]),
    [[20, { FCP: 1, LCP: null, TTFB: 3 }]],
  );
  assert.equal(record.logs, [{ level: 'log', message: 'hello', timestamp: '2026-11-25T10:00:00.000Z' }]);
});

test('remarks from outside the sandbox are inserted into the output of a run in the order of time', async () => {
  const remark = (second: number): { level: string; message: string; timestamp: string } => ({
    level: 'warn',
    message: `at ${second}`,
    timestamp: `2026-11-25T10:00:0${second}.000Z`,
  });
  const { logs } = await recordOf([log('between', '2026-11-25T10:00:02.000Z'), done], {
    remarks: [remark(3), remark(1)],
  });
  assert.equal(
    logs.map(({ message }) => message),
    ['at 1', 'between', 'at 3'],
  );
});

for (const [name, ends, end] of [
  ['ended too early', { how: 'died', cause: 'it ended with code 3' }, { how: 'died', cause: 'it ended with code 3' }],
  ['needed too much memory', { how: 'memory', limit: 512 }, { how: 'memory', limit: 512 }],
  ['had too many processes', { how: 'processes', limit: 64 }, { how: 'processes', limit: 64 }],
] as const)
  test(`a run that ${name} is recorded up to its end`, async () => {
    const record = await recordOf([testBegin(0, 'a'), stepBegin(0, 0), { ends }]);
    assert.equal([record.end, record.testCount], [end, null]);
    assert.equal([record.tests[0]?.status, record.tests[0]?.steps[0]?.duration], ['running', null]);
  });

test('a run that exceeds its time limit is ended', async () => {
  const record = await recordOf([testBegin(0, 'a')], { timeout: 50 });
  assert.equal([record.end, record.execution_time], [{ how: 'timeout' }, 50]);
});

test('an aborted run leaves no files', async () => {
  const reason = new Error('stopped');
  const abort = new AbortController();
  const reading = recordOf([testBegin(0, 'a'), file(3), Buffer.from('abc'), file(9), Buffer.from('ab')], {
    signal: abort.signal,
    folder: files.folder,
  });
  setTimeout(() => {
    abort.abort(reason);
  }, 50);
  await rejects(reading, Error, 'stopped');
  assert.equal(await files.left(), []);
});

test('the files of a run are written under generated names', async () => {
  const { files: stored } = await recordOf(
    [
      testBegin(0, 'a'),
      file(6, { name: '../../etc/passwd' }),
      Buffer.from('abc'),
      Buffer.from('def'),
      file(0, { test: null }),
      done,
    ],
    { folder: files.folder },
  );
  assert.equal(
    stored.map(({ test: place, name, size, path }) => [place, name, size, readFileSync(path, 'utf8')]),
    [
      [0, '../../etc/passwd', 6, 'abcdef'],
      [null, 'a.png', 0, ''],
    ],
  );
  const left = await files.left();
  assert.ok(left.length === 2 && left.every((name) => /^[0-9a-f]{32}\.\w+$/.test(name)));
  await files.remove();
});

/** Returns files with numbered names, each in these pieces. */
const shots = (test: number, from: number, to: number, pieces: readonly Buffer[] = [Buffer.from('a')]): SendMessage[] =>
  Array.from({ length: to - from }, (_, at) => [
    file(Buffer.concat(pieces).length, { test, name: `${from + at}.png` }),
    ...pieces,
  ]).flat();

test('if a run has too many files, the most recent files and those of failed tests are stored', async () => {
  const { folder, left, remove } = await folderForFiles();
  const sayings = [
    ...[testBegin(0, 'passes'), ...shots(0, 0, 5), testEnd(0)],
    ...[testBegin(1, 'fails'), ...shots(1, 5, 8), testEnd(1, 'failed')],
    ...[testBegin(2, 'goes on'), ...shots(2, 8, 30), done],
  ];
  const record = await recordOf(sayings, { folder });
  assert.equal(
    record.files.map(({ name }) => Number.parseInt(name)),
    [5, 6, 7, ...Array.from({ length: 16 }, (_, at) => 14 + at)],
  );
  assert.equal([(await left()).length, record.filesLeftOut, record.end], [19, 11, { how: 'done' }]);
  await remove();
});

test('if the files of a run are too large together, the most recent files are stored', async () => {
  const { folder, left, remove } = await folderForFiles();
  const pieces = Array.from({ length: 20 }, () => Buffer.alloc(786_432));
  const record = await recordOf([testBegin(0, 'a'), ...shots(0, 0, 4, pieces), done], { folder });
  assert.equal(
    record.files.map(({ name }) => name),
    ['1.png', '2.png', '3.png'],
  );
  assert.equal([(await left()).length, record.filesLeftOut], [3, 1]);
  await remove();
});

test('a single file that exceeds the total limit of a run does not displace other files', async () => {
  const { folder, left, remove } = await folderForFiles();
  const pieces = Array.from({ length: 70 }, () => Buffer.alloc(786_432));
  const record = await recordOf([testBegin(0, 'a'), ...shots(0, 0, 2), ...shots(0, 2, 3, pieces), done], { folder });
  assert.equal(
    record.files.map(({ name }) => name),
    ['0.png', '1.png'],
  );
  assert.equal([(await left()).length, record.filesLeftOut], [2, 1]);
  await remove();
});

test('an incomplete file of a run is removed', async () => {
  const { folder, left, remove } = await folderForFiles();
  const record = await recordOf(
    [testBegin(0, 'a'), file(9), Buffer.from('ab'), { ends: { how: 'died', cause: 'it ended' } }],
    { folder },
  );
  assert.equal([record.files, await left()], [[], []]);
  await remove();
});

const long = 'é'.repeat(100_000);
const deep = Array.from({ length: 30 }, (_, step) => stepBegin(0, step, step === 0 ? null : step - 1));

test('long output of a run is cut', async () => {
  const record = await recordOf([...Array.from({ length: 30 }, () => log(long)), done]);
  assert.ok(record.logsCut);
  assert.ok(record.logs.every(({ message }) => message.length <= 65_537 && message.endsWith('…')));
  assert.ok(record.logs.length < 16);
});

test('the record of a run contains a limited number of tests, steps, pages and nested steps', async () => {
  const record = await recordOf([
    ...Array.from({ length: 210 }, (_, number) => [testBegin(number, 'a'), testEnd(number)]).flat(),
    ...deep,
    ...Array.from({ length: 2_500 }, (_, step) => stepBegin(1, step, null, 'expect')),
    ...Array.from({ length: 30 }, (_, number) => page(number)),
    done,
  ]);
  const depthOf = (steps: readonly { steps: never[] | readonly object[] }[]): number =>
    steps.length === 0 ? 0 : 1 + Math.max(...steps.map(({ steps: below }) => depthOf(below as { steps: object[] }[])));
  assert.equal([record.tests.length, record.pages.length, depthOf(record.tests[0]?.steps ?? [])], [200, 20, 20]);
  assert.is(record.tests[1]?.steps.length, 1_980);
  assert.equal(record.notes, [
    'Only the first 200 tests are stored.',
    'Only the first 2000 steps are stored.',
    'Only the first 20 pages are stored.',
  ]);
});

test('the record of a run contains failed and running steps beyond the limit of steps', async () => {
  const full = Array.from({ length: 2_000 }, (_, step) => stepBegin(0, step, null, 'expect'));
  const polled = Array.from({ length: 1_000 }, (_, number) => [
    stepBegin(0, 3_000 + number),
    stepEnd(0, 3_000 + number),
  ]).flat();
  const { tests, notes } = await recordOf([
    testBegin(0, 'a'),
    ...full,
    ...polled,
    stepBegin(0, 5_000),
    stepBegin(0, 5_001, 5_000, 'expect'),
    stepBegin(0, 5_002, 5_000),
    stepBegin(0, 5_003, 5_002),
    stepEnd(0, 5_003),
    stepEnd(0, 5_002, 'no luck'),
    stepEnd(0, 5_000, 'no luck'),
    // The parent of this step was left out.
    stepBegin(0, 5_004, 5_001),
    done,
  ]);
  const beyond = tests[0]?.steps.slice(2_000) ?? [];
  assert.equal(treeOf(beyond), ['step 5000 (failed)', '  step 5002 (failed)', 'step 5004 (under way)']);
  assert.equal(notes, ['Only the first 2000 steps are stored.']);
});

test('the record of a run contains a limited number of the failed steps beyond the limit of steps', async () => {
  const failing = Array.from({ length: 3_000 }, (_, step) => [stepBegin(0, step), stepEnd(0, step, 'no luck')]).flat();
  const { tests } = await recordOf([testBegin(0, 'a'), ...failing, done]);
  assert.is(tests[0]?.steps.length, 2_200);
});

test('texts in the record of a run contain no colours, control characters or lone surrogates', async () => {
  const cut = `${'x'.repeat(65_535)}😀`;
  const { logs } = await recordOf([
    log('\u001b[31mred\u001b[0m\u0000\u0007 a\tb\nc \u202egnp'),
    log('half \ud83d'),
    log(cut),
    done,
  ]);
  assert.equal(
    logs.map(({ message }) => message),
    ['red a\tb\nc gnp', 'half \ufffd', `${'x'.repeat(65_535)}…`],
  );
});

test('only known fields of messages are copied to the record of a run', async () => {
  const { pages, logs } = await recordOf([
    {
      wrong: JSON.parse(
        '{"type":"log","level":"log","message":"a","timestamp":"2026-11-25","__proto__":{"x":1},"more":2}',
      ),
    },
    page(0, {
      documentRequest: null,
      network: [
        {
          method: 'GET',
          url: 'http://shop.test/',
          resourceType: 'document',
          requestHeaders: JSON.parse('{"__proto__":"x","a":"b"}') as Record<string, string>,
          responseHeaders: {},
          statusCode: null,
          time: 1,
          start: 0,
          size: null,
        },
      ],
    }),
    done,
  ]);
  assert.equal(
    logs.map((entry) => Object.keys(entry)),
    [['level', 'message', 'timestamp']],
  );
  assert.equal(Object.keys(pages[0]?.network[0]?.requestHeaders ?? {}), ['a']);
});

const frame = (length: number, ...bytes: number[]): { raw: Buffer } => {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(length);
  return { raw: Buffer.concat([head, Buffer.from(bytes)]) };
};

for (const [name, sayings, what] of [
  ['a message of an unknown kind', [{ wrong: { type: 'hello' } }], 'an unknown kind of message'],
  ['a second ready message', [{ wrong: { type: 'ready', browser: null } }], 'an unknown kind of message'],
  ['something other than an object', [{ wrong: [1] }], 'something other than an object'],
  ['null', [{ wrong: null }], 'something other than an object'],
  ['a text that is not a string', [{ wrong: { ...log('a'), message: 5 } }], 'something other than a text'],
  ['an unknown level', [{ wrong: { ...log('a'), level: 'shout' } }], 'an unknown word'],
  ['an invalid time', [{ wrong: { ...log('a'), timestamp: 'now' } }], 'a wrong time'],
  ['a negative number', [{ wrong: testBegin(-1, 'a') }], 'a wrong number'],
  ['a number that is not an integer', [{ wrong: testBegin(0.5, 'a') }], 'a wrong number'],
  ['an impossible duration', [testBegin(0, 'a'), { wrong: { ...testEnd(0), duration: 1e99 } }], 'a wrong time'],
  [
    'titles that are not a list',
    [{ wrong: { type: 'testBegin', test: 0, titles: 'a', line: 1 } }],
    'something other than a list',
  ],
  ['an unknown status', [testBegin(0, 'a'), { wrong: { ...testEnd(0), status: 'great' } }], 'an unknown word'],
  ['the start of a test twice', [testBegin(0, 'a'), testBegin(0, 'a')], 'the start of a test that has already started'],
  ['the end of a test twice', [testBegin(0, 'a'), testEnd(0), testEnd(0)], 'the end of a test that has already ended'],
  ['the end of a test that has not begun', [testEnd(7)], 'a message about a test that has not started'],
  [
    'the start of a step twice',
    [testBegin(0, 'a'), stepBegin(0, 0), stepBegin(0, 0)],
    'the start of a step that has already started',
  ],
  ['bytes outside of a file', [Buffer.from('abc')], 'bytes of no file'],
  ['more bytes than a file has', [file(2), Buffer.from('abc')], 'more bytes than a file has'],
  ['a file within a file', [file(2), file(2)], 'the start of a file before the end of the previous one'],
  ['a file of an unknown role', [{ wrong: { ...file(2), role: 'program' } }], 'an unknown word'],
  ['a file that is too large', [file(300 * 1_048_576)], 'a file that is larger than allowed'],
  ['a page without web vitals', [{ wrong: { ...page(0), webVitals: null } }], 'something other than an object'],
  ['a frame of 4 GiB', [frame(0xffffffff, 74)], 'a frame of 4294967295 bytes'],
  ['an empty frame', [frame(0)], 'a frame of 0 bytes'],
  ['a frame of an unknown kind', [frame(2, 90, 90)], 'a frame of kind 90'],
  ['a frame that is not JSON', [frame(3, 74, 123, 123)], 'a message that is not JSON'],
] as const)
  test(`a run that sends ${name} is ended`, async () => {
    const record = await recordOf([log('before'), ...(sayings as readonly SendMessage[]), log('after'), done], {
      folder: null,
    });
    assert.equal(record.end, { how: 'nonsense', what });
    assert.equal(
      record.logs.map(({ message }) => message),
      ['before'],
    );
  });

test('a run that never stops sending is ended', async () => {
  const record = await recordOf(Array.from({ length: 100_001 }, () => log('a')));
  assert.equal(record.end, { how: 'nonsense', what: 'more than a run may send' });
});

test.run();
