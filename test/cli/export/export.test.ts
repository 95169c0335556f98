import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runExportIncidents, runExportResults, runExportSubscribers } from '../../../cli/export/commands.ts';
import { importHistory } from '../../../cli/import-from/history/import-history.ts';
import { read } from '../../../cli/import-from/statuspage/source.ts';
import type { Fields } from '../../../domain/fields.ts';
import { derivedId } from '../../../domain/identity.ts';
import { DAY_MS, HOUR_MS, instantOf } from '../../../domain/time.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { startService } from '../../api/service.ts';
import { resultOf } from '../../domain/check-result/examples.ts';
import { collectLines } from '../../service/lines.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { createObjects, wholeClient } from '../import-from/service-client.ts';
import { asFiles, statuspageExport } from '../import-from/statuspage/sample.ts';

const test = suite('exports from the command line');
const NOW = Date.UTC(2026, 10, 20, 12);
const service = await startService({ now: NOW });
test.after(() => service.stop());
const client = wholeClient(service.request, service.first.keys.admin);

const importing = async (content: Fields): Promise<ReturnType<typeof importHistory>> => {
  const imported = read(asFiles(content));
  await createObjects(client, imported.configuration);
  return importHistory(client, imported, { now: instantOf(NOW) });
};
const sample = (name: string): Fields => {
  const content = statuspageExport(NOW);
  return { ...content, page: { ...content.page, name, subdomain: name } };
};

const exported = async (page: string, format: 'json' | 'statuspage'): Promise<Fields> => {
  const output = collectLines();
  await runExportIncidents(client, page, { format }, output);
  return JSON.parse(output.lines.join('\n')) as Fields;
};

/** Returns what visitors see of the incidents of a page, without the ids that each page has of its own. */
const shownOf = ({ components, incidents }: Fields) => {
  const nameOf = new Map((components as Fields[]).map(({ id, name }) => [id, name]));
  return (incidents as Fields[]).map(({ name, status, impact, created_at, resolved_at, ...incident }) => ({
    ...{ name, status, impact, created_at, resolved_at, scheduled_for: incident['scheduled_for'] },
    postmortem: incident['postmortem_body'],
    updates: (incident['incident_updates'] as Fields[]).map((update) => ({
      ...{ status: update['status'], body: update['body'], created_at: update['created_at'] },
      components: Object.entries(update['components'] as object).map(([id, to]) => [nameOf.get(id), to as unknown]),
    })),
  }));
};

test('incidents are exported as one JSON object with all their updates', async () => {
  await importing(sample('first'));
  const { page, incidents } = await exported('first', 'json');
  assert.is((page as Fields)['name'], 'first');
  assert.equal(
    (incidents as Fields[]).map(({ name }) => name),
    ['No answer', 'Slow API', 'New router', 'New disks'],
  );
  const [open] = incidents as { incident_updates: Fields[] }[];
  assert.is(open?.incident_updates.length, 2);
});

test('an export in the format of Statuspage can be imported again with the same incidents', async () => {
  await importing(sample('second'));
  const content = await exported('second', 'statuspage');
  const [update] = (content['incidents'] as { incident_updates: Fields[] }[])[0]?.incident_updates ?? [];
  assert.equal(update?.['affected_components'], [
    {
      code: (content['components'] as Fields[]).find(({ name }) => name === 'Website')?.['id'],
      name: 'Website',
      old_status: 'partial_outage',
      new_status: 'major_outage',
    },
  ]);
  const copy = { ...content, page: { ...(content['page'] as Fields), name: 'third', subdomain: 'third' } };
  assert.equal((await importing(copy)).problems, []);
  assert.equal(shownOf(await exported('third', 'json')), shownOf(await exported('second', 'json')));
});

test('an export in the format of Statuspage changes nothing on the page that it is from', async () => {
  await importing(sample('fourth'));
  const imported = read(asFiles(await exported('fourth', 'statuspage')));
  const report = await importHistory(client, imported, { now: instantOf(NOW) });
  assert.equal(report.incidents, { created: 0, updated: 0, unchanged: 4 });
});

test(
  'subscribers are exported as CSV with whole addresses, into a new file only',
  inTemporaryFolder(async (folder) => {
    await importing(sample('fifth'));
    const file = join(folder, 'subscribers.csv');
    await runExportSubscribers(client, 'fifth', { output: file }, collectLines());
    const text = readFileSync(file, 'utf8');
    assert.match(text, /^\uFEFFmode,email,/);
    assert.match(text, /email,ida@example\.com,.*,active,/);
    const again = await runExportSubscribers(client, 'fifth', { output: file }, collectLines()).catch(
      (error: unknown) => error,
    );
    assert.ok(again instanceof OperatorError && /exists already/.test(again.message));
  }),
);

test('results of several days are exported in order, with one header, and by time', async () => {
  const body = { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60 };
  const { id } = (await client.write('POST', '/v1/checks', body)) as { id: string };
  const at = (index: number): number => NOW - 4 * DAY_MS + index * 6 * HOUR_MS;
  const events = Array.from({ length: 15 }, (_, index) =>
    resultOf(id, at(index), { organization_id: service.first.id, result_id: derivedId(`result ${index}`) }),
  );
  const { position } = await service.stores.results.append('check_results-ru-central1', events, 'any');
  await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
  const lines = async (options: { from?: string; to?: string; format: 'jsonl' | 'csv' }): Promise<string[]> => {
    const output = collectLines();
    await runExportResults(client, 'Shop', { to: instantOf(NOW), ...options }, output);
    return output.lines.join('\n').trim().split(/\r?\n/);
  };
  const all = (await lines({ format: 'jsonl' })).map((line) => JSON.parse(line) as { id: string });
  assert.equal(
    all.map((result) => result.id),
    events.map(({ data }) => data.result_id),
  );
  const csv = await lines({ format: 'csv' });
  assert.is(csv.length, 16);
  assert.is(csv.filter((line) => line.includes('created_at')).length, 1);
  assert.is((await lines({ format: 'jsonl', from: '2026-11-18', to: '2026-11-18' })).length, 4);
});

test('a page, a check or a time that does not exist is named', async () => {
  const refused = async (work: Promise<void>): Promise<string> =>
    work.then(
      () => '',
      (error: unknown) => (error as Error).message,
    );
  const output = collectLines();
  assert.match(await refused(runExportIncidents(client, 'none', { format: 'json' }, output)), /No page has .* "none"/);
  assert.match(await refused(runExportResults(client, 'none', { format: 'csv' }, output)), /No check has .* "none"/);
  const from = runExportResults(client, 'Shop', { format: 'csv', from: 'yesterday' }, output);
  assert.match(await refused(from), /--from must be an ISO 8601 time/);
  const reversed = runExportResults(client, 'Shop', { format: 'csv', from: '2026-11-20', to: '2026-11-19' }, output);
  assert.match(await refused(reversed), /--from must not be later than --to/);
});

test.run();
