import * as assert from 'uvu/assert';
import { inTest, OTHERS_SECRET, type HostileScript, type Ran } from '../hostile-script.ts';
import { WAITING } from './second-script.ts';

/** The value contains characters that are encoded in URLs, in JSON and in base64. */
const TOKEN = 'pa"ss/wörd+&\\ 42=';
const secrets = { TOKEN };

const FORMS = [
  TOKEN,
  encodeURIComponent(TOKEN),
  new URLSearchParams({ x: TOKEN }).toString().slice(2),
  JSON.stringify(TOKEN).slice(1, -1),
  Buffer.from(TOKEN).toString('base64'),
  Buffer.from(TOKEN).toString('base64url'),
];

/** Asserts that no text of the result contains the secret in any encoding. */
const masked = ({ text, outcome }: Ran): void => {
  const open = JSON.stringify(outcome, (_, value: unknown) => value);
  for (const form of FORMS)
    for (const shown of [text, open, stringsIn(outcome).join('\n')]) assert.not.ok(shown.includes(form), form);
  assert.match(text, /\*{8}/);
};

const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...stringsIn(inner)]);
};

/** Scripts that try to reveal their own secrets in their results, or to read secrets of others. */
export const SECRETS: readonly HostileScript[] = [
  {
    type: 'multistep',
    title: 'a secret that a script prints as plain text, in JSON, URL-encoded or in base64 is masked in the result',
    secrets,
    script: inTest(`
  const { TOKEN } = process.env;
  console.log(TOKEN, JSON.stringify({ TOKEN }), encodeURIComponent(TOKEN), String(new URLSearchParams({ TOKEN })));
  console.error(Buffer.from(TOKEN).toString('base64'), Buffer.from(TOKEN).toString('base64url'));
  process.stdout.write(TOKEN + '\\n');
  console.log({ nested: [TOKEN] });`),
    expectation: masked,
  },
  {
    type: 'multistep',
    title: 'a secret in the test names, step names and errors of a script is masked in the result',
    secrets,
    script: `
const { test, expect } = require('@playwright/test');
const { TOKEN } = process.env;
test('test ' + TOKEN, async () => {
  await test.step('step ' + encodeURIComponent(TOKEN), async () => {
    expect.soft('x').toBe(TOKEN);
    throw new Error('error ' + TOKEN + ' ' + Buffer.from(TOKEN).toString('base64'));
  });
});`,
    expectation: (ran) => {
      assert.is(ran.outcome.status, 'error');
      masked(ran);
    },
  },
  {
    type: 'multistep',
    title: "a secret in the URLs and headers of a script's failed requests is masked in the result",
    secrets,
    script: inTest(`
  const { TOKEN } = process.env;
  for (const url of ['http://127.0.0.1:1/?token=' + encodeURIComponent(TOKEN), 'http://user:' + encodeURIComponent(TOKEN) + '@127.0.0.1:1/'])
    { await attempt(() => fetch(url)); await request.get(url, { headers: { 'x-token': Buffer.from(TOKEN).toString('base64') } }).catch((error) => console.log(error.message)); }
  console.log(TOKEN);`),
    expectation: masked,
  },
  {
    type: 'multistep',
    title: 'a secret in a syntax error that a script throws is masked in the result',
    secrets: { TOKEN: 'unexpected-token-of-mine' },
    script: `throw new SyntaxError('near ' + process.env.TOKEN);`,
    expectation: ({ text, outcome }) => {
      assert.is(outcome.status, 'error');
      assert.not.match(text, /unexpected-token-of-mine/);
    },
  },
  {
    type: 'multistep',
    title: 'no part of a secret appears in the result if a forged message is shortened in the middle of the secret',
    secrets: { TOKEN: 'first-half-second-half' },
    script: inTest(`
  const say = (message) => { const content = Buffer.from(JSON.stringify(message)); const head = Buffer.alloc(5); head.writeUInt32BE(content.length + 1); head.write('J', 4); fs.writeSync(3, Buffer.concat([head, content])); };
  const { TOKEN } = process.env;
  say({ type: 'stepBegin', test: 0, step: 500, parent: null, category: 'test.step', name: 'x'.repeat(985) + TOKEN, line: null });
  say({ type: 'log', level: 'log', message: 'y'.repeat(8180) + TOKEN, timestamp: new Date().toISOString() });
  say({ type: 'log', level: 'log', message: TOKEN.split('').join('\\u0000'), timestamp: new Date().toISOString() });
  await pause(200);`),
    expectation: ({ text }) => {
      assert.not.match(text, /first-half/);
    },
  },
  {
    type: 'multistep',
    title: 'a script can have secrets that are named like environment variables of Node.js and the linker',
    secrets: {
      NODE_OPTIONS: '--require=/tmp/x.js',
      LD_PRELOAD: '/tmp/x.so',
      PWDEBUG: '1',
      HTTP_PROXY: 'http://127.0.0.1:1',
    },
    script: inTest(
      `found(process.env.NODE_OPTIONS !== undefined); found(real('child_process').spawnSync(process.execPath, ['-e', '0']).status === 0);`,
    ),
    expectation: ({ found, outcome }) => {
      assert.is(outcome.status, 'ok', outcome.error_message ?? '');
      assert.is(found[0], true);
    },
  },
  {
    type: 'multistep',
    title: "a script can't find the secret of a concurrent run in its environment, processes or files",
    beside: WAITING,
    secrets,
    script: inTest(`
  await pause(1000);
  console.log(JSON.stringify(process.env), fs.readdirSync('/tmp').join());
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name))) await attempt(() => console.log(fs.readFileSync('/proc/' + pid + '/environ', 'latin1')));
  found(Object.keys(process.env).includes('OTHERS'));`),
    expectation: ({ found, text }) => {
      assert.equal(found, [false]);
      assert.not.ok(text.includes(Buffer.from(OTHERS_SECRET).toString('base64')));
    },
  },
  {
    type: 'multistep',
    title: 'a script finds no secrets of earlier runs in its environment and in /dev/shm',
    script: inTest(
      `found(['TOKEN', 'OTHERS', 'NODE_OPTIONS'].filter((name) => name in process.env), fs.readdirSync('/dev/shm'));`,
    ),
    expectation: ({ found }) => {
      assert.equal(found, [[], []]);
    },
  },
];
