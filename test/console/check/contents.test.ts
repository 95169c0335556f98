import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changedFields } from '../../../console/screens/check/changes.ts';
import { outcomesOf } from '../../../console/screens/check/outcomes.ts';
import { artifactAddress, kindOf } from '../../../console/screens/check/results/artifact.ts';
import { fieldsOf, linkOf, numberOf, rowsOf, textOf, textsOf } from '../../../console/screens/check/results/values.ts';
import { failureOf, isMuted, newestByRegion, sinceOf, checkStateOf } from '../../../console/screens/check/state.ts';
import { regionsOf, targetOf } from '../../../console/screens/check/target.ts';

const test = suite('the check screen of the console');

type Check = Parameters<typeof targetOf>[0];
type Result = Parameters<typeof failureOf>[0][number];

const check = (fields: Partial<Check>): Check =>
  ({ parameters: {}, url: null, host: null, port: null, ...fields }) as Check;
const result = (region: string, fields: Partial<Result> = {}): Result =>
  ({ status: 'ok', error_message: null, suspect: false, check_server: { region }, ...fields }) as Result;

test('the check screen shows the target in one line for every check type', () => {
  const url = 'https://shop.example/';
  const host = 'shop.example';
  assert.is(targetOf(check({ type: 'web', url })), `GET ${url}`);
  assert.is(targetOf(check({ type: 'api', url, parameters: { http_request: { method: 'POST' } } })), `POST ${url}`);
  assert.is(targetOf(check({ type: 'web', url, parameters: { http_request: [] } })), `GET ${url}`);
  assert.is(targetOf(check({ type: 'tcp', host, port: 22 })), 'tcp shop.example:22');
  assert.is(targetOf(check({ type: 'dns', host, parameters: { record_type: 'MX' } })), 'MX shop.example');
  assert.is(targetOf(check({ type: 'multistep' })), 'multistep');
  assert.equal(regionsOf(check({ parameters: { regions: ['EU, West', 4] } })), ['EU, West']);
  assert.equal(regionsOf(check({ parameters: { regions: 'EU, West' } })), []);
});

test('the check screen shows the state of a check and the time when that state began', () => {
  const history = [
    { status: 'down' as const, started_at: '2026-11-20T12:00:00', ended_at: null },
    { status: 'up' as const, started_at: '2026-11-20T10:00:00', ended_at: '2026-11-20T12:00:00' },
  ];
  assert.is(checkStateOf({ active: false, status: 'down' }), 'paused');
  assert.is(checkStateOf({ active: true, status: 'down' }), 'down');
  assert.is(sinceOf({ active: true, status: 'down' }, history), '2026-11-20T12:00:00');
  assert.is(sinceOf({ active: true, status: 'up' }, history), null);
  assert.is(sinceOf({ active: false, status: 'down' }, history), null);
  const now = Date.parse('2026-11-20T12:00:00Z');
  assert.is(isMuted({ muted_until: null }, now), false);
  assert.is(isMuted({ muted_until: '2026-11-20T11:59:59.000000' }, now), false);
  assert.is(isMuted({ muted_until: '2026-11-20T12:00:01.000000' }, now), true);
});

test('the check screen shows the error message of a failing check from the newest result of a failing region', () => {
  const results = [
    result('EU, West'),
    result('RU, Moscow', { status: 'down', error_message: 'a lost network', suspect: true }),
    result('RU, Moscow', { status: 'down', error_message: 'refused' }),
    result('EU, West', { status: 'failed', error_message: 'long ago' }),
  ];
  assert.is(failureOf(results), 'refused');
  assert.equal([...newestByRegion(results).keys()], ['EU, West', 'RU, Moscow']);
  assert.is(failureOf(results.slice(0, 1)), null);
  assert.is(failureOf([]), null);
});

test('the check screen accepts metadata in any format', () => {
  for (const value of [null, undefined, 'text', 4, true, [1], []]) assert.equal(fieldsOf(value), {});
  assert.equal(rowsOf([{ a: 1 }, null, 'text', [2]]), [{ a: 1 }]);
  assert.equal(rowsOf({ length: 2 }), []);
  assert.equal(textsOf(['a', '', null, 3, {}, false]), ['a', '3', 'false']);
  assert.equal([textOf(''), textOf({}), textOf(0)], [null, null, '0']);
  assert.equal([numberOf('3'), numberOf(Number.NaN), numberOf(3)], [null, null, 3]);
});

test('the check screen shows only http and https URLs as links', () => {
  assert.is(linkOf('https://shop.example/a b'), 'https://shop.example/a%20b');
  assert.is(linkOf('HTTP://shop.example'), 'http://shop.example/');
  for (const address of [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,<script>',
    'blob:https://shop.example/1',
    '//shop.example',
    '/relative',
    'vbscript:1',
    'ftp://shop.example',
  ])
    assert.is(linkOf(address), null, address);
});

test('the check screen loads files only from the service of the console, also below the path prefix of a proxy', () => {
  const service = new URL('https://status.example/monitoring/');
  const path = 'v1/artifacts/a-1?token=abc.def-g_h';
  const own = `https://status.example/monitoring/${path}`;
  assert.is(artifactAddress(`/${path}`, service), own);
  assert.is(artifactAddress(`https://elsewhere.example/${path}`, service), own);
  assert.is(artifactAddress(`https://elsewhere.example/prefix/${path}`, service), own);
  for (const link of [
    'javascript:/v1/artifacts/a?token=1',
    'https://elsewhere.example/picture.png',
    '/v1/artifacts/../users?token=1',
    '/v1/artifacts/a?token=1#x',
    '/v1/artifacts/a',
    `/${path}"><script>`,
    '',
  ])
    assert.is(artifactAddress(link, service), null, link);
  assert.equal(['image/png', 'image/svg+xml', 'video/webm', 'text/html', 'image/png;charset=x', ''].map(kindOf), [
    'picture',
    'other',
    'video',
    'other',
    'picture',
    'other',
  ]);
});

test('the history of a check lists each changed field', () => {
  const changes = {
    interval: { old: 60, new: 300 },
    tags: { old: ['eu'], new: ['eu', 'us'] },
    parameters: { old: { a: { b: 1, c: 2 }, d: 'x' }, new: { a: { b: 1, c: 3 }, e: '' } },
    url: { old: null, new: 'https://shop.example/' },
  };
  assert.equal(
    changedFields(changes).map(({ field, before, after }) => [field, before, after]),
    [
      ['interval', '60', '300'],
      ['tags', '["eu"]', '["eu","us"]'],
      ['parameters.a.c', '2', '3'],
      ['parameters.d', 'x', '–'],
      ['parameters.e', '–', '""'],
      ['url', '–', 'https://shop.example/'],
    ],
  );
});

test('the check screen shows the results of an on-demand run by region', () => {
  const one = { result_id: 'r', region: 'EU, West', status: 'ok' as const, response_time: 3, error_message: null };
  assert.equal(outcomesOf({ result: one }), [one]);
  assert.equal(outcomesOf({ result: null }), []);
  const several = { execution_group_id: 'g', regional_summary: [one] };
  assert.equal(outcomesOf({ result: several as never }), [one]);
});

test.run();
