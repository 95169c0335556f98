import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Statement, StatementComponent } from '../../../domain/statement/content.ts';
import { statementPdf } from '../../../messages/statement/pdf.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';

const test = suite('statements as PDF');

const componentNamed = (name: string, index: number): StatementComponent => ({
  id: `component${index}`,
  name,
  group: null,
  days: 31,
  uptime_percentage: 100,
  measured: 31 * 86_400,
  major_outage: 0,
  partial_outage: 0,
  degraded_performance: 0,
  excluded: 0,
  affected_days: [],
});

const statementOf = (names: readonly string[]): Statement => ({
  format: 'uptrail-statement-1',
  page: { id: 'page00000001', name: 'Acme', time_zone: 'UTC' },
  month: '2026-10',
  from: '2026-10-01T00:00:00.000000',
  to: '2026-11-01T00:00:00.000000',
  complete: true,
  made_at: '2026-11-02T12:00:00.000000',
  components: names.map(componentNamed),
  log: { position: 'A'.repeat(22), head: `5:${'0'.repeat(64)}` },
});

const isAbsent = spawnSync('pdftotext', ['-v']).error !== undefined;
if (isAbsent) console.log('skipped: pdftotext is not installed');
else {
  test(
    'a statement as PDF shows long names of components in full, on as many lines and pages as they need',
    inTemporaryFolder(async (folder) => {
      const file = join(folder, 'statement.pdf');
      const wide = 'W'.repeat(40);
      const names = Array.from({ length: 60 }, (_, index) => `${wide}${index} in the region of Frankfurt ${index}`);
      writeFileSync(file, await statementPdf(statementOf(names)));
      const text = execFileSync('pdftotext', ['-raw', file, '-'], { encoding: 'utf8' });
      assert.not.match(text, '…');
      const joined = text.replace(/\s/g, '');
      assert.is(joined.split('W').length - 1, 40 * names.length);
      for (const index of names.keys()) assert.match(joined, new RegExp(`WW*${index}inthe`));
      assert.ok(text.split('\f').length > 2);
    }),
  );
}

test.run();
