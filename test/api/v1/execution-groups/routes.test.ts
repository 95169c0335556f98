import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventOf } from '../../../../domain/event-types.ts';
import { derivedId } from '../../../../domain/identity.ts';
import { DAY_MS, instantOf } from '../../../../domain/time.ts';
import { reportedDown, reportedOk } from '../../../domain/execution-group/examples.ts';
import { storeFacts, storeGroup } from '../../execution-groups.ts';
import { startService } from '../../service.ts';

const test = suite('execution groups');

const NOW = Date.parse('2026-11-20T15:30:00Z');
const [MOSCOW, WEST] = ['RU, Moscow', 'EU, West'] as const;

const service = await startService({ now: NOW });
test.after(() => service.stop());
test.before.each(() => {
  service.time.now = NOW;
});

type Json = Record<string, unknown>;
type Started = EventOf<'ExecutionGroupStarted'>['data'];

const newCheck = async (): Promise<string> => {
  const body = { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60 };
  return ((await service.request('POST', '/v1/checks', { body })).json() as { id: string }).id;
};

const get = async (path: string): Promise<Json> => {
  const reply = await service.request('GET', path);
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Json;
};

const begin = (fields: Partial<Started> = {}): Promise<Started> =>
  storeGroup(service, { regions: [MOSCOW, WEST], timeout_at: instantOf(NOW + 40_000), ...fields });

type Answer = typeof reportedOk;
const answer = (group: Started, how: Answer, region: string): Promise<void> => {
  const fields = { execution_group_id: group.execution_group_id, result_id: derivedId(`${group.run_id} ${region}`) };
  const result = how(region, { ...fields, ...(group.check_id !== undefined && { check_id: group.check_id }) });
  return storeFacts(service, result);
};

const timeOut = ({ execution_group_id, organization_id, check_id }: Started): Promise<void> =>
  storeFacts(service, {
    type: 'ExecutionGroupTimedOut',
    data: { execution_group_id, organization_id, ...(check_id !== undefined && { check_id }) },
  });

test('a running execution group shows the results so far', async () => {
  const check = await newCheck();
  const group = await begin({ check_id: check });
  await answer(group, reportedOk, WEST);
  assert.equal(await get(`/v1/execution-groups/${group.execution_group_id}`), {
    id: group.execution_group_id,
    check_id: check,
    organization_id: service.first.id,
    execution_mode: 'all',
    execution_type: 'scheduled',
    status: 'running',
    requested_regions: [MOSCOW, WEST],
    regional_summary: { [WEST]: { status: 'ok', response_time: 12, error_message: null } },
    statistics: {
      total_executions: 2,
      completed_executions: 1,
      failed_executions: 0,
      avg_response_time: 12,
      min_response_time: 12,
      max_response_time: 12,
    },
    created_at: instantOf(NOW),
    started_at: instantOf(NOW),
    completed_at: null,
    timeout_at: instantOf(NOW + 40_000),
    triggered_by_user_id: null,
  });
});

test('a region without a result is shown as timeout, and other regions keep their results', async () => {
  const group = await begin({ check_id: await newCheck() });
  await answer(group, reportedDown, MOSCOW);
  await timeOut(group);
  const groupPath = `/v1/execution-groups/${group.execution_group_id}`;
  assert.is((await get(groupPath))['status'], 'timeout');
  assert.equal(await get(`${groupPath}/regional-results`), {
    execution_group_id: group.execution_group_id,
    regional_results: [
      {
        result_id: derivedId(`${group.run_id} ${MOSCOW}`),
        region: MOSCOW,
        status: 'failed',
        response_time: null,
        error_message: 'Connection refused by 127.0.0.1:443.',
        created_at: instantOf(NOW),
      },
      {
        result_id: null,
        region: WEST,
        status: 'timeout',
        response_time: null,
        error_message: 'The region reported no result in time.',
        created_at: instantOf(NOW + 40_000),
      },
    ],
    statistics: {
      total_executions: 2,
      completed_executions: 0,
      failed_executions: 2,
      avg_response_time: null,
      min_response_time: null,
      max_response_time: null,
    },
  });
});

test('an on-demand execution group shows who started it, and no timeout', async () => {
  const on_demand = { execution_type: 'on_demand', execution_id: 'job000000001' } as const;
  const { execution_group_id } = await begin({ ...on_demand, triggered_by_user_id: 'user00000001' });
  const group = await get(`/v1/execution-groups/${execution_group_id}`);
  assert.is(group['check_id'], null);
  assert.is(group['timeout_at'], null);
  assert.is(group['triggered_by_user_id'], 'user00000001');
});

test('execution groups can be listed for one check, newest first, and filtered by status', async () => {
  const check = await newCheck();
  service.time.now = NOW - 2 * 60_000;
  const old = await begin({ check_id: check });
  await timeOut(old);
  service.time.now = NOW;
  const recent = await begin({ check_id: check });
  await begin({ check_id: await newCheck() });
  const ids = async (search: string): Promise<unknown[]> => {
    const { execution_groups } = await get(`/v1/checks/${check}/execution-groups${search}`);
    return (execution_groups as Json[]).map(({ id }) => id);
  };
  assert.equal(await ids(''), [recent.execution_group_id, old.execution_group_id]);
  assert.equal(await ids('?status=failed'), [old.execution_group_id]);
  assert.equal(await ids('?status=completed'), []);
  assert.equal(await ids('?page_size=1&page=2'), [old.execution_group_id]);
  const wrong = await service.request('GET', `/v1/checks/${check}/execution-groups?status=done`);
  assert.is(wrong.status, 400);
});

test('an execution group is found by the execution_group_id of a result', async () => {
  const group = await begin({ check_id: await newCheck() });
  await answer(group, reportedOk, WEST);
  const { results } = await get(`/v1/checks/all-results?execution_group_id=${group.execution_group_id}`);
  assert.is((results as Json[])[0]?.['execution_group_id'], group.execution_group_id);
});

test('execution groups are deleted with their check', async () => {
  const check = await newCheck();
  const { execution_group_id: id } = await begin({ check_id: check });
  assert.is((await service.request('DELETE', `/v1/checks/${check}`)).status, 204);
  for (const path of [
    `/v1/execution-groups/${id}`,
    `/v1/execution-groups/${id}/regional-results`,
    `/v1/checks/${check}/execution-groups`,
  ]) {
    assert.is((await service.request('GET', path)).status, 404, path);
  }
});

test('execution groups older than the retention period are not shown', async () => {
  const check = await newCheck();
  service.time.now = NOW - 182 * DAY_MS;
  const { execution_group_id: id } = await begin({ check_id: check });
  service.time.now = NOW;
  assert.is((await service.request('GET', `/v1/execution-groups/${id}`)).status, 200);
  service.time.now = NOW + 3 * DAY_MS;
  assert.is((await service.request('GET', `/v1/execution-groups/${id}`)).status, 404);
  assert.equal((await get(`/v1/checks/${check}/execution-groups`))['execution_groups'], []);
});

test.run();
