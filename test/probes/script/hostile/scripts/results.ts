import * as assert from 'uvu/assert';
import { inTest, type HostileScript, type Ran } from '../hostile-script.ts';

/**
 * Code with which a script writes frames to the outer process itself: messages, which may be invalid JSON, and contents
 * of files. It retries writes for which the pipe has no space yet.
 */
const SPEAKING = `
  const write = (bytes) => { for (let at = 0; at < bytes.length;) try { at += fs.writeSync(3, bytes, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; } };
  const frame = (kind, content) => { const head = Buffer.alloc(5); head.writeUInt32BE(content.length + 1); head.write(kind, 4); write(Buffer.concat([head, content])); };
  const say = (message) => frame('J', Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)));
  const log = (message) => ({ type: 'log', level: 'log', message, timestamp: new Date().toISOString() });
`;

const saying = (body: string): string => inTest(`${SPEAKING}${body}\n  await pause(2000);`);

const nonsense = ({ outcome, message }: Ran): void => {
  assert.is(outcome.status, 'error');
  assert.match(message, /was ended because it sent an invalid message/);
};

const testsOf = ({ outcome }: Ran): { name: string; status: string }[] =>
  outcome.check_metadata['test_results'] as { name: string; status: string }[];

const PASSING = inTest(`await pause(2500);`);

/** Scripts that try to forge messages about their own results and those of others. */
export const RESULTS: readonly HostileScript[] = [
  {
    type: 'multistep',
    tries: 'says results of other checks, runs and organizations',
    doesNotGet: 'to change a result but its own',
    beside: PASSING,
    script: saying(`
  for (const field of ['check_id', 'checkId', 'run', 'id', 'region', 'organization_id', 'sandbox'])
    say({ ...log('x'), [field]: 'another' });
  say({ type: 'testBegin', test: 1, titles: ['another'], line: 1, check_id: 'another' });
  say({ type: 'testEnd', test: 1, status: 'failed', duration: 1, errors: [{ message: 'forged', line: null, column: null }], softErrors: [], check_id: 'another' });`),
    expectation: ({ outcome, beside }) => {
      assert.is(beside.status, 'ok', beside.error_message ?? '');
      assert.not.match(JSON.stringify(beside), /forged|another/);
      assert.not.match(JSON.stringify(outcome), /check_id|organization_id/);
    },
  },
  {
    type: 'multistep',
    tries: 'says that it is done while it goes on',
    doesNotGet: 'to be heard, or to run, any longer',
    script: saying(`
  say({ type: 'testEnd', test: 0, status: 'passed', duration: 1, errors: [], softErrors: [] });
  say({ type: 'done', tests: 1 });
  await pause(50);
  for (;;) console.log('still here');`),
    expectation: ({ text, outcome }) => {
      assert.not.match(text, /still here/);
      assert.ok(Number(outcome.response_time) < 10_000);
    },
  },
  {
    type: 'multistep',
    tries: 'says that it is ready once more, with another browser',
    doesNotGet: 'to be taken for a sandbox that is unused',
    script: saying(`say({ type: 'ready', browser: 'Forged 1' });`),
    expectation: (ran) => {
      nonsense(ran);
      assert.not.match(ran.text, /Forged/);
    },
  },
  {
    type: 'multistep',
    tries: 'says that more tests are there than it has begun',
    doesNotGet: 'a good result',
    script: saying(
      `say({ type: 'testEnd', test: 0, status: 'passed', duration: 1, errors: [], softErrors: [] }); say({ type: 'done', tests: 5 });`,
    ),
    expectation: ({ outcome, message }) => {
      assert.is(outcome.status, 'error');
      assert.match(message, /Only 1 of the script's 5 tests/);
    },
  },
  {
    type: 'multistep',
    tries: 'says that a test ended twice, and otherwise each time',
    doesNotGet: 'to choose between them',
    script: saying(
      `for (const status of ['failed', 'passed']) say({ type: 'testEnd', test: 0, status, duration: 1, errors: [], softErrors: [] });`,
    ),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    tries: 'says something of a test that it has not begun',
    doesNotGet: 'to be heard on',
    script: saying(
      `say({ type: 'stepBegin', test: 7, step: 0, parent: null, category: 'test.step', name: 'x', line: null });`,
    ),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    tries: 'says what is no message, in many ways',
    doesNotGet: 'to be heard on',
    script: saying(
      `for (const one of [null, [], 7, 'x', { type: 'toString' }, { type: '__proto__' }, {}]) say(JSON.stringify(one));`,
    ),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    tries: 'says what is no JSON',
    doesNotGet: 'to be heard on',
    script: saying(`say('{"type":"log",');`),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    tries: 'says that a frame of 4 GiB follows',
    doesNotGet: 'memory for it',
    script: saying(`write(Buffer.from('ffffffff4a', 'hex')); for (let n = 0; n < 64; n++) write(Buffer.alloc(65536));`),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    tries: 'says numbers that are none: negative, endless, broken and huge ones',
    doesNotGet: 'to be heard on',
    script: saying(
      `say('{"type":"testEnd","test":0,"status":"passed","duration":1e999,"errors":[],"softErrors":[]}');`,
    ),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    tries: 'says lists in lists, half a million deep',
    doesNotGet: 'to exhaust the stack of whoever reads it',
    script: saying(`say('['.repeat(500000) + ']'.repeat(500000));`),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    tries: 'says steps in steps, a thousand deep, and a hundred thousand of them',
    doesNotGet: 'a result that is larger than results are',
    script: saying(`
  for (let step = 0; step < 1000; step++) say({ type: 'stepBegin', test: 0, step, parent: step === 0 ? null : step - 1, category: 'test.step', name: 'x'.repeat(900), line: null });
  for (let step = 1000; step < 90000; step++) say({ type: 'stepBegin', test: 0, step, parent: null, category: 'test.step', name: 'y'.repeat(500), line: null });`),
    expectation: ({ outcome }) => {
      assert.ok(JSON.stringify(outcome.check_metadata).length < 262_144);
    },
  },
  {
    type: 'multistep',
    tries: 'says more than any script says',
    doesNotGet: 'time and memory of whoever reads it',
    script: saying(`for (let n = 0; n < 200000; n++) say(log('x'));`),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    tries: 'says fields named __proto__, constructor and prototype',
    doesNotGet: 'to change objects of the process that reads it',
    script: saying(`
  say('{"type":"log","level":"log","message":"x","timestamp":"2026-01-01T00:00:00Z","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  const headers = '{"__proto__":"polluted","constructor":"x","toString":"x"}';
  const asked = '"method":"GET","url":"http://x.test/","resourceType":"document","requestHeaders":' + headers + ',"responseHeaders":' + headers + ',"statusCode":200,"time":1,"start":0,"size":1';
  say('{"type":"page","page":0,"test":0,"url":"http://x.test/","duration":1,"documentRequest":null,"network":[{' + asked + '}],"requests":1,"webVitals":{"FCP":null,"LCP":null,"TTFB":null},"domContentLoaded":null,"load":null}');`),
    expectation: ({ outcome }) => {
      assert.is(outcome.status, 'ok', outcome.error_message ?? '');
      assert.is(Object.getPrototypeOf(JSON.parse(JSON.stringify(outcome))), Object.prototype);
    },
  },
  {
    type: 'multistep',
    tries: 'leaves files whose names lead out of their folder',
    doesNotGet: 'a file written anywhere by its name',
    script: saying(`
  for (const name of ['../../../../tmp/hostile-file', '/tmp/hostile-file', '..\\\\\\\\hostile-file', 'x\\u0000.png', '.', '']) {
    say({ type: 'file', test: 0, role: 'screenshot', name, contentType: 'text/html', size: 4 });
    frame('B', Buffer.from('file'));
  }`),
    expectation: ({ outcome }) => {
      for (const { staged } of outcome.files ?? []) assert.match(staged, /^[\w.-]+$/);
    },
  },
  {
    type: 'multistep',
    tries: 'leaves a file of many gigabytes',
    doesNotGet: 'more of the disk than a run has',
    timeout: 5,
    script: saying(`
  say({ type: 'file', test: 0, role: 'video', name: 'x.webm', contentType: 'video/webm', size: 100e9 });
  const bytes = Buffer.alloc(60000);
  for (;;) frame('B', bytes);`),
    expectation: ({ outcome }) => {
      assert.is(outcome.status, 'error');
      assert.equal(outcome.files ?? [], []);
    },
  },
  {
    type: 'multistep',
    tries: 'leaves a thousand files, and bytes of none',
    doesNotGet: 'more files than a run has',
    script: saying(`
  for (let n = 0; n < 1000; n++) { say({ type: 'file', test: null, role: 'screenshot', name: n + '.png', contentType: 'image/png', size: 1 }); frame('B', Buffer.from('x')); }
  frame('B', Buffer.from('x'));`),
    expectation: (ran) => {
      nonsense(ran);
      assert.ok((ran.outcome.files ?? []).length <= 20);
    },
  },
  {
    type: 'multistep',
    tries: 'ends in the middle of a file',
    doesNotGet: 'to leave half of it',
    script: saying(
      `say({ type: 'file', test: 0, role: 'screenshot', name: 'x.png', contentType: 'image/png', size: 1000 }); frame('B', Buffer.alloc(10)); process.kill(process.pid, 'SIGKILL');`,
    ),
    expectation: ({ outcome, message }) => {
      assert.match(message, /SIGKILL/);
      assert.equal(outcome.files ?? [], []);
    },
  },
  {
    type: 'multistep',
    tries: 'prints what terminals obey, half characters and text that runs backwards',
    doesNotGet: 'one control character into a result',
    script: inTest(`
  const nasty = '\\u001b[31mred\\u001b]0;title\\u0007\\u0000\\u009b2J\\u202egnp.exe\\ud800\\u2066';
  console.log(nasty);
  process.stdout.write(nasty);
  await test.step(nasty, async () => undefined);
  throw new Error(nasty);`),
    expectation: ({ outcome }) => {
      assert.is(outcome.status, 'error');
      assert.ok((JSON.parse(JSON.stringify(outcome)) as unknown) !== null);
    },
  },
  {
    type: 'multistep',
    tries: 'prints a line of 10 MB, throws one, and names a step so',
    doesNotGet: 'a result that is larger than results are',
    script: inTest(`
  const long = 'x'.repeat(10_000_000);
  console.log(long);
  await test.step(long, async () => undefined);
  throw new Error(long);`),
    expectation: ({ outcome, message }) => {
      assert.is(outcome.status, 'error');
      assert.ok(message.length <= 1_000);
      assert.ok(JSON.stringify(outcome.check_metadata).length < 262_144);
    },
  },
  {
    type: 'multistep',
    tries: 'prints for ever',
    doesNotGet: 'more logs than a run has',
    timeout: 5,
    script: inTest(`for (;;) { console.log('y'.repeat(1000)); await pause(0); }`),
    expectation: ({ outcome, text }) => {
      assert.is(outcome.status, 'error');
      assert.ok(text.length < 3_000_000, text.length.toString());
    },
  },
  {
    type: 'multistep',
    tries: 'prints for ever past console, on file descriptors 1 and 2',
    doesNotGet: 'memory of the service',
    timeout: 4,
    script: inTest(
      `const bytes = Buffer.alloc(65536, 'z'); for (;;) for (const fd of [1, 2]) try { fs.writeSync(fd, bytes); } catch {}`,
    ),
    expectation: ({ outcome, text }) => {
      assert.is(outcome.status, 'error');
      assert.ok(text.length < 100_000);
    },
  },
  {
    type: 'multistep',
    tries: 'closes the stream of its results',
    doesNotGet: 'a good result, nor to stay',
    timeout: 4,
    script: inTest(`for (const fd of [1, 2, 3]) fs.closeSync(fd); await pause(60000);`),
    expectation: ({ outcome }) => {
      assert.is(outcome.status, 'error');
    },
  },
  {
    type: 'multistep',
    tries: 'changes JSON, Promise, Array, Date and process, which its runner uses too',
    doesNotGet: 'more than a result of its own that is wrong',
    beside: PASSING,
    script: `
const { test } = require('@playwright/test');
Object.prototype.polluted = 1;
Array.prototype.map = () => [];
JSON.stringify = () => '{"type":"done","tests":1}';
Promise.prototype.then = function () { return this; };
Date.now = () => NaN;
process.send = () => true;
process.exit = () => undefined;
process.emit = () => false;
test('hostile', () => undefined);`,
    timeout: 8,
    expectation: ({ beside, outcome }) => {
      assert.is(beside.status, 'ok', beside.error_message ?? '');
      assert.is(outcome.status, 'error');
    },
  },
  {
    type: 'multistep',
    tries: 'changes Playwright, so that every expectation holds',
    doesNotGet: 'the run that follows to be judged so',
    script: `
const { test, expect } = require('@playwright/test');
Object.getPrototypeOf(expect(1)).toBe = () => undefined;
require.cache && Object.values(require.cache).forEach((one) => { try { one.exports.expect = () => ({ toBe() {} }); } catch {} });
test('hostile', () => undefined);`,
    expectation: (ran) => {
      assert.is(testsOf(ran).length, 1);
    },
  },
  {
    type: 'multistep',
    tries: 'comes after one that has changed Playwright',
    doesNotGet: 'anything of it: its sandbox is new',
    script: inTest(`expect(1).toBe(2);`),
    expectation: ({ outcome }) => {
      assert.is(outcome.status, 'error');
    },
  },
];
