import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunRecord } from '../../../../probes/script/record.ts';
import { outcomeOf } from '../../../../probes/script/outcome/outcome.ts';
import { ERRORS } from './playwright-errors.ts';
import { error, failed, passed, record, step } from './records.ts';

const sentences = suite('failure sentences of scripts');

const sentenceOf = (fields: Partial<RunRecord>): string | null =>
  outcomeOf(record(fields), { timeout: 30_000 }).outcome.error_message;

const of = (message: string): string | null => sentenceOf({ tests: [failed(message)] });

sentences('the failure sentence of a script is absent if all tests passed', () => {
  assert.is(sentenceOf({}), null);
});

sentences('the failure sentence of a script names the expected and the received value', () => {
  assert.is(of(ERRORS.status), 'Test "buys a book" failed: expected 200, received 500.');
  assert.is(of(ERRORS.withMessage), 'Test "buys a book" failed: status of checkout: expected 200, received 500.');
  assert.is(
    of(ERRORS.contained),
    'Test "buys a book" failed: expected substring "bye", received string "hello world".',
  );
  assert.is(
    of(ERRORS.property),
    'Test "buys a book" failed: expected path "b", received path [], expected value 2, received value {"a": 1}.',
  );
  assert.is(of(ERRORS.truthy), 'Test "buys a book" failed: expected something truthy, received false.');
  assert.is(of(ERRORS.polled), 'Test "buys a book" failed: expected 4, received 3 (waited 300 ms).');
  assert.is(
    of(ERRORS.toBeOk),
    'Test "buys a book" failed: expected a status from 200 to 299, received 500 Internal Server Error from GET http://127.0.0.1:8080/500.',
  );
});

sentences('the failure sentence of a script shows the differing lines of longer values', () => {
  assert.is(
    of(ERRORS.deepEquality),
    [
      'Test "buys a book" failed: expected (-) and received (+) differ:',
      '-   "a": 2,',
      '+   "a": 1,',
      '-     3,',
      '+     2,',
    ].join('\n'),
  );
});

sentences('the failure sentence of a script names the element or the part of the page', () => {
  assert.is(
    of(ERRORS.text),
    `Test "buys a book" failed: locator('h1'): expected "Goodbye", received "Welcome" (waited 500 ms).`,
  );
  assert.is(
    of(ERRORS.title),
    'Test "buys a book" failed: the title: expected pattern /Cart/, received string "Shop" (waited 500 ms).',
  );
  assert.is(
    of(ERRORS.missingElement),
    `Test "buys a book" failed: getByRole('button', { name: 'Buy' }): expected visible, element(s) not found (waited 500 ms).`,
  );
  assert.is(
    of(ERRORS.shownElement),
    `Test "buys a book" failed: getByRole('button', { name: 'Pay' }): expected not visible, received visible (waited 500 ms).`,
  );
});

sentences('the failure sentence of a script says what the script was waiting for', () => {
  assert.is(
    of(ERRORS.click),
    `Test "buys a book" failed: locator.click was not done within 500 ms, waiting for getByRole('button', { name: 'Buy' }).`,
  );
  assert.is(
    of(ERRORS.slowPage),
    'Test "buys a book" failed: page.goto was not done within 500 ms, navigating to "http://127.0.0.1:8080/slow", waiting until "load".',
  );
  assert.is(
    of(ERRORS.slowRequest),
    'Test "buys a book" failed: apiRequestContext.get was not done within 500 ms, requesting GET http://127.0.0.1:8080/slow.',
  );
  assert.is(
    sentenceOf({
      tests: [
        failed('', { status: 'timedOut', errors: [error(ERRORS.testTimeout), error(ERRORS.waitedUntilTimeout)] }),
      ],
    }),
    `Test "buys a book" failed: locator.click was not done within 700 ms, waiting for getByText('nothing').`,
  );
});

sentences('the failure sentence of a script shows the error without colours and stack', () => {
  assert.is(of(ERRORS.thrown), 'Test "buys a book" failed: Out of stock.');
  assert.is(
    of(ERRORS.typeError),
    `Test "buys a book" failed: TypeError: Cannot read properties of undefined (reading 'y').`,
  );
  assert.is(of(ERRORS.inPage), 'Test "buys a book" failed: page.evaluate: boom in page.');
  assert.is(of(ERRORS.refused), 'Test "buys a book" failed: apiRequestContext.get: connect ECONNREFUSED 127.0.0.1:1.');
  assert.is(
    of(ERRORS.ambiguous),
    [
      `Test "buys a book" failed: locator.click: strict mode violation: locator('p') resolved to 2 elements:`,
      `    1) <p>a</p> aka getByText('a')`,
      `    2) <p>b</p> aka getByText('b')`,
    ].join('\n'),
  );
  assert.is(of(''), 'Test "buys a book" failed.');
});

sentences('the failure sentence of a script names no folder of the sandbox', () => {
  const message = "Cannot find module './cart' at /tmp/run-1/script.ts:3:4\nRequire stack:\n- /tmp/run-1/script.ts";
  assert.is(of(message), `Test "buys a book" failed: Cannot find module './cart' at script.ts:3:4.`);
  assert.is(of('Expected "/tmp/cart"'), 'Test "buys a book" failed: Expected "/tmp/cart".');
});

sentences('the failure sentence of a script names its steps, from the outermost one', () => {
  const broken = { error: error(ERRORS.status) };
  const click = step('Click', { category: 'pw:api', ...broken });
  const steps = [
    step('Before Hooks', { category: 'hook' }),
    step('Open the shop'),
    step('Pay', { ...broken, steps: [step('Choose a card'), step('Confirm', { ...broken, steps: [click] })] }),
  ];
  assert.is(
    sentenceOf({ tests: [passed(), failed(ERRORS.status, { titles: ['Shop', 'buys a book'], steps })] }),
    'Test "Shop › buys a book" failed in step "Pay › Confirm": expected 200, received 500.',
  );
  const hooks = [
    step('Before Hooks', {
      category: 'hook',
      ...broken,
      steps: [step('beforeEach hook', { category: 'hook', ...broken })],
    }),
  ];
  assert.is(
    sentenceOf({ tests: [failed(ERRORS.status, { steps: hooks })] }),
    'Test "buys a book" failed in step "beforeEach hook": expected 200, received 500.',
  );
});

sentences('the failure sentence of a script reports the first of several failures', () => {
  assert.is(
    sentenceOf({ tests: [passed(), failed(ERRORS.status), failed(ERRORS.thrown)] }),
    'Test "buys a book" failed: expected 200, received 500.',
  );
});

sentences('the failure sentence of a script reports line and column of a syntax error', () => {
  const fatal = (message: string, line: number | null, column: number | null, compiling = true) =>
    sentenceOf({ tests: [], testCount: null, fatal: { error: error(message, line, column), compiling } });
  const expected = 'The script does not compile: Unexpected token (line 3, column 14).';
  assert.is(fatal('SyntaxError: /tmp/run/script.ts: Unexpected token (3:13)\n\n  1 | import', 3, 14), expected);
  assert.is(fatal('SyntaxError: /tmp/run/script.ts: Unexpected token (3:13)', null, null), expected);
  assert.is(
    fatal('SyntaxError: Unexpected end of input', 3, null),
    'The script does not compile: Unexpected end of input (line 3).',
  );
  assert.is(
    fatal('Error: The module "fs" can not be imported.', null, null),
    'The script does not compile: The module "fs" can not be imported.',
  );
  assert.is(
    fatal('ReferenceError: shop is not defined', 1, 1, false),
    'The script failed outside of its tests: ReferenceError: shop is not defined (line 1, column 1).',
  );
});

sentences('the failure sentence of a script reports missing tests, and tests that never ended', () => {
  assert.is(sentenceOf({ tests: [], testCount: 0 }), 'The script has no test.');
  assert.is(sentenceOf({ tests: [passed()], testCount: 3 }), "Only 1 of the script's 3 tests finished.");
  const many = Array.from({ length: 200 }, () => passed());
  assert.is(sentenceOf({ tests: many, testCount: 201 }), 'A script can have 200 tests, and this one has 201.');
  assert.is(
    sentenceOf({ tests: [passed({ status: 'running', duration: null })] }),
    'Test "opens the shop" started and never ended.',
  );
});

sentences('the failure sentence of a script says why the run was ended, and what was running', () => {
  const underWay = passed({
    titles: ['buys a book'],
    status: 'running',
    duration: null,
    steps: [
      step('Open the shop'),
      step('Pay', { duration: null, steps: [step('Click', { category: 'pw:api', duration: null })] }),
    ],
  });
  const ended = (end: RunRecord['end'], tests = [underWay]) => sentenceOf({ end, tests, testCount: null });
  assert.is(ended({ how: 'timeout' }), 'The script was not done within 30 s, in test "buys a book", step "Pay".');
  assert.is(ended({ how: 'timeout' }, []), 'The script was not done within 30 s.');
  assert.is(ended({ how: 'memory', limit: 512 }, []), 'The script used more than 512 MiB of memory and was ended.');
  assert.is(
    ended({ how: 'processes', limit: 64 }, []),
    'The script started more than 64 processes and threads and was ended.',
  );
  assert.is(
    ended({ how: 'died', cause: 'it ended with code 3' }),
    'The script ended before it was done, in test "buys a book", step "Pay": it ended with code 3.',
  );
  assert.is(
    ended({ how: 'nonsense', what: 'a frame of 2 GiB' }, []),
    'The script was ended because it sent an invalid message: a frame of 2 GiB.',
  );
  assert.is(
    ended({ how: 'timeout' }, [failed(ERRORS.status), underWay]),
    'Test "buys a book" failed: expected 200, received 500. The script was not done within 30 s, in test "buys a book", step "Pay".',
  );
});

sentences('the failure sentence of a script names what was running if the time was almost up', () => {
  const steps = [step('Pay', { duration: null, steps: [step('Click', { category: 'pw:api', duration: null })] })];
  const late = failed('', { status: 'timedOut', errors: [], steps });
  assert.is(
    sentenceOf({ tests: [late], execution_time: 29_600 }),
    'Test "buys a book" failed in step "Pay": it was not done in time. The script was not done within 30 s.',
  );
  const loading = { error: error('Error: It was not loaded before the end of the run.'), compiling: false };
  assert.is(
    sentenceOf({ tests: [], testCount: 0, fatal: loading, execution_time: 29_600 }),
    'The script failed outside of its tests: It was not loaded before the end of the run. The script was not done within 30 s.',
  );
});

sentences('the failure sentence of a script is no longer than a result stores', () => {
  const message = sentenceOf({ tests: [failed('x'.repeat(10_000), { titles: ['y'.repeat(10_000)] })] }) ?? '';
  assert.ok(message.length <= 1_000);
});

sentences.run();
