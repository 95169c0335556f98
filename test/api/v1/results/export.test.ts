import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RESULT_BATCH_SIZE } from '../../../../queries/check-results/export-results.ts';
import { derivedId } from '../../../../domain/identity.ts';
import { HOUR_MS, instantOf, MINUTE_MS, SECOND_MS } from '../../../../domain/time.ts';
import { resultOf } from '../../../domain/check-result/examples.ts';
import { startService } from '../../service.ts';

const test = suite('the export of results');

const NOW = Date.parse('2026-11-20T15:30:00Z');

const service = await startService({ now: NOW });
test.after(() => service.stop());

type Fields = Parameters<typeof resultOf>[2];

const newCheck = async (key = service.first.keys.editor): Promise<string> => {
  const body = { name: 'Site', type: 'web', url: 'http://127.0.0.1:9/', interval: 60 };
  return ((await service.request('POST', '/v1/checks', { key, body })).json() as { id: string }).id;
};

const store = async (checkId: string, ...results: [at: number, fields?: Fields][]): Promise<string[]> => {
  const events = results.map(([at, fields]) => resultOf(checkId, at, { organization_id: service.first.id, ...fields }));
  const { position } = await service.stores.results.append('check_results-ru-central1', events, 'any');
  await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
  return events.map(({ data }) => data.result_id);
};

const exported = async (check: string, query = '', headers: Record<string, string> = {}) => {
  const reply = await service.request('GET', `/v1/checks/${check}/results/export${query}`, { headers });
  assert.is(reply.status, 200, reply.text);
  return reply;
};

const idsIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { id: string }).id);

test('JSON lines have each result as in the list, oldest first', async () => {
  const check = await newCheck();
  const [first = '', second = ''] = await store(check, [NOW - 2 * HOUR_MS], [NOW - HOUR_MS, { status: 'down' }]);
  const reply = await exported(check);
  assert.match(reply.headers['content-type'] ?? '', /^application\/x-ndjson/);
  assert.is(reply.headers['content-disposition'], `attachment; filename="results-${check}.jsonl"`);
  assert.equal(idsIn(reply.text), [first, second]);
  const list = (await service.request('GET', `/v1/checks/${check}/results`)).json() as { results: object[] };
  const { region, ...shown } = JSON.parse(reply.text.split('\n')[1] ?? '') as { region: string };
  assert.equal(shown, list.results[0]);
  assert.is(region, 'RU, Moscow');
});

test('CSV has a header, and no cell that a spreadsheet treats as a formula', async () => {
  const check = await newCheck();
  await store(check, [NOW - HOUR_MS, { status: 'failed', response_time: 12, error_message: '=HYPERLINK("x")' }]);
  const reply = await exported(check, '?format=csv');
  assert.match(reply.headers['content-type'] ?? '', /^text\/csv/);
  const [header = '', line = ''] = reply.text.split('\r\n');
  assert.match(header, /^\uFEFFid,check_id,created_at,status,response_time,error_message,region,/);
  assert.match(line, /,failed,12,"'=HYPERLINK\(""x""\)","RU, Moscow",/);
  assert.is((await exported(check, '', { accept: 'text/csv' })).text, reply.text);
});

test('an export of many results with equal times contains each once, and only those of the period', async () => {
  const check = await newCheck();
  const count = 2 * RESULT_BATCH_SIZE + 7;
  const at = (index: number): number => NOW - HOUR_MS + Math.floor(index / 3) * SECOND_MS;
  const ids = await store(
    check,
    ...Array.from({ length: count }, (_, index): [number, Fields] => [
      at(index),
      { result_id: derivedId(`result ${index}`) },
    ]),
  );
  const all = idsIn((await exported(check)).text);
  assert.is(all.length, count);
  assert.equal([...all].sort(), [...ids].sort());
  const end = instantOf(NOW - HOUR_MS + 10 * SECOND_MS);
  assert.is(idsIn((await exported(check, `?end_date=${end}`)).text).length, 33);
  assert.is(idsIn((await exported(check, `?start_date=${instantOf(NOW - MINUTE_MS)}`)).text).length, 0);
});

test('the check of another organization can not be exported', async () => {
  const check = await newCheck(service.second.keys.editor);
  const reply = await service.request('GET', `/v1/checks/${check}/results/export`);
  assert.is(reply.status, 404);
  assert.is((await service.request('GET', `/v1/checks/${check}/results/export`, { key: null })).status, 401);
});

test('an export that ends before it starts is refused', async () => {
  const check = await newCheck();
  const query = '?start_date=2026-11-20&end_date=2026-11-19';
  const reply = await service.request('GET', `/v1/checks/${check}/results/export${query}`);
  assert.is(reply.status, 400);
});

test.run();
