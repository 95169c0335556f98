import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Imported } from '../../../cli/import-from/imported.ts';
import { runImport } from '../../../cli/import-from/run.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { rejects } from '../../rejects.ts';
import { collectLines } from '../../service/lines.ts';
import { createMemoryTarget } from './memory-target.ts';

const test = suite('the report of an import');

const imported = (interval: number): Imported => ({
  configuration: {
    checks: [
      { name: 'API', type: 'web', group: 'Shop', interval, parameters: { http_request: { password: 'hunter2' } } },
      { name: 'Site', type: 'web', interval: 60 },
    ],
  },
  incidents: [{ page: 'Main', source_id: 'x:1', kind: 'incident', name: 'Old', impact: 'none', updates: [] }],
  unmapped: ['"A": was not imported.'],
});

const OPTIONS = { title: 'Uptime Kuma', dryRun: false, json: false };

test('a dry run prints the plan and writes nothing', async () => {
  const target = createMemoryTarget();
  const output = collectLines();
  await runImport(imported(60), target, { ...OPTIONS, dryRun: true }, output);
  assert.is(target.writes, 0);
  assert.equal(output.lines, [
    'create checks "Shop / API"',
    'create checks "Site"',
    'create incident "x:1"',
    'Plan for Uptime Kuma: 3 to create, 0 to change, 0 unchanged. Nothing was written.',
    'What differs or could not be imported:',
    '- "A": was not imported.',
  ]);
});

test('a second import creates nothing, and changes only what is different', async () => {
  const target = createMemoryTarget();
  await runImport(imported(60), target, OPTIONS, collectLines());
  assert.is(target.writes, 3);
  const same = collectLines();
  await runImport(imported(60), target, OPTIONS, same);
  assert.is(target.writes, 3);
  assert.is(same.lines[0], 'Imported from Uptime Kuma: 0 created, 0 changed, 3 unchanged.');
  const other = collectLines();
  await runImport(imported(90), target, OPTIONS, other);
  assert.equal(other.lines.slice(0, 2), [
    'changed checks "Shop / API"',
    'Imported from Uptime Kuma: 0 created, 1 changed, 2 unchanged.',
  ]);
  assert.is(target.objects.size, 3);
});

test('the report as JSON has one object a line and no values', async () => {
  const output = collectLines();
  await runImport(imported(60), createMemoryTarget(), { ...OPTIONS, json: true }, output);
  const lines = output.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.equal(lines.at(-1), {
    created: 3,
    changed: 0,
    unchanged: 0,
    failed: 0,
    dry_run: false,
    unmapped: ['"A": was not imported.'],
  });
  assert.not.match(output.lines.join('\n'), /hunter2/);
});

test('changes that fail are reported with their cause, and the command fails', async () => {
  const output = collectLines();
  const target = {
    ...createMemoryTarget(),
    planConfiguration: async () => ({
      changes: [
        { action: 'create' as const, kind: 'check', name: 'A' },
        { action: 'create' as const, kind: 'check', name: 'B' },
      ],
      unchanged: 1,
      remarks: ['Its period differs.'],
      apply: async () => [{ kind: 'check', name: 'A', sentence: 'host: Must not be empty.' }],
    }),
  };
  await rejects(runImport(imported(60), target, OPTIONS, output), OperatorError, /^1 of 3 changes failed\./);
  assert.equal(output.lines.slice(0, 4), [
    'created check "B"',
    'failed check "A": host: Must not be empty.',
    'created incident "x:1"',
    'Imported from Uptime Kuma: 2 created, 0 changed, 1 unchanged.',
  ]);
});

test('a line break in a name or a sentence does not begin another line of the report', async () => {
  const name = 'A\ncreated check "B"';
  const target = {
    ...createMemoryTarget(),
    planConfiguration: async () => ({
      changes: [
        { action: 'create' as const, kind: 'check', name },
        { action: 'create' as const, kind: 'channel', name },
      ],
      unchanged: 0,
      remarks: [`"${name}": was cut.`],
      apply: async () => [{ kind: 'channel', name, sentence: 'Not\nvalid.' }],
    }),
  };
  const report = { configuration: {}, unmapped: ['One\u2028two.'] };
  const output = collectLines();
  await rejects(runImport(report, target, OPTIONS, output), OperatorError);
  assert.equal(output.lines, [
    'created check "A\\ncreated check "B""',
    'failed channel "A\\ncreated check "B"": Not\\nvalid.',
    'Imported from Uptime Kuma: 1 created, 0 changed, 0 unchanged.',
    'What differs or could not be imported:',
    '- One\\u2028two.',
    '- "A\\ncreated check "B"": was cut.',
  ]);
  const json = collectLines();
  await rejects(runImport(report, target, { ...OPTIONS, json: true }, json), OperatorError);
  assert.is((JSON.parse(json.lines[0] ?? '') as { name: string }).name, name);
});

test.run();
