import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NoPast } from '../../console/api/failure.ts';
import { countUntil, isLater } from '../../console/past/moment-order.ts';
import { isAboutPast, pastRequest } from '../../console/past/past-request.ts';
import { historyAt } from '../../console/router/histories.ts';
import { screenAt } from '../../console/router/screens.ts';

const test = suite('past states of the console');

const ID = 'x4w8b2h7t1zq';
const AT = '2026-11-20T15:01:00.000000';

test('screens of resources have the history of their resource', () => {
  const check = { kind: 'resource', resource: `v1/checks/${ID}` };
  assert.equal(historyAt(`/checks/${ID}`), check);
  const page = { kind: 'resource', resource: `v1/pages/${ID}` };
  assert.equal(historyAt(`/pages/${ID}`), page);
  assert.equal(historyAt(`/pages/${ID}/subscribers`), page);
  assert.equal(historyAt(`/pages/${ID}/incidents/${ID}`), {
    kind: 'resource',
    resource: `v1/pages/${ID}/incidents/${ID}`,
  });
  assert.equal(historyAt('/people'), { kind: 'list', resource: '/people', types: ['user'] });
});

test('forms and other screens have no history', () => {
  for (const path of [
    '/',
    '/checks',
    '/checks/new',
    `/checks/${ID}/edit`,
    '/alerts',
    '/alerts/rules/new',
    `/pages/${ID}/incidents/new`,
    '/nowhere',
  ])
    assert.is(historyAt(path), null, path);
});

test('every path with a history leads to a screen', () => {
  for (const path of ['/people', '/groups', '/alerts/rules', `/alerts/channels/${ID}`, `/reports/${ID}`])
    assert.ok(historyAt(path) && screenAt(path), path);
});

test('a request for a past state of a resource has the moment as a parameter', () => {
  const parts = { params: { check_id: ID }, query: { include_uptime: true } };
  assert.equal(pastRequest('GET /v1/checks/{check_id}', parts, AT), {
    params: { check_id: ID },
    query: { include_uptime: true, at: `${AT}Z` },
  });
});

test('a request for past measurements ends at the moment, or at the requested end if that is earlier', () => {
  const operation = 'GET /v1/checks/{check_id}/results';
  assert.equal(pastRequest(operation, {}, AT), { query: { end_date: `${AT}Z` } });
  const later = { query: { end_date: '2026-11-21T00:00:00Z' } };
  assert.equal(pastRequest(operation, later, AT), { query: { end_date: `${AT}Z` } });
  const earlier = { query: { end_date: '2026-11-19T00:00:00Z' } };
  assert.equal(pastRequest(operation, earlier, AT), earlier);
});

test('a request that changes something, or that cannot return past states, is not sent in the view of a past state', () => {
  for (const operation of [
    'PATCH /v1/checks/{check_id}',
    'POST /v1/alerts/rules/simulate',
    'GET /v1/users/{user_id}/sessions',
  ] as const) {
    assert.not(isAboutPast(operation), operation);
    assert.throws(
      () => pastRequest(operation, {}, AT),
      (error: unknown) => error instanceof NoPast,
    );
  }
});

test('moments are compared correctly if they have different numbers of digits', () => {
  const moments = ['2026-11-20T15:01:00.000000', '2026-11-20T15:01:00.500000', '2026-11-20T15:02:00.000000'];
  assert.is(countUntil(moments, '2026-11-20T15:00'), 0);
  assert.is(countUntil(moments, '2026-11-20T15:01'), 1);
  assert.is(countUntil(moments, '2026-11-20T15:01:00.5'), 2);
  assert.is(countUntil(moments, '2026-11-21'), 3);
  assert.not(isLater('2026-11-20T15:01', moments[0]));
  assert.ok(isLater('2026-11-20T15:01:01', moments[1]));
  assert.not(isLater('2026-11-20T15:01:01', undefined));
});

test.run();
