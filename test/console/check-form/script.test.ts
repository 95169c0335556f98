import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { brokenLine, indented, outdented } from '../../../console/screens/check-form/script/edits.ts';
import { errorLine } from '../../../console/screens/check-form/script/error-line.ts';
import { channelsOf } from '../../../console/screens/check-form/rule-channels.ts';
import { factsOf, scriptRunOf } from '../../../console/screens/check-form/run/facts-of.ts';

const test = suite('the script editor of the console');

/** Parses a text in which `[` and `]` mark the selection. */
const selection = (marked: string) => {
  const from = marked.indexOf('[');
  const to = marked.indexOf(']') - 1;
  return { text: marked.replace(/[[\]]/g, ''), from, to };
};
const marked = ({ text, from, to }: { text: string; from: number; to: number }): string =>
  `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;

test('the script editor inserts an indentation at the cursor, or indents all selected lines', () => {
  assert.is(marked(indented(selection('a[]b'))), 'a  []b');
  assert.is(marked(indented(selection('a[bc]d'))), 'a  []d');
  assert.is(marked(indented(selection('x\na[\n\nb]\ny'))), 'x\n  a[\n\n  b]\ny');
  assert.is(marked(indented(selection('[a\nb\n]c'))), '  [a\n  b\n]c');
});

test('the script editor removes an indentation', () => {
  assert.is(marked(outdented(selection('    a[]'))), '  a[]');
  assert.is(marked(outdented(selection(' []a'))), '[]a');
  assert.is(marked(outdented(selection('  [a\n\tb]\n c'))), '[a\nb]\n c');
  assert.is(marked(outdented(selection('[]a'))), '[]a');
});

test('the script editor keeps the indentation on a new line', () => {
  assert.is(marked(brokenLine(selection('  a;[]'))), '  a;\n  []');
  assert.is(marked(brokenLine(selection('if (x) {[]'))), 'if (x) {\n  []');
  assert.is(marked(brokenLine(selection('a[b]c'))), 'a\n[]c');
});

const SCRIPT = `import { test } from '@playwright/test';
test("a customer signs in", async ({ page }) => {
  await test.step('open (the form)', () => page.goto('/login'));
});`;

test('the script editor shows the line of an error', () => {
  const at = (sentence: string): number | null => errorLine(SCRIPT, sentence);
  assert.is(at('Unexpected token (line 3, column 14).'), 3);
  assert.is(at('Unexpected token (line 300, column 14).'), null);
  assert.is(at('Test "a customer signs in" failed in step "open (the form)": no answer.'), 3);
  assert.is(at('Test "a customer signs in" failed in step "page.goto": no answer.'), 2);
  assert.is(at('Test "a customer signs in" failed: no answer.'), 2);
  assert.is(at('The script has no test.'), null);
  assert.is(errorLine(SCRIPT, null), null);
});

test('script results are shown in every format', () => {
  const now = Date.parse('2026-11-27T00:00:00Z');
  assert.equal(factsOf({ status_code: 200, final_url: 'https://a/', tls: { days_left: 9 } }, now), [
    { name: 'statusCode', text: '200' },
    { name: 'finalUrl', text: 'https://a/' },
    { name: 'certificate', days: 9 },
  ]);
  assert.equal(
    factsOf({ checks: { certificate_info: { not_after: '2026-12-07T12:00:00' } }, ssl_grade: 'A', ssl_score: 93 }, now),
    [
      { name: 'score', text: 'A · 93' },
      { name: 'certificate', days: 10 },
    ],
  );
  assert.equal(factsOf({ answers: ['192.0.2.1'] }, now), [{ name: 'answers', list: ['192.0.2.1'] }]);
  assert.equal(
    factsOf(
      {
        scan_results: [
          {
            open_ports: [
              { port: 22, service: 'ssh' },
              { port: 80, service: null },
            ],
          },
        ],
      },
      now,
    ),
    [{ name: 'openPorts', list: ['22 ssh', '80'] }],
  );
  assert.equal(factsOf({ status_code: { evil: true }, answers: 'no list', scan_results: 3 }, now), []);
  assert.is(scriptRunOf({ status_code: 200 }), null);
  assert.equal(
    scriptRunOf({
      logs: [{ level: 'warn', message: 'slow' }, 7],
      test_results: [{ name: 'a', status: 'passed', duration: 5 }],
    }),
    {
      logs: [{ level: 'warn', message: 'slow' }],
      tests: [{ name: 'a', passed: true, duration: 5, error: null, steps: [] }],
      notes: [],
    },
  );
});

test('the check form shows the alert channels of a check if all alert rules of the check use the same channels', () => {
  assert.equal(channelsOf([]), { ids: [], differ: false });
  assert.equal(channelsOf([{ channel_ids: ['b', 'a'] }, { channel_ids: ['a', 'b'] }]), {
    ids: ['a', 'b'],
    differ: false,
  });
  assert.equal(channelsOf([{ channel_ids: ['a'] }, { channel_ids: ['b'] }]), { ids: [], differ: true });
});

test.run();
