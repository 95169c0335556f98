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
    title: "a script can't forge a result of another check, run or organization",
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
    title: 'a script that continues after it has reported its end is ended, and its later output is ignored',
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
    title: 'a script that sends a forged ready message with the name of another browser is ended',
    script: saying(`say({ type: 'ready', browser: 'Forged 1' });`),
    expectation: (ran) => {
      nonsense(ran);
      assert.not.match(ran.text, /Forged/);
    },
  },
  {
    type: 'multistep',
    title: 'a script that reports more tests than it has run fails',
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
    title: 'a script that reports two different results of the same test is ended',
    script: saying(
      `for (const status of ['failed', 'passed']) say({ type: 'testEnd', test: 0, status, duration: 1, errors: [], softErrors: [] });`,
    ),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    title: 'a script that reports a step of a test that has not begun is ended',
    script: saying(
      `say({ type: 'stepBegin', test: 7, step: 0, parent: null, category: 'test.step', name: 'x', line: null });`,
    ),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    title: 'a script that sends messages of unknown types is ended',
    script: saying(
      `for (const one of [null, [], 7, 'x', { type: 'toString' }, { type: '__proto__' }, {}]) say(JSON.stringify(one));`,
    ),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    title: 'a script that sends a message that is not JSON is ended',
    script: saying(`say('{"type":"log",');`),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    title: 'a script that announces a frame of 4 GiB is ended',
    script: saying(`write(Buffer.from('ffffffff4a', 'hex')); for (let n = 0; n < 64; n++) write(Buffer.alloc(65536));`),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    title: 'a script that reports an infinite duration is ended',
    script: saying(
      `say('{"type":"testEnd","test":0,"status":"passed","duration":1e999,"errors":[],"softErrors":[]}');`,
    ),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    title: 'a script that sends half a million nested lists is ended',
    script: saying(`say('['.repeat(500000) + ']'.repeat(500000));`),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    title: 'the result of a script with 90,000 steps, of which 1,000 are nested, has less than 256 KiB of metadata',
    script: saying(`
  for (let step = 0; step < 1000; step++) say({ type: 'stepBegin', test: 0, step, parent: step === 0 ? null : step - 1, category: 'test.step', name: 'x'.repeat(900), line: null });
  for (let step = 1000; step < 90000; step++) say({ type: 'stepBegin', test: 0, step, parent: null, category: 'test.step', name: 'y'.repeat(500), line: null });`),
    expectation: ({ outcome }) => {
      assert.ok(JSON.stringify(outcome.check_metadata).length < 262_144);
    },
  },
  {
    type: 'multistep',
    title: 'a script that writes 200,000 log messages to the stream of its results is ended',
    script: saying(`for (let n = 0; n < 200000; n++) say(log('x'));`),
    expectation: nonsense,
  },
  {
    type: 'multistep',
    title: "a script can't change objects of the service by message fields named __proto__, constructor and prototype",
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
    title: 'files that a script sends with names such as ../file are stored under names without a path',
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
    title: 'a script that sends a file of many gigabytes fails, and the file is not stored',
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
    title: 'a script that sends a thousand files is ended, and at most 20 of the files are stored',
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
    title: 'a file of which a script has sent only the beginning is not stored',
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
    title: 'the result of a script contains no terminal control sequences that the script has printed or thrown',
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
    title: 'the result of a script contains printed lines, errors and step names of 10 MB only in a shortened form',
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
    title: 'the result of a script that prints to the console endlessly contains less than 3 MB of text',
    timeout: 5,
    script: inTest(`for (;;) { console.log('y'.repeat(1000)); await pause(0); }`),
    expectation: ({ outcome, text }) => {
      assert.is(outcome.status, 'error');
      assert.ok(text.length < 3_000_000, text.length.toString());
    },
  },
  {
    type: 'multistep',
    title: 'the result of a script that writes to file descriptors 1 and 2 endlessly contains less than 100 kB of text',
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
    title: 'a script that closes the stream of its results fails',
    timeout: 4,
    script: inTest(`for (const fd of [1, 2, 3]) fs.closeSync(fd); await pause(60000);`),
    expectation: ({ outcome }) => {
      assert.is(outcome.status, 'error');
    },
  },
  {
    type: 'multistep',
    title: 'a script that replaces functions of JSON, Promise and process fails, and does not affect a concurrent run',
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
    title: 'a script that replaces the assertions of Playwright gets a result with its only test',
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
    title:
      'a failed assertion makes a script fail, although an earlier script has replaced the assertions of Playwright',
    script: inTest(`expect(1).toBe(2);`),
    expectation: ({ outcome }) => {
      assert.is(outcome.status, 'error');
    },
  },
];
