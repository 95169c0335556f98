import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeOf, cloneOf, creationOf, parametersOf, trialOf } from '../../../console/screens/check-form/bodies.ts';
import { changeType, draftOf, valueOf, type Draft, type Source } from '../../../console/screens/check-form/draft.ts';
import { FIELDS, fieldsOf, TARGETS, type FieldName } from '../../../console/screens/check-form/fields.ts';
import type { FieldValue } from '../../../console/screens/check-form/values.ts';
import { CHECK_TYPE_NAMES, CHECK_TYPES, checkTypeOf } from '../../../domain/check/types/index.ts';

const test = suite('the check form');

const set = (draft: Draft, name: FieldName, value: FieldValue): void => {
  const field = FIELDS.find((one) => one.name === name && one.types.includes(draft.type.value));
  assert.ok(field, name);
  valueOf(draft, field).value = value;
};

/** Returns the paths of all parameters in a schema. Lists and objects with arbitrary keys count as one parameter. */
const pathsOf = (schema: { properties?: object }, at = 'parameters'): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(
    ([name, inner]: [string, { properties?: object; type?: unknown }]) => [
      ...(inner.properties && inner.type === 'object' ? pathsOf(inner, `${at}.${name}`) : [`${at}.${name}`]),
    ],
  );

const ELSEWHERE = /^parameters\.(?:regions|multi_region_execution\..*)$/;

for (const type of CHECK_TYPE_NAMES) {
  test(`the check form has the target and every parameter of ${type} checks`, () => {
    const { parameters, target } = checkTypeOf(type);
    const known = new Set(FIELDS.filter(({ types }) => types.some((one) => one === type)).map(({ path }) => path));
    const missing = pathsOf(parameters).filter((path) => !known.has(path) && !ELSEWHERE.test(path));
    assert.equal(missing, []);
    assert.equal([...TARGETS[type as keyof typeof TARGETS]].sort(), Object.keys(target).sort());
  });
}

test('the check form offers all check types', () => {
  assert.equal(Object.keys(TARGETS).sort(), CHECK_TYPES.map(({ name }) => name).sort());
});

test('the check form ignores fields that are not set', () => {
  for (const type of CHECK_TYPE_NAMES) assert.equal(parametersOf(draftOf({ type: type as Source['type'] })), {}, type);
});

test('the check form creates a request body from its values', () => {
  const draft = draftOf({ type: 'web' });
  draft.url.value = ' shop.example.com/cart/ ';
  set(draft, 'statusCodes', ['200', '300-399']);
  set(draft, 'headers', [
    { name: 'Accept', value: 'text/html' },
    { name: '', value: 'nothing' },
  ]);
  set(draft, 'json', [
    { path: '$.ok', operator: 'equals', value: 'true' },
    { path: '$.id', operator: 'equals', value: '"7"' },
    { path: '$.name', operator: 'contains', value: 'shop' },
    { path: '$.old', operator: 'not_exists', value: 'left over' },
  ]);
  set(draft, 'answerHeaders', [
    { name: 'Server', operator: 'absent', value: 'x' },
    { name: 'Content-Type', operator: 'contains', value: 'json' },
  ]);
  draft.tags.value = ['eu'];
  draft.mutedUntil.value = '2026-11-27T10:00:00';
  assert.equal(creationOf(draft), {
    name: 'shop.example.com/cart',
    type: 'web',
    active: true,
    interval: 60,
    timeout: 10,
    url: 'https://shop.example.com/cart/',
    parameters: {
      http_request: { headers: { Accept: 'text/html' } },
      assertions: {
        status_codes: [200, '300-399'],
        json: [
          { path: '$.ok', operator: 'equals', value: true },
          { path: '$.id', operator: 'equals', value: '7' },
          { path: '$.name', operator: 'contains', value: 'shop' },
          { path: '$.old', operator: 'not_exists' },
        ],
        headers: { Server: null, 'Content-Type': { contains: 'json' } },
      },
    },
    tags: ['eu'],
    muted_until: '2026-11-27T10:00:00Z',
  });
});

test('the check form omits empty values, so that the API reports them', () => {
  const draft = draftOf({ type: 'tcp' });
  draft.interval.value = null;
  assert.equal(creationOf(draft), { name: '', type: 'tcp', active: true, timeout: 10, parameters: {}, tags: [] });
});

const STORED: Source = {
  type: 'web',
  name: 'Shop',
  active: true,
  interval: 30,
  timeout: 10,
  url: 'https://shop.example.com/',
  host: null,
  port: null,
  tags: ['eu'],
  group_id: null,
  muted_until: null,
  parameters: {
    regions: ['eu-west1', 'elsewhere'],
    multi_region_execution: { enabled: true, execution_mode: 'random_n', count: 1, since: 'v2' },
    unknown: { deep: [1] },
    search_text: '',
    follow_redirects: true,
    http_request: { headers: { 'X-Key': '********' }, unknown_too: 1 },
    assertions: {
      json: [{ path: '$.a', value: 1, note: 'kept' }, { path: '$.b' }],
      status_codes: [200],
      headers: { Server: { contains: 'nginx', ignoring: 'case' } },
    },
  },
  secrets: [{ secret_id: 'k3v9x0q2m7ab', env_variable: 'TOKEN' }],
};

test('the check form sends no change of a check that was not edited', () => {
  assert.equal(changeOf(draftOf(STORED)), {});
});

test('the check form keeps unknown parameters of a check when other fields are changed', () => {
  const draft = draftOf(STORED);
  draft.name.value = 'Shop 2';
  set(draft, 'searchText', 'Welcome');
  set(draft, 'statusCodes', []);
  set(draft, 'json', [
    { path: '$.a', operator: 'equals', value: '2' },
    { path: '$.b', operator: 'exists', value: '' },
  ]);
  draft.regions.value = ['eu-west1', 'elsewhere', 'IN, Mumbai'];
  draft.count.value = 2;
  assert.equal(changeOf(draft), {
    name: 'Shop 2',
    parameters: {
      ...STORED.parameters,
      regions: ['eu-west1', 'elsewhere', 'IN, Mumbai'],
      multi_region_execution: { enabled: true, execution_mode: 'random_n', count: 2, since: 'v2' },
      search_text: 'Welcome',
      assertions: {
        json: [
          { path: '$.a', operator: 'equals', value: 2, note: 'kept' },
          { path: '$.b', operator: 'exists' },
        ],
        headers: { Server: { contains: 'nginx', ignoring: 'case' } },
      },
    },
  });
  draft.parallel.value = 'turn';
  const { multi_region_execution: off } = parametersOf(draft);
  assert.equal(off, { enabled: false, execution_mode: 'random_n', count: 1, since: 'v2' });
});

test('the check form sends emptied fields as null', () => {
  const draft = draftOf({ ...STORED, group_id: 'k3v9x0q2m7ab', muted_until: '2026-11-27T10:00:00' });
  draft.groupId.value = '';
  draft.mutedUntil.value = null;
  draft.secrets.value = [];
  draft.url.value = '';
  assert.equal(changeOf(draft), { group_id: null, muted_until: null, secrets: [], url: null });
});

test('clearing a checkbox of the check form removes the fields that depend on it', () => {
  const secure = draftOf({ type: 'tcp', host: 'a', port: 1, parameters: { tls: { server_name: 'b' } } });
  set(secure, 'serverName', '');
  assert.equal(parametersOf(secure), { tls: true });
  set(secure, 'serverName', 'c');
  assert.equal(parametersOf(secure), { tls: { server_name: 'c' } });
  set(secure, 'tls', false);
  assert.equal(parametersOf(secure), { tls: false });

  const domain = draftOf({
    type: 'dns',
    parameters: { whois_lookup: true, assertions: { domain_expiration_threshold: 86_400 } },
  });
  set(domain, 'whoisLookup', false);
  assert.equal(parametersOf(domain), { whois_lookup: false });
});

test('switching the type in the check form back and forth loses no input', () => {
  const draft = draftOf({ type: 'web' });
  set(draft, 'searchText', 'Welcome');
  set(draft, 'maxResponseTime', 500);
  changeType(draft, 'tcp');
  draft.host.value = 'db.example.com';
  draft.port.value = 5432;
  assert.equal(trialOf(draft), {
    name: 'db.example.com:5432',
    type: 'tcp',
    timeout: 10,
    host: 'db.example.com',
    port: 5432,
    parameters: { search_text: 'Welcome' },
  });
  changeType(draft, 'synthetic');
  assert.equal([draft.interval.value, draft.timeout.value], [300, 30]);
  draft.interval.value = 120;
  changeType(draft, 'web');
  assert.equal([draft.interval.value, draft.timeout.value], [120, 10]);
  assert.equal(parametersOf(draft), { search_text: 'Welcome', assertions: { max_response_time: 500 } });
});

test('a cloned check has all fields except its id, and a clone of another type has only the fields that all types share', () => {
  const check = { ...STORED, id: 'x', status: 'up', revision: 7, position: 3 } as unknown as Parameters<
    typeof cloneOf
  >[0];
  const draft = draftOf(cloneOf(check, 'Copy of Shop'));
  const { parameters, ...others } = creationOf(draft);
  assert.equal(parameters, STORED.parameters);
  assert.equal(others, {
    name: 'Copy of Shop',
    type: 'web',
    active: true,
    interval: 30,
    timeout: 10,
    url: 'https://shop.example.com/',
    tags: ['eu'],
    secrets: STORED.secrets,
  });
  changeType(draft, 'icmp');
  assert.equal(Object.keys(parametersOf(draft)).sort(), ['multi_region_execution', 'regions']);
});

test('the check form shows each parameter of a type once', () => {
  for (const type of CHECK_TYPE_NAMES as readonly Source['type'][]) {
    const parts = ['what', 'request', 'judged', 'where', 'advanced'] as const;
    const paths = parts.flatMap((part) => fieldsOf(type, part).map(({ path }) => path));
    assert.is(new Set(paths).size, paths.length, type);
  }
});

test.run();
