import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MASKED_TEXT } from '../../../../domain/masking.ts';
import { derivedId, derivedUuid } from '../../../../domain/identity.ts';
import { systemEvent } from '../../../../domain/system-event.ts';
import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from '../../../../domain/time.ts';
import { resultOf } from '../../../domain/check-result/examples.ts';
import { startService } from '../../service.ts';

const test = suite('results of checks');

const NOW = Date.parse('2026-11-20T15:30:00Z');

const service = await startService({ now: NOW });
test.after(() => service.stop());

type Fields = Parameters<typeof resultOf>[2];
type Json = Record<string, unknown>;

const newCheck = async (name: string, key = service.first.keys.editor): Promise<string> => {
  const body = { name, type: 'web', url: 'http://127.0.0.1:9/', interval: 60 };
  return ((await service.request('POST', '/v1/checks', { key, body })).json() as { id: string }).id;
};

/** Stores results as a region does, and waits until the read model shows them. @returns their ids */
const store = async (checkId: string, ...results: [at: number, fields?: Fields][]): Promise<string[]> => {
  const events = results.map(([at, fields]) => resultOf(checkId, at, { organization_id: service.first.id, ...fields }));
  const { position } = await service.stores.results.append('check_results-ru-central1', events, 'any');
  await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
  return events.map(({ data }) => data.result_id);
};

const get = async (path: string): Promise<Json> => {
  const reply = await service.request('GET', path);
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Json;
};
const idsIn = async (path: string): Promise<string[]> =>
  ((await get(path))['results'] as Json[]).map(({ id }) => String(id));

const down = { status: 'down', reason: 'connect', response_time: null, error_message: 'Connection refused.' } as const;
const failed = { status: 'failed', response_time: 40, error_message: 'The status was 500.' } as const;

test('lists of results support every filter', async () => {
  const check = await newCheck('Filters');
  const [old = '', bad = '', elsewhere = '', refused = ''] = await store(
    check,
    [NOW - 10 * DAY_MS],
    [NOW - 3 * MINUTE_MS, failed],
    [NOW - 2 * MINUTE_MS, { region: 'EU, West' }],
    [NOW - MINUTE_MS, down],
  );
  const list = `/v1/checks/${check}/results`;
  assert.equal(await idsIn(list), [refused, elsewhere, bad, old]);
  assert.equal(await idsIn(`${list}?status=ok,failed`), [elsewhere, bad, old]);
  assert.equal(await idsIn(`${list}?failed_only=true`), [refused, bad]);
  assert.equal(await idsIn(`${list}?failed_only=true&status=ok,down`), [refused]);
  assert.equal(await idsIn(`${list}?region=eu-west1`), [elsewhere]);
  assert.equal(await idsIn(`${list}?start_date=2026-11-20`), [refused, elsewhere, bad]);
  assert.equal(await idsIn(`${list}?end_date=2026-11-10`), [old]);
  assert.equal(await idsIn(`${list}?start_date=2026-11-20T15:28:00Z&end_date=2026-11-20T15:28:59Z`), [elsewhere]);
});

test('response headers of a result are shown to editors and admins, and others see only harmless ones', async () => {
  const check = await newCheck('Headers');
  const headers = {
    'content-type': 'text/html',
    'X-Session-Token': 'abc',
    location: '/?token=abc',
    key: 'a',
    sealed: 'b',
  };
  const [id = ''] = await store(check, [
    NOW - MINUTE_MS,
    { check_metadata: { status_code: 200, headers, body_excerpt: '<h1>Sorry</h1>' } },
  ]);
  const paths = [
    `/v1/checks/${check}/results`,
    `/v1/checks/${check}/results/${id}`,
    '/v1/checks/all-results?check_id=' + check,
    `/v1/checks/all-results?result_id=${id}`,
  ];
  const masked = {
    'content-type': 'text/html',
    'X-Session-Token': MASKED_TEXT,
    location: MASKED_TEXT,
    key: MASKED_TEXT,
    sealed: MASKED_TEXT,
  };
  for (const path of paths) {
    for (const role of ['viewer', 'billing', 'editor', 'admin'] as const) {
      const reply = (await service.request('GET', path, { key: service.first.keys[role] })).json() as Json;
      const [result = reply] = (reply['results'] ?? []) as Json[];
      const [seen, body_excerpt] =
        role === 'viewer' || role === 'billing' ? [masked, MASKED_TEXT] : [headers, '<h1>Sorry</h1>'];
      const expected = { status_code: 200, headers: seen, body_excerpt };
      assert.equal(result['check_metadata'], expected, `${path} for ${role}`);
    }
  }
});

test('details of a portscan are shown to editors and admins, and others see only ports and states', async () => {
  const check = await newCheck('Scanned');
  const summary = { total_hosts: 1, hosts_up: 1, hosts_down: 0, total_open_ports: 1 };
  const host = { ip: '127.0.0.1', hostname: null, state: 'up' };
  const port = { port: 6_379, protocol: 'tcp' };
  const redis = { service: 'redis', version: '7.0.15', product: 'Redis key-value store', extrainfo: null };
  const risk = { port: 6_379, service: 'redis', risk_level: 'critical', description: '…', detected_version: 'Redis' };
  const scanned = { target: '127.0.0.1', execution_time: 6.5, summary };
  const all = {
    ...scanned,
    scan_results: [{ ...host, open_ports: [{ ...port, ...redis }], os_matches: [] }],
    vulnerabilities: [risk],
    notes: ['Connections were made instead.'],
    truncated: true,
  };
  const some = { ...scanned, scan_results: [{ ...host, open_ports: [port] }], truncated: true };
  const [id = ''] = await store(check, [NOW - MINUTE_MS, { check_type: 'portscan', check_metadata: all }]);
  for (const path of [
    `/v1/checks/${check}/results`,
    `/v1/checks/${check}/results/${id}`,
    `/v1/checks/all-results?check_id=${check}`,
  ])
    for (const role of ['viewer', 'billing', 'editor', 'admin'] as const) {
      const reply = (await service.request('GET', path, { key: service.first.keys[role] })).json() as Json;
      const [result = reply] = (reply['results'] ?? []) as Json[];
      assert.equal(
        result['check_metadata'],
        role === 'viewer' || role === 'billing' ? some : all,
        `${path} for ${role}`,
      );
    }
});

test('results older than the retention period are not shown, even if the requested range begins earlier', async () => {
  const check = await newCheck('Retention');
  const retained = Date.parse('2026-05-21T00:00:00Z');
  const [first = ''] = await store(check, [retained]);
  service.time.now = NOW + DAY_MS;
  assert.equal(await idsIn(`/v1/checks/${check}/results?start_date=2020-01-01`), []);
  service.time.now = NOW;
  assert.equal(await idsIn(`/v1/checks/${check}/results?start_date=2020-01-01`), [first]);
  assert.equal(await idsIn(`/v1/checks/all-results?check_id=${check}&start_date=2020-01-01`), [first]);
  const uptime = await get(`/v1/checks/${check}/uptime?start_time=2020-01-01`);
  assert.is(uptime['start_time'], '2026-05-21T00:00:00.000000');
});

test('the list of all results covers the last seven days by default and names the checks', async () => {
  const check = await newCheck('Everything');
  const [old = '', group = '', single = ''] = await store(
    check,
    [NOW - 7 * DAY_MS - 1],
    [NOW - 7 * DAY_MS, { execution_group_id: 'group0000001', result_type: 'on_demand', execution_id: 'job000000001' }],
    [NOW - MINUTE_MS],
  );
  const all = `/v1/checks/all-results?check_id=${check}`;
  assert.equal(await idsIn(all), [single, group]);
  assert.equal(await idsIn(`${all}&end_date=2026-11-13T15:29:59.999Z`), [old]);
  assert.equal(await idsIn(`${all}&result_type=on_demand`), [group]);
  assert.equal(await idsIn(`${all}&check_type=tcp`), []);
  assert.equal(await idsIn(`${all}&execution_group_id=group0000001`), [group]);
  assert.equal(await idsIn(`${all}&is_multi_region=true`), [group]);
  assert.equal(await idsIn(`${all}&is_multi_region=false`), [single]);
  assert.equal(await idsIn(`${all}&has_alerts=true`), []);
  assert.equal(await idsIn(`${all}&has_alerts=false`), [single, group]);
  const [shown] = (await get(`${all}&is_multi_region=true`))['results'] as Json[];
  assert.is(shown?.['check_name'], 'Everything');
  assert.is(shown?.['check_type'], 'web');
  assert.is(shown?.['region'], 'RU, Moscow');
  assert.is(shown?.['result_type'], 'on_demand');
  assert.is(shown?.['execution_id'], 'job000000001');
  assert.is(shown?.['execution_group_id'], 'group0000001');
  assert.equal(shown?.['triggered_alerts'], []);
  const { check_name, check_type, region, ...ofCheck } = shown ?? {};
  assert.equal([check_name, check_type, region], ['Everything', 'web', 'RU, Moscow']);
  assert.equal(await get(`/v1/checks/${check}/results/${group}`), ofCheck);
  const ofItsOwn = (await get(`/v1/checks/${check}/results`))['results'] as Json[];
  assert.equal(
    ofItsOwn.find(({ id }) => id === group),
    ofCheck,
  );
});

test('with the `created_until` of the first page, pages of results have no duplicates even if results arrive in between', async () => {
  const check = await newCheck('Growing');
  const ids = await store(check, ...[4, 3, 2, 1].map((minute): [number] => [NOW - minute * MINUTE_MS]));
  for (const path of [`/v1/checks/${check}/results?`, `/v1/checks/all-results?check_id=${check}&`]) {
    const first = (await get(`${path}page_size=2`))['results'] as { id: string; created_at: string }[];
    await store(check, [NOW]);
    const until = first[0]?.created_at ?? '';
    const second = await idsIn(`${path}page_size=2&page=2&created_until=${until}`);
    assert.is(new Set([...first.map(({ id }) => id), ...second]).size, 4, path);
    assert.ok(second.every((id) => ids.includes(id)));
  }
});

test('results that triggered an alert name the alert, and can be filtered by whether they triggered one', async () => {
  const check = await newCheck('Alerted');
  const [down = '', ok = ''] = await store(check, [NOW - 2 * MINUTE_MS, { status: 'down' }], [NOW - MINUTE_MS]);
  const event = systemEvent(
    {
      type: 'ResultRaisedAlert',
      data: {
        result_id: down,
        alert_id: 'alert0000001',
        title: 'Alerted is down',
        organization_id: service.first.id,
        check_id: check,
        at: instantOf(NOW - 2 * MINUTE_MS),
      },
    },
    { id: derivedUuid('alerted'), by: 'test', organizationId: service.first.id, now: instantOf(NOW) },
  );
  const { position } = await service.stores.results.append('check_results-ru-central1', [event], 'any');
  await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });

  const all = `/v1/checks/all-results?check_id=${check}`;
  assert.equal(await idsIn(`${all}&has_alerts=true`), [down]);
  assert.equal(await idsIn(`${all}&has_alerts=true&failed_only=true&result_type=regular`), [down]);
  assert.equal(await idsIn(`${all}&has_alerts=true&status=ok`), []);
  assert.equal(await idsIn(`${all}&has_alerts=false`), [ok]);
  for (const path of [all, `/v1/checks/all-results?result_id=${down}`, `/v1/checks/${check}/results`]) {
    const shown = ((await get(path))['results'] as Json[]).find(({ id }) => id === down);
    assert.equal(shown?.['triggered_alerts'], [{ id: 'alert0000001', title: 'Alerted is down' }], path);
  }
});

test('a result is found by its id regardless of its age, but not in other organizations', async () => {
  const check = await newCheck('By id');
  const [old = ''] = await store(check, [NOW - 100 * DAY_MS]);
  const path = `/v1/checks/all-results?result_id=${old}`;
  assert.equal(await idsIn(`${path}&status=down`), [old]);
  const { pagination } = (await get(path)) as { pagination: Json };
  assert.is(pagination['total_items'], 1);
  const foreign = await service.request('GET', path, { key: service.second.keys.editor });
  assert.equal((foreign.json() as Json)['results'], []);
  assert.equal(await idsIn('/v1/checks/all-results?result_id=zzzzzzzzzzzz'), []);
  assert.equal(
    await idsIn(`/v1/checks/all-results?check_id=${await newCheck('Foreign', service.second.keys.editor)}`),
    [],
  );
});

test('results of a deleted check are gone everywhere', async () => {
  const check = await newCheck('Deleted');
  const [result = ''] = await store(check, [NOW - MINUTE_MS, { region: 'CN, Hong Kong' }]);
  const region = '/v1/checks/status-history?region=cn-hk1';
  assert.equal(await idsIn('/v1/checks/all-results?region=cn-hk1'), [result]);
  assert.is(((await get(region))['status_history'] as Json[]).length, 1);
  await service.request('DELETE', `/v1/checks/${check}`);
  assert.equal(await idsIn('/v1/checks/all-results?region=cn-hk1'), []);
  assert.equal(await idsIn(`/v1/checks/all-results?result_id=${result}`), []);
  assert.equal(await idsIn(`/v1/checks/all-results?check_id=${check}`), []);
  assert.equal((await get(region))['status_history'], []);
  assert.equal((await get(`${region}&check_id=${check}`))['status_history'], []);
});

test('uptime covers exactly the last 24 hours by default, in buckets of an hour', async () => {
  const check = await newCheck('Uptime');
  await store(
    check,
    [NOW - DAY_MS - 1, down],
    [NOW - DAY_MS, { response_time: 100 }],
    [NOW - HOUR_MS, down],
    [NOW - HOUR_MS + MINUTE_MS, { response_time: 20 }],
    [NOW - MINUTE_MS, { ...failed, response_time: 31 }],
  );
  const uptime = await get(`/v1/checks/${check}/uptime`);
  assert.is(uptime['start_time'], instantOf(NOW - DAY_MS));
  assert.is(uptime['end_time'], instantOf(NOW));
  assert.equal(uptime['uptime_summary'], {
    uptime_percentage: 50,
    total_checks: 4,
    successful_checks: 2,
    failed_checks: 2,
    avg_response_time: 50,
  });
  assert.equal(uptime['uptime_data'], [
    {
      timestamp: '2026-11-19T15:00:00.000000',
      uptime_percentage: 100,
      total_checks: 1,
      successful_checks: 1,
      failed_checks: 0,
      avg_response_time: 100,
    },
    {
      timestamp: '2026-11-20T14:00:00.000000',
      uptime_percentage: 50,
      total_checks: 2,
      successful_checks: 1,
      failed_checks: 1,
      avg_response_time: 20,
    },
    {
      timestamp: '2026-11-20T15:00:00.000000',
      uptime_percentage: 0,
      total_checks: 1,
      successful_checks: 0,
      failed_checks: 1,
      avg_response_time: 31,
    },
  ]);
});

test('uptime covers exactly the requested time range, also within an hour', async () => {
  const check = await newCheck('Exactly');
  await store(check, ...[0, 10, 20, 30, 40, 70].map((minute): [number] => [NOW - DAY_MS + minute * MINUTE_MS]));
  const counted = async (from: string, to: string): Promise<unknown> => {
    const { uptime_summary: summary } = await get(
      `/v1/checks/${check}/uptime?start_time=2026-11-19T${from}&end_time=2026-11-19T${to}`,
    );
    return (summary as Json)['total_checks'];
  };
  assert.is(await counted('15:40', '15:50'), 2);
  assert.is(await counted('15:00', '15:59:59.999999'), 3);
  assert.is(await counted('15:41', '16:20'), 3);
  assert.is(await counted('15:30', '17:00'), 6);
  assert.is(await counted('16:00', '16:10'), 2);
});

test('checks and lists of checks contain their uptime on request', async () => {
  const check = await newCheck('Included uptime');
  await store(check, [NOW - 2 * DAY_MS, down], [NOW - HOUR_MS, { response_time: 9 }]);
  const summary = {
    uptime_percentage: 100,
    total_checks: 1,
    successful_checks: 1,
    failed_checks: 0,
    avg_response_time: 9,
  };
  const withUptime = await get(`/v1/checks/${check}?include_uptime=true`);
  assert.equal(withUptime['uptime_summary'], summary);
  assert.equal(withUptime['uptime_data'], [{ timestamp: '2026-11-20T14:00:00.000000', ...summary }]);
  assert.is('uptime_summary' in (await get(`/v1/checks/${check}`)), false);
  const week = 'include_uptime=true&start_date=2026-11-13&end_date=2026-11-20';
  const [listed] = (await get(`/v1/checks?name=Included&${week}`))['checks'] as Json[];
  assert.is((listed?.['uptime_summary'] as Json)['uptime_percentage'], 50);
  const backwards = 'include_uptime=true&start_date=2026-11-20&end_date=2026-11-13';
  assert.is((await service.request('GET', `/v1/checks?${backwards}`)).status, 400);
});

test('uptime without results has no percentage', async () => {
  const { uptime_summary: summary, uptime_data: hours } = await get(`/v1/checks/${await newCheck('New')}/uptime`);
  assert.is((summary as Json)['uptime_percentage'], null);
  assert.is((summary as Json)['avg_response_time'], null);
  assert.equal(hours, []);
});

test('a time range with its end before its start is 400', async () => {
  const check = await newCheck('Order');
  for (const path of [
    `/v1/checks/${check}/uptime?start_time=2026-11-20&end_time=2026-11-19`,
    `/v1/checks/${check}/response-times?start_date=2026-11-20&end_date=2026-11-19`,
    '/v1/checks/status-history?start_date=2026-11-20&end_date=2026-11-19',
  ]) {
    assert.is((await service.request('GET', path)).status, 400, path);
  }
});

test('an invalid time range is reported even if the check is unknown or the body is invalid', async () => {
  const none = 'aaaaaaaaaaaa';
  const dates = 'start_date=2026-11-20&end_date=2026-11-19';
  for (const path of [
    `/v1/checks/${none}?include_uptime=true&${dates}`,
    `/v1/checks/${none}/uptime?start_time=2026-11-20&end_time=2026-11-19`,
    `/v1/checks/${none}/results?${dates}`,
    `/v1/checks/${none}/response-times?${dates}`,
    `/v1/checks/${none}/status-history?${dates}`,
    `/v1/pages/${none}/components/${none}/uptime?start=2026-11-20&end=2026-11-19`,
  ]) {
    assert.is((await service.request('GET', path)).status, 400, path);
  }
  const bulk = `/v1/pages/${none}/components/uptime?start=2026-11-20&end=2026-11-19`;
  assert.is((await service.request('POST', bulk, { body: { component_ids: 5 } })).status, 400);
});

test('response times are grouped by region, and cover only complete responses', async () => {
  const check = await newCheck('Response times');
  const times = Array.from({ length: 100 }, (_, index) => index + 1);
  const start = Date.parse('2026-11-20T12:00:00Z');
  await store(
    check,
    ...times.map((time, index): [number, Fields] => [start + index * 1_000, { response_time: time }]),
    [start + HOUR_MS, { response_time: 7, region: 'EU, West' }],
    [start + HOUR_MS + 1, down],
    [start + HOUR_MS + 2, failed],
  );
  const path = `/v1/checks/${check}/response-times`;
  assert.equal(await get(path), {
    check_id: check,
    bucket_seconds: 300,
    response_times: [
      { timestamp: instantOf(start), region: 'RU, Moscow', average: 51, p95: 95, p99: 99, count: 100 },
      { timestamp: instantOf(start + HOUR_MS), region: 'EU, West', average: 7, p95: 7, p99: 7, count: 1 },
      { timestamp: instantOf(start + HOUR_MS), region: 'RU, Moscow', average: 40, p95: 40, p99: 40, count: 1 },
    ],
  });
  const averages = async (search: string): Promise<unknown[]> =>
    ((await get(`${path}?${search}`))['response_times'] as Json[]).map(({ average }) => average);
  assert.equal(await averages('region=eu-west1'), [7]);
  assert.equal(await averages('failed_only=true'), [40]);
  assert.equal(await averages('status=ok'), [51, 7]);
  assert.equal(await averages('status=down'), []);
  assert.equal(await averages('start_date=2026-11-20T12:00:10Z&end_date=2026-11-20T12:00:19Z'), [16]);
});

test('response times of a day are grouped by five minutes', async () => {
  const check = await newCheck('Five minutes');
  const from = NOW - DAY_MS;
  await store(
    check,
    [from - 1, { response_time: 1 }],
    ...Array.from({ length: 288 }, (_, index): [number, Fields][] => [
      [from + index * 5 * MINUTE_MS, { response_time: 10 }],
      [from + index * 5 * MINUTE_MS + 4 * MINUTE_MS, { response_time: 30 }],
    ]).flat(),
  );
  const path = `/v1/checks/${check}/response-times`;
  const answer = await get(`${path}?start_date=${instantOf(from)}`);
  const buckets = answer['response_times'] as Json[];
  assert.is(answer['bucket_seconds'], 300);
  assert.is(buckets.length, 288);
  const figures = { region: 'RU, Moscow', average: 20, p95: 30, p99: 30, count: 2 };
  assert.equal(buckets[0], { timestamp: instantOf(from), ...figures });
  assert.equal(buckets[287], { timestamp: instantOf(NOW - 5 * MINUTE_MS), ...figures });
  // Five minutes are also the bucket size for a past day, and for a range that ends within a bucket.
  const part = await get(`${path}?start_date=${instantOf(from)}&end_date=${instantOf(from + 7 * MINUTE_MS)}`);
  assert.equal(part['response_times'], [
    { timestamp: instantOf(from), ...figures },
    { timestamp: instantOf(from + 5 * MINUTE_MS), ...figures, average: 10, p95: 10, p99: 10, count: 1 },
  ]);
  assert.is((await get(`${path}?start_date=${instantOf(NOW - 2 * DAY_MS)}`))['bucket_seconds'], 3_600);
});

test('response times have at most 300 buckets for each region', async () => {
  const check = await newCheck('Buckets');
  await store(check, ...Array.from({ length: 366 }, (_, half): [number] => [NOW - half * 12 * HOUR_MS]));
  for (const [start, seconds] of [
    ['2026-11-13', 3_600],
    ['2026-10-21', 3 * 3_600],
    ['2026-05-21', 24 * 3_600],
  ] as const) {
    const answer = await get(`/v1/checks/${check}/response-times?start_date=${start}`);
    assert.is(answer['bucket_seconds'], seconds, start);
    assert.ok((answer['response_times'] as Json[]).length <= 300);
  }
});

test('a result delivered late is listed and counted at the time of its run', async () => {
  const region = 'IN, Mumbai';
  const check = await newCheck('Delivered later');
  const ranAt = (minutes: number, fields?: Fields): [number, Fields] => [
    NOW,
    { slot: instantOf(NOW - minutes * MINUTE_MS), ran_at: instantOf(NOW - minutes * MINUTE_MS), region, ...fields },
  ];
  const [current = ''] = await store(check, [NOW - MINUTE_MS, { region, response_time: 10 }]);
  const server = { id: 'server000002', country: 'IN', region, ip_address: '192.0.2.7' };
  const check_server = { ...server, server_metadata: { runner: 'Mumbai', clock_offset_ms: 3_600_000 } };
  const { position } = await service.stores.results.append(
    'check_results-in-bom1',
    [10, 70, 71].map((minutes) => {
      const [at, fields] = ranAt(minutes, { late: true, response_time: 40, check_server });
      const id = `later-${minutes}`;
      const more = { organization_id: service.first.id, result_id: derivedId(id), run_id: derivedId(`run of ${id}`) };
      return { ...resultOf(check, at, { ...fields, ...more }), id: derivedUuid(id) };
    }),
    'any',
  );
  const appended = { appended: new Map([['results' as const, position]]) };
  await service.readers.waitFor(['check_results', 'check_activity', 'check_verdicts', 'rule_inputs'], appended);

  const [ten, seventy, seventyOne] = [10, 70, 71].map((minutes) => derivedId(`later-${minutes}`));
  const list = `/v1/checks/${check}/results`;
  assert.equal(await idsIn(list), [current, ten, seventy, seventyOne]);
  assert.equal(await idsIn(`${list}?end_date=2026-11-20T14:59:59Z`), [seventy, seventyOne]);
  assert.equal(await idsIn(`/v1/checks/all-results?check_id=${check}&start_date=2026-11-20T15:00:00Z`), [current, ten]);
  const result = await get(`${list}/${ten ?? ''}`);
  assert.is(result['created_at'], instantOf(NOW - 10 * MINUTE_MS));
  assert.equal(result['check_server'], check_server);

  const uptime = await get(`/v1/checks/${check}/uptime`);
  assert.equal(
    (uptime['uptime_data'] as Json[]).map(({ timestamp, total_checks }) => [timestamp, total_checks]),
    [
      ['2026-11-20T14:00:00.000000', 2],
      ['2026-11-20T15:00:00.000000', 2],
    ],
  );
  // The hours without results of the region do not count as downtime.
  const { uptime_percentage } = uptime['uptime_summary'] as Json;
  assert.is(uptime_percentage, 100);
  assert.equal((await get(`/v1/checks/status-history?check_id=${check}`))['status_history'], [
    { timestamp: '2026-11-20T14:00:00.000000', region, ok: 2, down: 0, failed: 0 },
    { timestamp: '2026-11-20T15:00:00.000000', region, ok: 2, down: 0, failed: 0 },
  ]);
  const { response_times } = await get(`/v1/checks/${check}/response-times?start_date=2026-11-20T14:00:00Z`);
  assert.equal(
    (response_times as Json[]).map(({ timestamp, average }) => [String(timestamp).slice(11, 16), average]),
    [
      ['14:15', 40],
      ['14:20', 40],
      ['15:20', 40],
      ['15:25', 10],
    ],
  );
  assert.is((await get(`/v1/checks/${check}`))['last_checked_at'], instantOf(NOW - MINUTE_MS));
});

test('results of all checks are counted by time and region', async () => {
  const region = 'ZA, Johannesburg';
  const start = Date.parse('2026-11-20T10:00:00Z');
  const [one, other] = [await newCheck('One'), await newCheck('Other')];
  await store(one, [start, { region }], [start + MINUTE_MS, { ...down, region }], [start - 8 * DAY_MS, { region }]);
  await store(other, [start, { ...failed, region }], [start + HOUR_MS, { region }]);
  const path = '/v1/checks/status-history?region=za-jnb1';
  assert.equal(await get(path), {
    bucket_seconds: 3_600,
    status_history: [
      { timestamp: instantOf(start), region, ok: 1, down: 1, failed: 1 },
      { timestamp: instantOf(start + HOUR_MS), region, ok: 1, down: 0, failed: 0 },
    ],
  });
  assert.equal((await get(`${path}&check_id=${other}`))['status_history'], [
    { timestamp: instantOf(start), region, ok: 0, down: 0, failed: 1 },
    { timestamp: instantOf(start + HOUR_MS), region, ok: 1, down: 0, failed: 0 },
  ]);
});

test('the status history of a check shows its own status events, newest first', async () => {
  const check = await newCheck('History');
  const verdict = (id: string, at: string) => ({
    check_id: check,
    result_id: `result00000${id}`,
    run_id: `run00000000${id}`,
    slot: at,
    region: 'RU, Moscow',
    at,
  });
  const [at, later] = ['2026-11-20T15:00:00.000000', '2026-11-20T15:10:00.000000'];
  const facts = [
    { type: 'CheckCameUp', data: verdict('1', at) },
    { type: 'CheckWentDown', data: { ...verdict('2', later), error_message: 'Connection refused.' } },
  ];
  const events = facts.map(({ type, data }, index) => {
    const { id, metadata } = resultOf(check, NOW + index);
    return { id, type, data, metadata: { ...metadata, schema_version: 1 } };
  });
  const { position } = await service.stores.main.append(`check-${check}`, events, 'any');
  await service.readers.waitFor(['check_status_history'], { appended: new Map([['main', position]]) });
  const path = `/v1/checks/${check}/status-history`;
  const [wasUp, isDown] = [
    { status: 'up', started_at: at, ended_at: later },
    { status: 'down', started_at: later, ended_at: null },
  ];
  assert.equal((await get(path))['status_history'], [isDown, wasUp]);
  assert.equal((await get(`${path}?end_date=2026-11-20T15:05:00Z`))['status_history'], [wasUp]);
  assert.equal((await get(`${path}?start_date=2026-11-20T15:20:00Z`))['status_history'], [isDown]);
});

test.run();
