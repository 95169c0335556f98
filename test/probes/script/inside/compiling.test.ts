import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunRecord } from '../../../../probes/script/record.ts';
import { scriptRuns } from './scripts.ts';

/* Languages of scripts, and the errors of those that can't be compiled or loaded. */

const test = suite('compiling scripts');
const { run } = await scriptRuns(test);

const namesOf = ({ tests }: RunRecord): string[] =>
  tests.map(({ titles, status }) => `${titles.join(' › ')}: ${status}`);

/** Returns the error of a script that fails before its tests. */
const fatalOf = ({ fatal }: RunRecord): string =>
  fatal
    ? `${fatal.compiling ? 'compiling' : 'running'} ${fatal.error.line ?? '?'}:${fatal.error.column ?? '?'} ${fatal.error.message.split('\n')[0] ?? ''}`
    : 'nothing';

for (const [name, script] of Object.entries({
  CommonJS: `
    const { test, expect } = require('@playwright/test');
    test('adds', () => { expect(1 + 1).toBe(2); });`,
  'CommonJS and uses the package as the function `test`': `
    const test = require('@playwright/test');
    test('adds', () => { test.expect(1 + 1).toBe(2); });`,
  'an ES module': `
    import { test, expect } from '@playwright/test';
    import { readFileSync } from 'node:fs';
    test('adds', () => { expect(typeof readFileSync).toBe('function'); });`,
  'an ES module with a default import': `
    import test, { expect } from '@playwright/test';
    test('adds', () => { expect(1 + 1).toBe(2); });
    export default test;`,
  TypeScript: `
    import { test, expect, type APIRequestContext } from '@playwright/test';
    interface Book { name: string; price?: number }
    enum Kind { Paper = 1, Screen }
    class Shop { constructor(private readonly books: Book[] = []) {} get first(): Book | undefined { return this.books[0]; } }
    const shop = new Shop([{ name: 'a' } satisfies Book]);
    test('adds', async ({}: { request: APIRequestContext }): Promise<void> => {
      expect(shop.first!.name as string).toBe('a');
      expect<number>(Kind.Screen).toBe(2);
    });`,
  'TypeScript with a top-level await': `
    import { test, expect } from '@playwright/test';
    const two: number = await Promise.resolve(2);
    test('adds', () => { expect(two).toBe(2); });`,
  'CommonJS with a shebang line and a top-level await': `#!/usr/bin/env node
    const { test, expect } = require('@playwright/test');
    const count = await Promise.resolve(9);
    test('adds', () => { expect(count).toBe(9); });`,
  'CommonJS with a top-level await': `
    const { test, expect } = require('@playwright/test');
    const two = await Promise.resolve(2);
    test('adds', () => { expect(two).toBe(2); });`,
}))
  test(`a script that is ${name} compiles and runs`, async () => {
    const record = await run('multistep', script);
    assert.equal([fatalOf(record), ...namesOf(record)], ['nothing', 'adds: passed']);
    assert.equal([record.end, record.testCount, record.logs], [{ how: 'done' }, 1, []]);
  });

for (const [name, script, said] of [
  [
    'a missing bracket',
    "const { test } = require('@playwright/test');\ntest('a', () => {\n  const one = [1, 2;\n});",
    'compiling 3:20 Unexpected token, expected ","',
  ],
  [
    'two constants of the same name',
    "import { test } from '@playwright/test';\n\nconst a: number = 1;\nconst a: number = 2;\n",
    "compiling 4:7 Identifier 'a' has already been declared.",
  ],
  [
    'an await in a function that is not async',
    "import { test } from '@playwright/test';\ninterface Book {\n  name: string;\n}\ntest('a', ({ page }) => {\n  await page.goto('/');\n});\n",
    "compiling 6:3 Unexpected reserved word 'await'.",
  ],
  [
    'a regular expression that only Node.js rejects',
    "import { test } from '@playwright/test';\ninterface Book {\n  name: string;\n}\n\nconst a = /(?<n>a)(?<n>b)/;\n",
    'compiling 6:11 Invalid regular expression: /(?<n>a)(?<n>b)/: Duplicate capture group name',
  ],
  [
    'a top-level await and a regular expression that only Node.js rejects',
    "import { test } from '@playwright/test';\nawait 1;\n\nconst a = /(?<n>a)(?<n>b)/;\n",
    'compiling 4:11 Invalid regular expression: /(?<n>a)(?<n>b)/: Duplicate capture group name',
  ],
  ['text that is not a program', 'Open the page and look.', 'compiling 1:5 Missing semicolon.'],
  [
    'an error outside of tests',
    "import { test } from '@playwright/test';\ntype A = string;\n\nthrow new Error('no luck');",
    'running 4:7 Error: no luck',
  ],
  [
    'an undefined variable',
    "const { test } = require('@playwright/test');\ntest('a', () => {});\nnothing.here();",
    'running 3:1 ReferenceError: nothing is not defined',
  ],
  ['a thrown value that is not an Error', "throw 'a text';", 'running ?:? a text'],
  [
    'two tests with the same title',
    "const { test } = require('@playwright/test');\ntest('a', () => {});\ntest('a', () => {});",
    'running 3:? Two tests have the title "a": each needs its own.',
  ],
] as const)
  test(`the error in a script with ${name} is reported, with its location if that is known`, async () => {
    const record = await run('multistep', script);
    assert.is(fatalOf(record).slice(0, said.length), said);
    assert.equal(record.end, { how: 'done' });
  });

test('a script that declares no tests is reported', async () => {
  const record = await run('multistep', "require('@playwright/test');\nconsole.log('nothing else');");
  assert.equal([record.end, record.testCount, record.tests.length, record.fatal], [{ how: 'done' }, 0, 0, null]);
  assert.equal(
    record.logs.map(({ message }) => message),
    ['nothing else'],
  );
});

test('an empty script has no tests', async () => {
  const record = await run('multistep', '');
  assert.equal([record.end, record.testCount, record.fatal], [{ how: 'done' }, 0, null]);
});

test('a script that never finishes loading fails before the time limit', async () => {
  const record = await run('multistep', "console.log('begun');\nawait new Promise(() => {});", { timeout: 1_500 });
  assert.is(fatalOf(record), 'running ?:? Error: It was not loaded before the end of the run.');
  assert.equal(record.end, { how: 'done' });
});

test('scripts can import the offered packages in every way', async () => {
  const record = await run(
    'multistep',
    `import { test, expect } from '@playwright/test';
     import { faker } from '@faker-js/faker';
     import dayjs from 'dayjs';
     import utc from 'dayjs/plugin/utc';
     import { z } from 'zod';
     const jwt = require('jsonwebtoken');
     test('uses them', async () => {
       const { TOTP } = await import('otpauth');
       dayjs.extend(utc);
       expect(dayjs.utc(0).year()).toBe(1970);
       expect(z.string().parse(faker.person.firstName())).toBeTruthy();
       expect(jwt.verify(jwt.sign({ a: 1 }, 'key'), 'key').a).toBe(1);
       expect(new TOTP({ secret: 'JBSWY3DPEHPK3PXP' }).generate()).toMatch(/^\\d{6}$/);
     });`,
  );
  assert.equal([fatalOf(record), ...namesOf(record)], ['nothing', 'uses them: passed']);
});

for (const [name, script, said] of [
  [
    'a module that opens connections',
    "import net from 'node:net';\nnet.connect(1);",
    /^running 1:\d+ Error: "node:net" can't be imported\./,
  ],
  [
    'another file',
    "const helper = require('./helper');",
    /^running 1:\d+ Error: "\.\/helper" can't be imported: a script is one file/,
  ],
  ['a file of the system', "require('/etc/passwd');", /^running 1:\d+ Error: "\/etc\/passwd" can't be imported/],
  [
    'a package that is not offered',
    "import axios from 'axios';\naxios.get('/');",
    /^running 1:\d+ Error: "axios" can't be imported\. Use fetch/,
  ],
] as const)
  test(`a script can't import ${name}`, async () => {
    assert.match(fatalOf(await run('multistep', script)), said);
  });

test('imports that a script makes during a test are checked too, not only those at its beginning', async () => {
  const { tests } = await run(
    'multistep',
    "const { test } = require('@playwright/test');\ntest('a', async () => { await import('node:child_process'); });",
  );
  assert.match(tests[0]?.errors[0]?.message ?? '', /^Error: "node:child_process" can't be imported/);
});

test.run();
