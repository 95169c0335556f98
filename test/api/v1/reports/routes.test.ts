import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { completeReport } from '../../../../commands/reports.ts';
import { reactorContext } from '../../../../commands/engine/context.ts';
import { artifactOf } from '../../../../domain/report/state.ts';
import { derivedUuid } from '../../../../domain/identity.ts';
import { instantOf } from '../../../../domain/time.ts';
import { NO_SUMMARY } from '../../../domain/report/examples.ts';
import { request as fetchFile } from '../../http.ts';
import { startService } from '../../service.ts';

const test = suite('/v1/reports');
const service = await startService({ now: Date.parse('2026-11-18T12:00:00Z') });
const { request, first, second } = service;
test.after(() => service.stop());

interface Report {
  id: string;
  name: string;
  format: string;
  tag: string | null;
  status: string;
  recipients: string[];
  period_start: string;
  period_end: string;
  download_url: string | null;
  next_run_at: string | null;
}

const NOVEMBER = { period_start: '2026-11-01', period_end: '2026-11-15' };
const sent = { name: 'Отчёт', report_type: 'uptime', ...NOVEMBER };

test('a report is accepted with defaults, and the response has its Location', async () => {
  const reply = await request('POST', '/v1/reports', { body: { ...sent, time_zone: 'Europe/Moscow' } });
  assert.is(reply.status, 202);
  const report = reply.json() as Report;
  assert.is(reply.headers.location, `/v1/reports/${report.id}`);
  assert.is(report.status, 'queued');
  assert.is(report.format, 'pdf');
  assert.is(report.period_start, '2026-10-31T21:00:00.000000');
  assert.is(report.download_url, null);
  assert.equal((await request('GET', `/v1/reports/${report.id}`)).json(), report);
});

test('the pagination of reports contains only page, size and total', async () => {
  const key = second.keys.editor;
  for (const name of ['One', 'Two', 'Three']) {
    service.time.now += 1_000;
    await request('POST', '/v1/reports', { key, body: { ...sent, name } });
  }
  const { reports, pagination } = (await request('GET', '/v1/reports?page_size=2', { key })).json() as {
    reports: Report[];
    pagination: object;
  };
  assert.equal(
    reports.map(({ name }) => name),
    ['Three', 'Two'],
  );
  assert.equal(pagination, { page: 1, page_size: 2, total: 3 });
});

test('reports about resources of other organizations or about times older than the retention period are refused', async () => {
  const key = second.keys.editor;
  const page = (await request('POST', '/v1/pages', { key, body: { name: 'Other' } })).json() as { id: string };
  const body = {
    ...sent,
    check_ids: ['k3v9x0q2m7ab'],
    page_id: page.id,
    period_start: '2026-01-01',
    format: 'docx',
    recipients: ['nobody'],
  };
  const reply = await request('POST', '/v1/reports', { body });
  assert.is(reply.status, 422);
  const { errors } = reply.json() as { errors: { json: Record<string, string[]> } };
  assert.equal(errors.json['check_ids.0'], ['Must be a check of this organization.']);
  assert.equal(errors.json['page_id'], ['Must be a page of this organization.']);
  assert.match(errors.json['period_start']?.[0] ?? '', 'Must not be before 2026-05-19T00:00:00Z');
  assert.equal(errors.json['recipients.0'], ['Must be an e-mail address.']);
  assert.ok(errors.json['format']);
  const unknown = await request('POST', '/v1/reports', { body: { ...sent, check_ids: ['k3v9x0q2m7ab'] } });
  assert.is(unknown.status, 422);
});

test('a report covers the checks with a tag or the listed checks', async () => {
  const check = { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60, active: false };
  const { id } = (await request('POST', '/v1/checks', { body: check })).json() as { id: string };
  const report = (await request('POST', '/v1/reports', { body: { ...sent, tag: 'team:shop' } })).json() as Report;
  assert.is(report.tag, 'team:shop');
  assert.is(((await request('POST', '/v1/reports', { body: sent })).json() as Report).tag, null);
  const refused = async (fields: object): Promise<string[]> => {
    const reply = await request('POST', '/v1/reports', { body: { ...sent, ...fields } });
    assert.is(reply.status, 422);
    return Object.keys((reply.json() as { errors: { json: object } }).errors.json);
  };
  assert.equal(await refused({ tag: 'Team' }), ['tag']);
  assert.equal(await refused({ tag: 'team:shop', check_ids: [id] }), ['tag']);
});

test('a scheduled report needs no period and shows its next run', async () => {
  const body = { name: 'Weekly', report_type: 'incidents', schedule: 'weekly' };
  const report = (await request('POST', '/v1/reports', { body })).json() as Report;
  assert.is(report.period_start, '2026-11-09T00:00:00.000000');
  assert.is(report.period_end, '2026-11-15T23:59:59.999999');
  assert.is(report.next_run_at, '2026-11-23T00:00:00.000000');
});

test('recipients of a report are visible to editors and admins and masked for others', async () => {
  const body = { ...sent, recipients: ['jane.doe@example.com'] };
  const { id, recipients } = (await request('POST', '/v1/reports', { body })).json() as Report;
  assert.equal(recipients, ['jane.doe@example.com']);
  const seen = (await request('GET', `/v1/reports/${id}`, { key: first.keys.viewer })).json() as Report;
  assert.equal(seen.recipients, ['j***@example.com']);
});

test('a generated report has a link to its file until it is deleted', async () => {
  const { id } = (await request('POST', '/v1/reports', { body: { ...sent, format: 'csv' } })).json() as Report;
  const now = instantOf(service.time.now);
  const artifact_id = artifactOf(id);
  await service.artifacts.store(
    {
      id: artifact_id,
      organization_id: first.id,
      run_id: null,
      name: 'report.csv',
      media_type: 'text/csv; charset=utf-8',
      created_at: now,
    },
    (async function* () {
      yield Buffer.from('a,b\r\n');
    })(),
  );
  const context = reactorContext('reports', { organizationId: first.id, commandId: derivedUuid(id), now });
  await service.commands.bind(completeReport)(id, { artifact_id, size: 5, summary: NO_SUMMARY }, context);
  await service.readers.waitFor(['reports'], context);
  const report = (await request('GET', `/v1/reports/${id}`)).json() as Report;
  assert.is(report.status, 'completed');
  const file = await fetchFile(service.port, { method: 'GET', path: report.download_url ?? '', headers: {} });
  assert.is(file.status, 200);
  assert.is(file.text, 'a,b\r\n');
  for (const path of ['/v1/reports', `/v1/reports/${id}`]) {
    const { etag = '' } = (await request('GET', path)).headers;
    service.time.now += 60_000;
    assert.is((await request('GET', path, { headers: { 'if-none-match': etag } })).status, 304, path);
  }
  assert.is((await request('DELETE', `/v1/reports/${id}`)).status, 204);
  assert.is((await request('GET', `/v1/reports/${id}`)).status, 404);
  assert.is((await request('DELETE', `/v1/reports/${id}`)).status, 404);
});

test.run();
