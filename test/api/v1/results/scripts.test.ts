import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { derivedId, derivedUuid } from '../../../../domain/identity.ts';
import { systemEvent } from '../../../../domain/system-event.ts';
import { instantOf, MINUTE_MS } from '../../../../domain/time.ts';
import { withReferences } from '../../../../domain/check/result-files.ts';
import { outcomeOf } from '../../../../probes/script/outcome/outcome.ts';
import type { RunRecord } from '../../../../probes/script/record.ts';
import { pieces } from '../../../contracts/artifacts/examples.ts';
import { checkCreated } from '../../../domain/check/examples.ts';
import { resultOf } from '../../../domain/check-result/examples.ts';
import { ERRORS } from '../../../probes/script/outcome/playwright-errors.ts';
import { failed, file, page, record, request as requestOf, synthetic } from '../../../probes/script/outcome/records.ts';
import { request } from '../../http.ts';
import { startService } from '../../service.ts';

const test = suite('results of scripts');

const NOW = Date.parse('2026-11-20T15:30:00Z');
const service = await startService({ now: NOW });
test.after(() => service.stop());

type Json = Record<string, unknown>;
type Kind = RunRecord['kind'];

/** Stores a check with a past creation time, as an import does. */
const checkOf = async (type: Kind, created: string): Promise<string> => {
  const id = derivedId(`${type} ${created}`);
  const { type: name, data } = checkCreated({ type, host: null, parameters: { pw_script: 'test' } });
  const event = systemEvent(
    { type: name, data: { ...data, check_id: id, organization_id: service.first.id } },
    { id: derivedUuid(id), by: 'import', organizationId: service.first.id, now: created },
  );
  const { position } = await service.stores.main.append(`check-${id}`, [event], 'no_stream');
  await service.readers.waitFor(['checks'], { appended: new Map([['main', position]]) });
  return id;
};

/**
 * Stores the result of a run as a worker does. Replaces each reference to a file by an artifact id that ends with the
 * number of the file.
 */
const store = async (checkId: string | null, given: RunRecord, at = NOW - MINUTE_MS): Promise<string> => {
  const { outcome } = outcomeOf(given, { timeout: 30_000 });
  const { kind } = given;
  const { data, ...event } = resultOf(checkId ?? 'nothing', at, {
    ...outcome,
    reason: outcome.reason ?? undefined,
    organization_id: service.first.id,
    check_type: kind,
    check_metadata: withReferences(
      outcome.check_metadata,
      kind,
      (reference) => `artifact:${checkId ?? ''}-${reference.slice(5)}`,
    ),
  } as Parameters<typeof resultOf>[2]);
  const { check_id, reason, ...rest } = data;
  const result = {
    ...event,
    data: { ...rest, ...(checkId !== null && { check_id }), ...(reason !== undefined && { reason }) },
  };
  const { position } = await service.stores.results.append('check_results-ru-central1', [result], 'any');
  await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
  return data.result_id;
};

const get = async (path: string, key = service.first.keys.editor): Promise<Json> => {
  const reply = await service.request('GET', path, { key });
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Json;
};
/** Opens a link without a key. */
const open = (path: string) => request(service.port, { method: 'GET', path, headers: {} });
const places = (check: string, result: string): string[] => [
  `/v1/checks/${check}/results`,
  `/v1/checks/${check}/results/${result}`,
  `/v1/checks/all-results?check_id=${check}`,
  `/v1/checks/all-results?result_id=${result}`,
];
const metadataAt = async (path: string, key?: string): Promise<Json> => {
  const reply = await get(path, key);
  const [result = reply] = (reply['results'] ?? []) as Json[];
  return result['check_metadata'] as Json;
};

test('results of scripts have the status ok or error and can be filtered by it, and errors count as failed runs', async () => {
  const check = await checkOf('multistep', '2026-01-01T00:00:00.000000');
  const good = await store(check, record(), NOW - 2 * MINUTE_MS);
  const bad = await store(check, record({ tests: [failed(ERRORS.status)] }), NOW - MINUTE_MS);
  const idsIn = async (query: string) =>
    ((await get(`/v1/checks/${check}/results${query}`))['results'] as Json[]).map(({ id }) => id);
  assert.equal(await idsIn(''), [bad, good]);
  assert.equal(await idsIn('?status=error'), [bad]);
  assert.equal(await idsIn('?status=failed,down'), []);
  assert.equal(await idsIn('?failed_only=true'), [bad]);
  const { results } = await get(`/v1/checks/${check}/results`);
  assert.equal(
    (results as Json[]).map(({ status, response_time, error_message }) => [status, response_time, error_message]),
    [
      ['error', 1_235, 'Test "buys a book" failed: expected 200, received 500.'],
      ['ok', 1_235, null],
    ],
  );
  const { status_history } = await get(`/v1/checks/status-history?check_id=${check}`);
  const [{ ok, down, failed: count } = {}] = status_history as Json[];
  assert.equal([ok, down, count], [1, 0, 1]);
});

test('in all responses, results of a synthetic check have the format that was current when the check was created', async () => {
  const given = synthetic({ tests: [failed(ERRORS.status)], files: [file()] });
  for (const [created, version] of [
    ['2025-07-08T23:59:59.999999', undefined],
    ['2025-07-09T00:00:00.000000', 2],
  ] as const) {
    const check = await checkOf('synthetic', created);
    const result = await store(check, given);
    for (const path of places(check, result)) {
      const metadata = await metadataAt(path);
      assert.is(metadata['response_version'], version, path);
      assert.is('screenshot_path' in metadata, version === undefined, path);
    }
  }
  const adHoc = await store(null, given);
  assert.is((await metadataAt(`/v1/checks/all-results?result_id=${adHoc}`))['response_version'], 2);
});

test('results of scripts link to their files, which open temporarily without a key and are 404 once deleted', async () => {
  const check = await checkOf('synthetic', '2026-01-02T00:00:00.000000');
  const result = await store(check, synthetic({ tests: [failed(ERRORS.status)], files: [file()] }));
  const png = Buffer.from('png');
  const head = {
    id: `${check}-0`,
    organization_id: service.first.id,
    run_id: result,
    name: 'cart.png',
    media_type: 'image/png',
    created_at: instantOf(NOW),
  };
  await service.artifacts.store(head, pieces(png));
  for (const path of places(check, result)) {
    const { test_results } = await metadataAt(path, service.first.keys.viewer);
    const [{ browser_metadata } = {}] = test_results as { browser_metadata: { screenshots: Json[] } }[];
    const [shot] = browser_metadata?.screenshots ?? [];
    assert.equal([shot?.['name'], shot?.['contentType']], ['cart.png', 'image/png']);
    const url = String(shot?.['url']);
    assert.match(url, new RegExp(`^/v1/artifacts/${check}-0\\?token=`));
    const opened = await open(url);
    assert.equal([opened.status, opened.text], [200, 'png']);
    const { etag = '' } = (await service.request('GET', path)).headers;
    service.time.now += MINUTE_MS;
    const fresh = await service.request('GET', path, { headers: { 'if-none-match': etag } });
    assert.is(fresh.status, 304, path);
    service.time.now = NOW;
  }
  const link = async () => {
    const { test_results } = await metadataAt(`/v1/checks/${check}/results/${result}`);
    return (test_results as { browser_metadata: { screenshots: { url: string }[] } }[])[0]?.browser_metadata
      .screenshots[0]?.url;
  };
  const url = (await link()) ?? '';
  service.time.now = NOW + 31 * MINUTE_MS;
  assert.is((await open(url)).status, 403);
  await service.artifacts.remove(head.id);
  assert.is((await open((await link()) ?? '')).status, 404);
  service.time.now = NOW;
});

test('results of synthetic checks with the legacy format link to a single screenshot', async () => {
  const check = await checkOf('synthetic', '2024-01-01T00:00:00.000000');
  const result = await store(check, synthetic({ tests: [failed(ERRORS.status)], files: [file()] }));
  const metadata = await metadataAt(`/v1/checks/${check}/results/${result}`);
  assert.match(String(metadata['screenshot_path']), new RegExp(`^/v1/artifacts/${check}-0\\?token=`));
});

test('texts that a script logs are never treated as references to files', async () => {
  const check = await checkOf('multistep', '2026-01-03T00:00:00.000000');
  const logs = [{ level: 'log', message: 'artifact:somebody-elses', timestamp: '2026-11-20T15:04:05.123Z' }];
  const result = await store(check, record({ logs }));
  const metadata = await metadataAt(`/v1/checks/${check}/results/${result}`);
  assert.is((metadata['logs'] as Json[])[0]?.['message'], 'artifact:somebody-elses');
});

test('credentials in headers are never shown, and other sensitive headers only to editors and admins', async () => {
  const check = await checkOf('synthetic', '2026-01-04T00:00:00.000000');
  const responseHeaders = { 'set-cookie': 'session=1', 'x-session': 'abc', 'content-type': 'text/html' };
  const result = await store(check, synthetic({ pages: [page({ network: [requestOf({ responseHeaders })] })] }));
  for (const path of places(check, result))
    for (const [role, session] of [
      ['viewer', '********'],
      ['editor', 'abc'],
    ] as const) {
      const { pages } = await metadataAt(path, service.first.keys[role]);
      const [one] = pages as { network: Json[] }[];
      assert.equal(one?.network[0]?.['responseHeaders'], {
        'set-cookie': '********',
        'x-session': session,
        'content-type': 'text/html',
      });
    }
});

test.run();
