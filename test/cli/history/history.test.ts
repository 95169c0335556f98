import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeHistory, type HistoryOptions } from '../../../cli/history/history.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { alertIdOf } from '../../../domain/alert/identity.ts';
import { NO_GROUP } from '../../../domain/check/state.ts';
import { newPageFields } from '../../../domain/page/decide.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { acknowledged, fired, RULE } from '../../domain/alert/examples.ts';
import { binding, secretsChanged } from '../../domain/check/examples.ts';
import {
  SECRET,
  secretClaimed,
  secretCreated,
  secretDeleted,
  valueChanged,
  valueRead,
} from '../../domain/secret/examples.ts';
import { recorded, type Fact } from '../../projections/history.ts';
import { rejects } from '../../rejects.ts';
import { collectLines } from '../../service/lines.ts';

const at = (time: string): string => `2026-11-20T${time}.000000`;
const org = 'org000000001';
const ids = { incident_id: 'incident0001', page_id: 'page00000001' };
const component = {
  description: null,
  group: false,
  group_id: null,
  position: 1,
  showcase: true,
  only_show_if_degraded: false,
  start_date: null,
  check_id: null,
  check_tag: null,
  show_response_times: false,
  status: 'operational',
} as const;

const facts: Fact[] = [
  {
    type: 'OrganizationCreated',
    data: { organization_id: org, name: 'Acme' },
    stream: `organization-${org}`,
    metadata: { actor: { kind: 'system', id: 'cli', role: null } },
  },
  {
    type: 'ApiKeyCreated',
    data: {
      organization_id: org,
      api_key_id: 'key000000001',
      name: 'Deploys',
      prefix: 'upt_abcd',
      hash: 'a'.repeat(64),
      role: 'admin',
      expires_at: null,
      origin: 'request',
      created_by: null,
      created_by_key: null,
      allowed_ips: [],
    },
  },
  {
    type: 'PageCreated',
    data: {
      page_id: ids.page_id,
      created_at: at('15:00:02'),
      page: newPageFields({ name: 'Acme', subdomain: 'acme' }),
      claims: {},
    },
  },
  {
    type: 'ComponentAdded',
    data: {
      page_id: ids.page_id,
      component_id: 'component001',
      created_at: at('15:00:03'),
      component: { name: 'Checkout', ...component },
    },
  },
  {
    type: 'IncidentOpened',
    data: {
      ...ids,
      created_at: at('15:00:04'),
      incident: { name: 'Checkout fails', impact: 'critical', metadata: null },
      update: {
        id: 'update000001',
        body: 'We look\ninto it.\u001b[2J',
        status: 'investigating',
        status_sent: true,
        components: { component001: 'major_outage' },
        deliver_notifications: true,
        created_at: at('15:00:04'),
      },
    },
  },
  {
    type: 'IncidentChanged',
    data: {
      ...ids,
      changed_at: at('15:00:05'),
      changes: { impact: 'minor', metadata: { ticket: { id: 7, by: 'Ann' } } },
      previous: { impact: 'critical', metadata: { ticket: { id: 6, by: 'Ann' } } },
    },
  },
  {
    type: 'IncidentDeleted',
    data: { ...ids, deleted_at: at('15:00:06') },
  },
];

const job: Fact[] = [
  {
    type: 'JobQueued',
    data: {
      job_id: 'job000000001',
      organization_id: org,
      job_type: 'existing_check',
      check_id: 'check0000001',
      check_parameters: {
        name: 'Front page',
        type: 'web',
        url: 'http://127.0.0.1/',
        host: null,
        port: null,
        timeout: 10,
        parameters: {},
      },
      user_id: null,
    },
  },
  {
    type: 'JobFailed',
    data: { job_id: 'job000000001', error_message: 'The check was deleted.' },
    metadata: { actor: { kind: 'system', id: 'job-runs', role: null } },
  },
];

const alert: Fact[] = [
  { ...fired(1, at('15:00:10')), metadata: { actor: { kind: 'system', id: 'alerts', role: null } } },
  acknowledged(1, at('15:00:11')),
];

const secret: Fact[] = [
  secretCreated(),
  secretClaimed(1, 'check0000001'),
  secretsChanged([binding()]),
  valueChanged(),
  valueRead,
  secretsChanged([], [binding()]),
  secretDeleted,
];

const stores = async () => {
  const main = createMemoryEventStore('main');
  const keys = createMemoryKeys();
  const sealed = (text: string, field: string) =>
    keys.seal('check-check0000001', text, { organizationId: org, field: `parameters.http_request.${field}` });
  const check: Fact = {
    type: 'CheckCreated',
    data: {
      check_id: 'check0000001',
      organization_id: org,
      type: 'web',
      name: 'Front page',
      active: true,
      interval: 60,
      timeout: 10,
      host: null,
      url: 'http://127.0.0.1/',
      port: null,
      parameters: {
        http_request: { username: await sealed('ann', 'username'), password: await sealed('hunter2', 'password') },
      },
      ...NO_GROUP,
      tags: [],
      secrets: [],
    },
  };
  const seal = (text: string, field: string) => keys.seal('api_key-key000000001', text, { organizationId: org, field });
  for (const { stream, id, type, data, metadata } of recorded([...facts, check, ...job, ...alert, ...secret])) {
    const client =
      metadata.actor.kind === 'api_key'
        ? {
            client_address: await seal('127.0.0.1', 'client_address'),
            user_agent: await seal('curl/8.5.0', 'user_agent'),
          }
        : {};
    await main.append(stream, [{ id, type, data, metadata: { ...metadata, ...client } }], 'any');
  }
  return { main, keys };
};

const historyLines = async (
  options: Partial<HistoryOptions>,
  { forget }: { forget?: string } = {},
): Promise<string[]> => {
  const open = await stores();
  if (forget !== undefined) await open.keys.forget(forget);
  const output = collectLines();
  await writeHistory({ kind: 'incident', id: ids.incident_id, json: false, ...options }, open, output);
  return output.lines;
};

const test = suite('uptrail history');

test('uptrail history shows for each change the actor, the time, the client address and the changed values', async () => {
  assert.equal(await historyLines({}), [
    '2026-11-20 15:00:04.000 UTC  Incident opened, by API key Deploys (key000000001, admin), from 127.0.0.1, curl/8.5.0',
    '    name: Checkout fails',
    '    impact: critical',
    '    body: We look\\ninto it.\\u001b[2J',
    '    status: investigating',
    '    components.Checkout: major_outage',
    '    deliver_notifications: true',
    '2026-11-20 15:00:05.000 UTC  Incident changed, by API key Deploys (key000000001, admin), from 127.0.0.1, curl/8.5.0',
    '    impact: critical → minor',
    '    metadata.ticket.id: 6 → 7',
    '2026-11-20 15:00:06.000 UTC  Incident deleted, by API key Deploys (key000000001, admin), from 127.0.0.1, curl/8.5.0',
  ]);
});

test('uptrail history --json writes one event per line', async () => {
  const events = (await historyLines({ json: true })).map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.is(events.length, 3);
  const { type, action, changes, actor, ip_address, organization_id, revision } = events[1] ?? {};
  assert.equal(
    { type, action, actor, ip_address, organization_id, revision },
    {
      type: 'IncidentChanged',
      action: 'incident.updated',
      actor: { kind: 'api_key', id: 'key000000001', role: 'admin', name: 'Deploys' },
      ip_address: '127.0.0.1',
      organization_id: org,
      revision: 1,
    },
  );
  assert.equal((changes as Record<string, unknown>)['impact'], { old: 'critical', new: 'minor' });
});

test('uptrail history shows no personal data of an actor whose encryption key was deleted', async () => {
  const [first] = await historyLines({}, { forget: 'api_key-key000000001' });
  assert.match(first ?? '', 'from [forgotten], [forgotten]');
});

test('uptrail history works without encryption keys, and shows sealed texts as unreadable', async () => {
  const open = await stores();
  const output = collectLines();
  await writeHistory(
    { kind: 'incident', id: ids.incident_id, json: false },
    { ...open, keys: createMemoryKeys() },
    output,
  );
  assert.match(output.lines[0] ?? '', 'from [unreadable], [unreadable]');
});

test('uptrail history shows the command line as the actor of changes that were made at the command line', async () => {
  const [first] = await historyLines({ kind: 'organization', id: org });
  assert.is(first, '2026-11-20 15:00:00.000 UTC  Organization created, by the command line');
});

test('uptrail history --at shows the state of a resource at a time, according to the recording times of its events', async () => {
  const times = { created_at: at('15:00:00'), updated_at: at('15:00:00') };
  const organization = { id: org, name: 'Acme', auto_renew: false, plan: null, credit_limit: null, ...times };
  const shown = async (time: string) =>
    JSON.parse((await historyLines({ kind: 'organization', id: org, at: time })).join('\n')) as unknown;
  assert.equal(await shown('2026-11-20T15:00:00Z'), { ...organization, api_keys: [] });
  const { api_keys } = (await shown('2026-11-20T16:00:01+01:00')) as { api_keys: { id: string }[] };
  assert.equal(
    api_keys.map(({ id }) => id),
    ['key000000001'],
  );
});

test('uptrail history --at shows an incident with the components that it had at that time', async () => {
  const shown = async (time: string) =>
    JSON.parse((await historyLines({ at: `2026-11-20T${time}Z` })).join('\n')) as {
      impact: string;
      status: string;
      components: { name: string; status: string }[];
    };
  const opened = await shown('15:00:04');
  assert.equal([opened.impact, opened.status], ['critical', 'investigating']);
  assert.equal(
    opened.components.map(({ name, status }) => [name, status]),
    [['Checkout', 'major_outage']],
  );
  assert.is((await shown('15:00:05')).impact, 'minor');
  await rejects(shown('15:00:06'), OperatorError, /did not exist any more at/);
});

test('uptrail history --at shows a check with masked secrets and without results', async () => {
  const shown = JSON.parse(
    (await historyLines({ kind: 'check', id: 'check0000001', at: '2026-12-01' })).join('\n'),
  ) as Record<string, unknown>;
  assert.equal([shown['name'], shown['interval'], shown['status']], ['Front page', 60, 'pending']);
  assert.equal(shown['parameters'], { http_request: { username: 'ann', password: '********' } });
  assert.not.ok('last_checked_at' in shown);
});

test('uptrail history shows an on-demand run, and its state at a time', async () => {
  const lines = await historyLines({ kind: 'job', id: 'job000000001' });
  assert.match(lines[0] ?? '', 'Job queued, by API key Deploys');
  assert.match(lines.join('\n'), 'Job failed, by the system (job-runs)\n    error_message: The check was deleted.');
  const [shown] = await historyLines({ kind: 'job', id: 'job000000001', at: '2026-11-20T15:00:08Z', json: true });
  const { status, result } = JSON.parse(shown ?? '') as Record<string, unknown>;
  assert.equal([status, result], ['queued', null]);
});

test('uptrail history shows who acknowledged an alert, and its state at a time', async () => {
  const lines = await historyLines({ kind: 'alert', id: alertIdOf(RULE, 1) });
  assert.match(lines[0] ?? '', 'Alert fired, by the system (alerts)');
  assert.match(lines.join('\n'), 'Alert acknowledged, by API key Deploys');
  const [shown] = await historyLines({
    kind: 'alert',
    id: alertIdOf(RULE, 1),
    at: '2026-11-20T15:00:10.500Z',
    json: true,
  });
  const { title, status, history } = JSON.parse(shown ?? '') as Record<string, unknown>;
  assert.equal([title, status], ['API is down', 'firing']);
  assert.equal((history as unknown[]).length, 1);
});

test('uptrail history shows which actors created, changed and read a secret, but never its value', async () => {
  const lines = await historyLines({ kind: 'secret', id: SECRET });
  assert.equal(
    lines.map((line) => line.replace(/^.*UTC {2}|, by API key .*$/g, '')),
    [
      'Secret created',
      '    secret_name: API_TOKEN',
      'Secret claimed',
      'Secret value changed',
      'Secret value read',
      'Secret deleted',
    ],
  );
  assert.match(lines[0] ?? '', 'by API key Deploys (key000000001, admin), from 127.0.0.1');
  const json = await historyLines({ kind: 'secret', id: SECRET, json: true });
  assert.not.match(json.join('\n'), /c2VhbGVk|b3RoZXI/);
  const [shown] = await historyLines({ kind: 'secret', id: SECRET, at: '2026-11-20T15:00:15.500Z', json: true });
  const { secret_name, ...others } = JSON.parse(shown ?? '') as Record<string, unknown>;
  assert.is(secret_name, 'API_TOKEN');
  const fields = ['id', 'managed_by', 'revision', 'created_by', 'updated_by', 'created_at', 'updated_at'];
  assert.equal(Object.keys(others), fields);
});

test('uptrail history shows which secrets a check was bound to, and the bindings at a time', async () => {
  const lines = await historyLines({ kind: 'check', id: 'check0000001' });
  assert.match(lines.join('\n'), /Check secrets changed, by .*\n {4}secrets\.API_TOKEN: TOKEN$/m);
  const [shown] = await historyLines({ kind: 'check', id: 'check0000001', at: '2026-11-20T15:00:15.500Z', json: true });
  const { secrets } = JSON.parse(shown ?? '') as { secrets: { secret: object }[] };
  assert.equal(
    secrets.map(({ secret }) => secret),
    [{ id: SECRET, secret_name: 'API_TOKEN' }],
  );
});

test('uptrail history rejects an unknown kind or id and an invalid time with an error message', async () => {
  await rejects(
    historyLines({ kind: 'incidents' }),
    OperatorError,
    /^The kind "incidents" does not exist\. Use one of (\w+, )*page, incident, subscriber, (\w+, )*alert, (\w+, )*organization\./,
  );
  await rejects(historyLines({ kind: 'toString' }), OperatorError);
  await rejects(historyLines({ id: 'nobody' }), OperatorError, 'No incident has the id "nobody".');
  await rejects(historyLines({ at: 'last Tuesday' }), OperatorError, /^"last Tuesday" is not a valid time\./);
});

test('uptrail history --at reports that a resource did not exist at the time', async () => {
  await rejects(
    historyLines({ kind: 'organization', id: org, at: '2026-11-20' }),
    OperatorError,
    `The organization "${org}" did not exist yet at 2026-11-20.`,
  );
});

test.run();
