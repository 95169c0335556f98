import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { outcomeOf } from '../../../../probes/script/outcome/outcome.ts';
import { createTexts } from '../../../../probes/script/outcome/texts.ts';
import type { RunRecord } from '../../../../probes/script/record.ts';
import { error, failed, file, page, passed, request, step, synthetic, TIMING } from './records.ts';

const masking = suite('masking the secrets of a script');

const SECRET = 'pa$$ word/"\u00fc"?&=' as const;
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jK1';

const FORMS: readonly string[] = [
  SECRET,
  encodeURIComponent(SECRET),
  JSON.stringify(SECRET).slice(1, -1),
  Buffer.from(SECRET).toString('base64'),
  Buffer.from(`user:${SECRET}`).toString('base64'),
];

/** Returns a record that contains a text in every field that a script controls. */
const saying = (text: string): RunRecord => {
  const output = request({
    method: text,
    url: `http://shop.test/?q=${text}`,
    resourceType: text,
    requestHeaders: { accept: text, [text]: 'x' },
    responseHeaders: { 'x-answer': text },
  });
  return synthetic({
    browser: text,
    tests: [
      failed(`Error: ${text}`, {
        titles: [text, text],
        softErrors: [error(text)],
        steps: [step(text, { error: error(text), steps: [step(text, { category: 'pw:api', error: error(text) })] })],
      }),
      passed({ titles: [text] }),
    ],
    logs: [
      { level: 'log', message: text, timestamp: '2026-11-20T15:04:05.123Z' },
      { level: text, message: `a\u001b[31m${text.slice(0, 5)}\u001b[39m${text.slice(5)}`, timestamp: text },
    ],
    fatal: { error: error(text), compiling: false },
    pages: [
      page({
        url: text,
        documentRequest: { ...output, timing: TIMING },
        network: [output],
      }),
    ],
    files: [file({ name: `${text}.png` })],
    notes: [text],
    end: { how: 'died', cause: text },
  });
};

masking('the outcome of a script contains no secret in any encoding', () => {
  for (const form of FORMS) {
    const { outcome, files } = outcomeOf(saying(form), { secrets: { PASSWORD: SECRET }, timeout: 1_000 });
    const text = JSON.stringify([outcome, files]);
    assert.not.ok(text.includes(JSON.stringify(form).slice(1, -1)), form);
    assert.ok(text.includes('********'));
  }
});

masking('the log file of a script contains no secret', () => {
  const logs = Array.from({ length: 5_000 }, () => ({ level: 'log', message: `it is ${SECRET}`, timestamp: '' }));
  const { fullLogs } = outcomeOf(synthetic({ logs }), { secrets: { PASSWORD: SECRET }, timeout: 1_000 });
  assert.is(fullLogs?.split('\n').length, 5_001);
  assert.is(fullLogs?.split('it is ********').length, 5_001);
});

masking('the secrets of a script are masked before texts are shortened', () => {
  const { shown } = createTexts([TOKEN]);
  assert.is(shown(`${'x'.repeat(90)}${TOKEN}`, 100), `${'x'.repeat(90)}********`);
});

masking('the secrets of a script are found even if the text was already shortened', () => {
  const { shown } = createTexts([TOKEN, SECRET]);
  const beginning = TOKEN.slice(0, 20);
  assert.is(shown(`Fill "${beginning}…"`, 200), 'Fill "********…"');
  assert.is(shown(`Fill "${beginning}..." and`, 200), 'Fill "********..." and');
  assert.is(shown(`token=${beginning}`, 200), 'token=********');
  assert.is(shown(`token=${encodeURIComponent(SECRET).slice(0, 12)}…`, 200), 'token=********…');
  assert.is(shown('eyJhbGciOiJ other', 200), 'eyJhbGciOiJ other');
});

masking('texts of a script that only begin like a secret are not masked', () => {
  const { shown } = createTexts(['https://shop.test/login']);
  assert.is(shown('https://shop.test/cart', 200), 'https://shop.test/cart');
});

masking('secrets of several lines are found line by line, even if control characters were removed', () => {
  const key = '-----BEGIN KEY-----\r\nMIIEvQIBADANBgkq\r\nhkiG9w0BAQEFAASC\r\n-----END KEY-----\r\n';
  const { shown } = createTexts([key]);
  assert.is(shown(`it is ${key}!`, 200), 'it is ********!');
  assert.is(shown(`it is ${key.replaceAll('\r', '')}!`, 200), 'it is ********!');
  assert.is(shown('-   MIIEvQIBADANBgkq\n+   other', 200), '-   ********\n+   other');
});

masking('secrets of a script with fewer than four characters are not masked', () => {
  assert.is(createTexts(['abc']).shown('abc', 100), 'abc');
});

masking('credentials in headers of failed requests of a script are also masked', () => {
  const log = [
    'GET failed',
    'Call log:',
    '  - → GET http://shop.test/',
    '    - accept: */*',
    '    - cookie: session=1',
  ];
  const { outcome } = outcomeOf(synthetic({ tests: [failed(log.join('\n'))] }), { timeout: 1_000 });
  const [test] = outcome.check_metadata['test_results'] as { error: string }[];
  assert.equal(test?.error.split('\n').slice(-2), ['    - accept: */*', '    - cookie: ********']);
});

masking('texts of a script over a total limit are left out, so that masking takes limited time', () => {
  const texts = createTexts([TOKEN]);
  for (let times = 0; times < 8; times++) assert.is(texts.shown('x'.repeat(1_000_000), 10), `${'x'.repeat(9)}…`);
  assert.not.ok(texts.areCut());
  assert.is(texts.shown('y'.repeat(1_000_000), 10), '…');
  assert.ok(texts.areCut());
});

masking.run();
