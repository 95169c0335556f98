import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BeginMessage } from '../../../../probes/script/protocol.ts';
import type { RunRecord } from '../../../../probes/script/record.ts';
import { nobodyListens, pagesServer } from './pages-server.ts';
import { inTime, scriptRuns, testsOfOwn, treeOf } from './scripts.ts';

/* Records of script runs without a browser. */

const test = suite('running scripts');
const { url, requested } = await pagesServer(test);
const nobody = await nobodyListens();
const { run } = await scriptRuns(test);

const HEAD = "const { test, expect, request } = require('@playwright/test');\n";
const multistep = (script: string, begin: Partial<BeginMessage> = {}): Promise<RunRecord> =>
  run('multistep', HEAD + script, { url, environment: { NOBODY: `http://${nobody}/` }, ...begin });

const endsOf = ({ tests }: RunRecord): string[] =>
  tests.map(({ titles, status }) => `${titles.join(' › ')}: ${status}`);

/** Returns the first line of each error of all tests. */
const errorsOf = ({ tests }: RunRecord): string[] =>
  tests.flatMap(({ errors }) => errors.map(({ message }) => message.split('\n')[0] ?? ''));

const logsOf = ({ logs }: RunRecord): string[] => logs.map(({ level, message }) => `${level}: ${message}`);

test('requests of a script are relative to the check’s URL, and its steps are nested', async () => {
  const before = requested.length;
  const record = await multistep(`
    test.describe('shop', () => {
      test('has books', async ({ request }) => {
        const books = await test.step('asks', async () => {
          const answer = await request.get('/json');
          await test.step('looks', async () => { expect(answer.status()).toBe(200); });
          return answer.json();
        });
        expect(books.name).toBe('book');
      });
    });`);
  assert.equal(endsOf(record), ['shop › has books: passed']);
  assert.equal(requested.slice(before), ['/json']);
  const steps = record.tests[0]?.steps.filter(({ category }) => category !== 'hook') ?? [];
  assert.equal(treeOf(steps), ['asks', '  GET /json', '  looks', '    Expect "toBe"', 'Expect "toBe"']);
  assert.equal(
    steps.map(({ line }) => line),
    [5, 10],
  );
  assert.equal([record.testCount, record.end, record.browser], [1, { how: 'done' }, null]);
});

test('the hooks of a script run around its tests in order', async () => {
  const record = await multistep(`
    test.beforeAll(() => console.log('before all'));
    test.beforeEach(() => console.log('before each'));
    test.afterEach(() => console.log('after each'));
    test.afterAll(() => console.log('after all'));
    test('one', () => console.log('one'));
    test('two', () => console.log('two'));`);
  assert.equal(
    record.logs.map(({ message }) => message),
    ['before all', 'before each', 'one', 'after each', 'before each', 'two', 'after each', 'after all'],
  );
});

test('the tests of a script continue after a failed test', async () => {
  const record = await multistep(`
    test('one', () => { expect(1, 'the sum').toBe(2); });
    test('two', () => {});`);
  assert.equal(endsOf(record), ['one: failed', 'two: passed']);
  assert.equal(errorsOf(record), ['Error: the sum']);
  assert.equal([record.tests[0]?.errors[0]?.line, record.tests[0]?.errors[0]?.column], [3, 46]);
});

test('serial tests of a script stop at the first failure', async () => {
  const record = await multistep(`
    test.describe.serial('cart', () => {
      test('fill', () => { throw new Error('empty'); });
      test('pay', () => {});
    });
    test('other', () => {});`);
  assert.equal(endsOf(record), ['cart › fill: failed', 'cart › pay: skipped', 'other: passed']);
});

test('scripts can use skip, fixme, fail and only', async () => {
  const record = await multistep(`
    test.skip('skipped', () => {});
    test.fixme('to be mended', () => {});
    test.fail('known to fail', () => { expect(1).toBe(2); });
    test.fail('said to fail', () => {});
    test('skips itself', () => { test.skip(true, 'not today'); });`);
  assert.equal(endsOf(record), [
    'skipped: skipped',
    'to be mended: skipped',
    'known to fail: passed',
    'said to fail: failed',
    'skips itself: skipped',
  ]);
  assert.equal(errorsOf(record), ['The test was expected to fail, but it passed.']);
  const only = await multistep("test.only('this', () => {});\ntest('that', () => {});");
  assert.equal([endsOf(only), only.testCount], [['this: passed'], 1]);
});

for (const kind of ['skip', 'fixme', 'fail'] as const)
  test(`an ordinary test of a script runs next to a test marked as ${kind}`, async () => {
    const record = await multistep(`
      test('before', () => {});
      test.${kind}('marked', () => { expect(1).toBe(2); });
      test.describe('group', () => { test.${kind}('also marked', () => { expect(1).toBe(2); }); });
      test('after', () => {});`);
    const marked = kind === 'fail' ? 'passed' : 'skipped';
    assert.equal(
      [endsOf(record), record.fatal],
      [['before: passed', `marked: ${marked}`, `group › also marked: ${marked}`, 'after: passed'], null],
    );
  });

test('soft assertions fail a test of a script but let it continue', async () => {
  const record = await multistep(`
    test('one', () => {
      expect.soft(1, 'first').toBe(2);
      expect.soft('a', 'second').toBe('b');
      expect(3, 'third').toBe(4);
    });`);
  const [one] = record.tests;
  assert.equal(errorsOf(record), ['Error: first', 'Error: second', 'Error: third']);
  assert.equal(
    one?.softErrors.map(({ message }) => message.split('\n')[0]),
    ['Error: first', 'Error: second'],
  );
  assert.is(one?.status, 'failed');
});

for (const [name, body, first] of [
  ['an assertion', "expect('a').toBe('b');", 'Error: expect(received).toBe(expected) // Object.is equality'],
  ['an error', "throw new Error('no luck');", 'Error: no luck'],
  ['an error with a cause', "throw new Error('no', { cause: new Error('luck') });", 'Error: no'],
  ['a type error', 'null.name;', "TypeError: Cannot read properties of null (reading 'name')"],
  ['a thrown value that is not an Error', "throw 'text';", "'text'"],
  [
    'a timeout that the test has set',
    'test.setTimeout(200); await new Promise(() => {});',
    'Test timeout of 200ms exceeded.',
  ],
  [
    'an assertion that is retried until its timeout',
    'await expect.poll(() => 1, { timeout: 100 }).toBe(2);',
    'Error: expect(received).toBe(expected) // Object.is equality',
  ],
  [
    'a response that is not OK',
    "await expect(await request.get('/error')).toBeOK();",
    'Error: expect(response).toBeOK() failed',
  ],
  [
    'a refused connection',
    'await request.get(process.env.NOBODY);',
    `Error: apiRequestContext.get: Connection refused by ${nobody}. (http://${nobody}/)`,
  ],
  ['a failed fetch', 'await fetch(process.env.NOBODY);', 'TypeError: fetch failed'],
  [
    'a request that takes too long',
    "await request.get('/never', { timeout: 200 });",
    'TimeoutError: apiRequestContext.get: Timeout 200ms exceeded.',
  ],
] as const)
  test(`a test of a script that fails because of ${name} reports the failure`, async () => {
    const record = await multistep(`test('one', async ({ request }) => { ${body} });`);
    assert.is(errorsOf(record)[0], first);
  });

test('an error in a script includes its cause', async () => {
  const record = await multistep("test('one', async () => { await fetch(process.env.NOBODY); });");
  assert.match(
    record.tests[0]?.errors[0]?.message ?? '',
    /^TypeError: fetch failed\n\[cause\]: .*Connection refused by 127\.0\.0\.1:\d+\./s,
  );
});

for (const fixture of ['page', 'context', 'browser'])
  test(`without a browser, the fixture ${fixture} fails and names the check type that has a browser`, async () => {
    const record = await multistep(`test('one', async ({ ${fixture} }) => { await ${fixture}.close(); });`);
    assert.equal(errorsOf(record), [
      'Error: A check of type multistep has no browser: the fixtures page, context and browser need one of type synthetic.',
    ]);
  });

for (const ways of ['extend', 'only'] as const)
  test(`without a browser, a test that is declared with test.${ways} fails and names the check type that has a browser`, async () => {
    const record = await run('multistep', testsOfOwn(ways, 'async ({ page }) => { await page.close(); }'));
    const errors = errorsOf(record);
    assert.is(errors.length, ways === 'only' ? 3 : 5);
    assert.ok(errors.every((error) => error.startsWith('Error: A check of type multistep has no browser')));
  });

test('without a browser, a launch fails and names the check type that has a browser', async () => {
  const record = await multistep("test('one', async ({ playwright }) => { await playwright.chromium.launch(); });");
  assert.match(errorsOf(record)[0] ?? '', /^Error: A check of type multistep has no browser/);
});

test('output of a script is logged with its level, in chronological order', async () => {
  const record = await multistep(
    `console.log('loading %s', { a: 1 });
    process.stdout.write('written\\n');
    test('one', () => {
      console.info('info'); console.warn('warn'); console.error(new Error('error').message); console.debug('debug');
      process.stdout.write('out\\n'); process.stderr.write('err\\n');
      console.log(process.env.TOKEN);
    });`,
    { environment: { TOKEN: 's3cret' } },
  );
  assert.equal(logsOf(record), [
    ...['log: loading { a: 1 }', 'log: written', 'info: info', 'warn: warn', 'error: error', 'debug: debug'],
    ...['log: out', 'error: err', 'log: s3cret'],
  ]);
});

test('warnings of Node.js are logged if the script causes them, but not if its tests fail', async () => {
  const record = await multistep(`
    process.emitWarning('old');
    for (let i = 0; i < 15; i += 1) test(String(i), () => { expect(1).toBe(2); });`);
  assert.is(endsOf(record).filter((end) => end.endsWith(': failed')).length, 15);
  const [warning = '', ...rest] = logsOf(record).filter((line) => line.includes('Warning'));
  assert.match(warning, /^error: \(node:\d+\) Warning: old/);
  assert.equal(rest, []);
});

test('endless output of a script is cut, and the script continues', async () => {
  const record = await multistep(
    "test('one', () => { for (let i = 0; i < 40_000; i += 1) console.log(`${i} ${'x'.repeat(60)}`); });",
  );
  assert.equal([endsOf(record), record.logsCut], [['one: passed'], true]);
});

test('a script’s own fixtures and options are applied', async () => {
  const record = await multistep(`
    const mine = test.extend({
      book: async ({ request }, use) => { await use((await (await request.get('/json')).json()).name); },
      shared: [async ({}, use) => { await use('shared'); console.log('taken down'); }, { scope: 'worker' }],
    });
    mine.use({ extraHTTPHeaders: { 'x-mine': 'yes' } });
    mine('one', ({ book, shared }) => { expect(book + shared).toBe('bookshared'); });`);
  assert.equal([endsOf(record), logsOf(record)], [['one: passed'], ['log: taken down']]);
});

test('a failed hook of a script prevents the tests from running', async () => {
  const record = await multistep(`
    test.beforeAll(() => { throw new Error('no set-up'); });
    test('one', () => {});
    test('two', () => {});`);
  assert.equal(endsOf(record), ['one: failed', 'two: skipped']);
  assert.equal(errorsOf(record), ['Error: no set-up']);
});

test(
  'an endless test of a script is ended before the run ends, and reports what the test was waiting for',
  inTime(async () => {
    const record = await multistep(
      "test('one', async ({ request }) => { await request.get('/never', { timeout: 0 }); });",
      {
        timeout: 8_000,
      },
    );
    assert.equal([endsOf(record), record.end], [['one: timedOut'], { how: 'done' }]);
    assert.match(errorsOf(record)[0] ?? '', /^Test timeout of \d+ms exceeded\.$/);
    assert.match(
      record.tests[0]?.errors[1]?.message ?? '',
      /apiRequestContext\.get: .*\n[^]*GET http:\/\/127\.0\.0\.1:\d+\/never/,
    );
  }),
);

test(
  'a timeout in the script is limited to the timeout of the run',
  inTime(async () => {
    const record = await multistep(
      "test('one', async () => { test.setTimeout(60_000); await new Promise(() => {}); });",
      {
        timeout: 8_000,
      },
    );
    assert.equal([endsOf(record), record.end], [['one: timedOut'], { how: 'done' }]);
  }),
);

test(
  'endless hooks after a test do not lose the results of tests that have ended',
  inTime(async () => {
    const record = await multistep(
      "test.afterEach(async () => { await new Promise(() => {}); });\ntest('one', () => { expect(1, 'sum').toBe(2); });",
      { timeout: 8_000 },
    );
    assert.equal([endsOf(record), record.end], [['one: failed'], { how: 'done' }]);
    assert.is(errorsOf(record)[0], 'Error: sum');
  }),
);

test('an endless loop in a script is killed, and the step in progress is reported', async () => {
  const record = await multistep(
    "test('one', async () => { await test.step('loops', async () => { for (;;) {} }); });",
    { timeout: 4_000 },
  );
  assert.equal([endsOf(record), record.end], [['one: running'], { how: 'timeout' }]);
  const steps = record.tests[0]?.steps.filter(({ category }) => category === 'test.step') ?? [];
  assert.equal(treeOf(steps), ['loops (under way)']);
});

test('a failed step of a script is recorded, no matter how many steps came before', async () => {
  const record = await multistep(`
    test('polls', async () => {
      for (let i = 0; i < 40; i += 1)
        await test.step('poll', async () => { for (let j = 0; j < 100; j += 1) expect(1).toBe(1); });
      await test.step('checkout', async () => {
        await test.step('pay', async () => { expect(1, 'the sum').toBe(2); });
      });
    });`);
  assert.equal([endsOf(record), errorsOf(record)], [['polls: failed'], ['Error: the sum']]);
  const failed = record.tests[0]?.steps.filter(({ error }) => error !== null) ?? [];
  assert.equal(treeOf(failed), ['checkout (failed)', '  pay (failed)']);
});

test('a script that ends its own process is reported as ended too early', async () => {
  const record = await multistep("test('one', () => { console.log('bye'); process.exit(3); });");
  assert.equal([endsOf(record), record.end], [['one: running'], { how: 'died', cause: 'it ended with code 3' }]);
  assert.equal(logsOf(record), ['log: bye']);
});

test('an unhandled rejection in a script fails the test in progress', async () => {
  const record = await multistep(`
    test('one', async () => {
      Promise.reject(new Error('alone'));
      await new Promise((resolve) => setTimeout(resolve, 500));
    });`);
  assert.equal([endsOf(record), errorsOf(record)], [['one: failed'], ['Error: alone']]);
});

test('an uncaught error in a script fails the test in progress', async () => {
  const record = await multistep(`
    test('one', async () => {
      setTimeout(() => { throw new Error('late'); }, 10);
      await new Promise((resolve) => setTimeout(resolve, 500));
    });`);
  assert.equal([endsOf(record), errorsOf(record)], [['one: failed'], ['Error: late']]);
});

test('all requests of a script use the proxy', async () => {
  const record = await multistep(
    `
    const http = require('node:http');
    test('one', async ({ request, playwright }) => {
      const own = await playwright.request.newContext();
      const heard = await new Promise((resolve) => http.get(process.env.URL, (answer) => resolve(answer.statusCode)));
      const [a, b, c] = [await request.get('/json'), await fetch(process.env.URL), await own.get(process.env.URL)];
      expect([a.status(), b.status, c.status(), heard]).toEqual([200, 200, 200, 200]);
      await own.get('http://192.0.2.1/').catch((error) => console.log(error.message.split('\\n')[0]));
    });`,
    { environment: { URL: url } },
  );
  assert.equal(endsOf(record), ['one: passed']);
  assert.match(logsOf(record).join('\n'), /192\.0\.2\.1/);
});

test.run();
