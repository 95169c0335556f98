// Own process: commands add listeners for SIGINT that are never removed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProgram } from '../../../cli/program.ts';
import { scriptReport } from '../../../cli/probe/reports/script.ts';
import { testWith } from '../../deploy/project.ts';
import { whyNoScripts } from '../../e2e/scripts/sandboxed.ts';
import { closeServers, httpServer } from '../../probes/web/servers.ts';
import { collectLines } from '../../service/lines.ts';

const report = suite('uptrail probe of scripts');
const missing = await whyNoScripts();
for (const why of missing) console.log(`skipped: ${why}`);
const test = testWith(report, missing.length === 0);
report.after.each(closeServers);

report('the report of a script shows its tests with their steps, its logs line by line, and its notes', () => {
  const check_metadata = {
    execution_time: 812.4,
    logs: [
      { level: 'log', message: '{\n  a: 1\n}', timestamp: '2026-11-20T15:04:05.123Z' },
      { level: 'warn', message: 'slow', timestamp: '2026-11-20T15:04:06.123Z' },
    ],
    test_results: [
      {
        name: 'buys',
        status: 'failed',
        duration: 700.6,
        error: 'Expected: 200\nReceived: 500',
        softAssertionErrors: [],
        steps: [
          {
            name: 'pay',
            status: 'failed',
            duration: 12,
            error: 'x',
            steps: [{ name: 'POST /pay', status: 'passed', duration: 9, error: null }],
          },
        ],
      },
    ],
    test_summary: { duration: 812.4, passed: 0, failed: 1, total: 1 },
    notes: ['A file was left out.'],
  };
  const error_message = 'Test "buys" failed in step "pay": a\nb';
  assert.equal(scriptReport({ status: 'error', reason: 'script', response_time: 812, error_message, check_metadata }), [
    ...['error: Test "buys" failed in step "pay": a', 'b', ''],
    ...['✗ buys (701 ms)', '  ✗ pay (12 ms)', '    ✓ POST /pay (9 ms)', '  Expected: 200', '  Received: 500', ''],
    ...['logs:', '  log   {', '          a: 1', '        }', '  warn  slow', ''],
    ...['notes:', '  A file was left out.', ''],
    '0 passed, 1 failed, 812 ms',
  ]);
});

/** Runs `uptrail probe <type> <script> …`. */
const uptrailProbe = async (type: string, script: string, ...words: string[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-probing-'));
  const file = join(folder, 'one.spec.js');
  writeFileSync(file, script);
  try {
    const output = collectLines();
    let code = -1;
    const program = createProgram({}, output, (exitCode) => (code = exitCode));
    await program.parseAsync(['node', 'uptrail', 'probe', type, file, ...words]);
    return { code, lines: output.lines };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

test('uptrail probe multistep runs a script with its environment, and shows none of its values', async () => {
  const { port } = await httpServer((request, response) => response.end(request.headers.authorization));
  const { code, lines } = await uptrailProbe(
    'multistep',
    `import { test, expect } from '@playwright/test';
     test('asks', async ({ request }) => {
       const answer = await request.get('/', { headers: { authorization: process.env.TOKEN } });
       console.log(await answer.text(), process.env.PLACE);
       expect(answer.status()).toBe(200);
     });`,
    ...['--url', `http://127.0.0.1:${port}/`, '--env', 'TOKEN=hunter2-token', '--env', 'PLACE=Bergen'],
    ...['--timeout', '30'],
  );
  assert.is(code, 0, lines.join('\n'));
  assert.is(lines[0], 'ok');
  assert.match(lines.join('\n'), /^✓ asks \(\d+ ms\)$/m);
  assert.ok(lines.includes('  log  ******** ********'), lines.join('\n'));
  assert.match(lines.at(-1) ?? '', /^1 passed, 0 failed, \d+ ms$/);
});

test('uptrail probe synthetic runs a script, and shows the paths of its screenshots', async () => {
  const { port } = await httpServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Shop</h1>'),
  );
  const { code, lines } = await uptrailProbe(
    'synthetic',
    `const { test, expect } = require('@playwright/test');
     test('opens', async ({ page }) => {
       await page.goto('/');
       await page.screenshot({ path: 'shop.png' });
       await expect(page.getByText('Basket')).toBeVisible({ timeout: 200 });
     });`,
    ...['--url', `http://127.0.0.1:${port}/`, '--timeout', '60', '--json'],
  );
  assert.is(code, 1);
  const printed = JSON.parse(lines[0] ?? '') as { error_message: string; files: string[] };
  assert.match(printed.error_message, /^Test "opens" failed: .*Basket/);
  assert.equal(printed.files.length, 2);
  assert.match(printed.files[0] ?? '', /\/shop\.png$/);
  for (const file of printed.files) assert.is(readFileSync(file).subarray(1, 4).toString(), 'PNG');
  rmSync(dirname(printed.files[0] ?? ''), { recursive: true });
});

report.run();
