import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../../../cli/import-from/uptimerobot/source.ts';
import { imported } from './importing.ts';

const test = suite('import from version 3 of the API of UptimeRobot');

test('the list of monitors of version 3 of the API is read, page by page', () => {
  const page = (...monitors: object[]) => ({ nextLink: null, data: monitors });
  const { configuration } = imported(
    'v3.json',
    JSON.stringify([
      page({
        id: 1,
        friendlyName: 'A',
        url: 'https://a.example',
        type: 'HTTP',
        httpMethodType: 'HEAD',
        interval: 60,
        status: 'PAUSED',
        successHttpResponseCodes: ['2xx', '401'],
        followRedirections: false,
        tags: [{ name: 'Prod EU' }],
      }),
      page({
        id: 2,
        friendlyName: 'B',
        url: 'https://b.example',
        type: 'KEYWORD',
        keywordType: 'ALERT_NOT_EXISTS',
        keywordValue: 'x',
        interval: 60,
        status: 'UP',
      }),
    ]),
  );
  assert.equal(
    configuration.checks?.map(({ name, active, parameters, tags }) => [name, active, parameters, tags]),
    [
      [
        'A',
        false,
        { http_request: { method: 'HEAD' }, follow_redirects: false, assertions: { status_codes: ['200-299', 401] } },
        ['prod-eu'],
      ],
      ['B', true, { search_text: 'x' }, []],
    ],
  );
});

/** Imports one monitor of version 3 of the API. Returns its check and the sentences about it. */
const importMonitor = (monitor: object) => {
  const entry = { friendlyName: 'A', url: 'https://a.example/', type: 'HTTP', interval: 60, status: 'UP', ...monitor };
  const { configuration, unmapped } = imported('v3.json', JSON.stringify({ data: [entry] }));
  const [check] = configuration.checks ?? [];
  const remarks = unmapped.filter((sentence) => sentence.startsWith('"A": '));
  return { check, parameters: check?.['parameters'] as Record<string, unknown>, remarks: remarks.join('\n') };
};

test('assertions of an API monitor become those of a web check, or the check is paused', () => {
  const importChecks = (logic: string, ...checks: object[]) =>
    importMonitor({ type: 'API', httpMethodType: 'HEAD', config: { apiAssertions: { logic, checks } } });
  const all = importChecks(
    'AND',
    { property: '$.status', comparison: 'equals', target: 'ok' },
    { property: '$.queue', comparison: 'less_than', target: 100 },
    { property: '$.error', comparison: 'is_null' },
    { property: 'response_body', comparison: 'contains', target: 'ready' },
    { property: 'response_body', comparison: 'not_contains', target: 'broken' },
  );
  assert.is(all.check?.['active'], true);
  assert.is(all.remarks, '');
  assert.equal(all.parameters, {
    search_text: 'ready',
    assertions: {
      search_text_absent: 'broken',
      json: [
        { path: '$.status', operator: 'equals', value: 'ok' },
        { path: '$.queue', operator: 'less_than', value: 100 },
        { path: '$.error', operator: 'equals', value: null },
      ],
    },
  });
  const status = { property: '$.status', comparison: 'equals', target: 'ok' };
  for (const { check, remarks } of [
    importChecks('OR', status, status),
    importChecks('AND', status, { property: '$.status', comparison: 'not_contains', target: 'x' }),
    importChecks('AND', status, { property: 'header.server', comparison: 'equals', target: 'x' }),
    importChecks('AND'),
  ]) {
    assert.is(check?.['active'], false);
    assert.match(remarks, /was imported paused without some assertions/);
  }
});

test('records of a DNS monitor become the expected answers of a dns check', () => {
  const { check, parameters, remarks } = importMonitor({
    type: 'DNS',
    url: 'a.example',
    config: { dnsRecords: { A: [], MX: ['0 mail.a.example.'], TXT: ['x'], SPF: ['y'] } },
  });
  assert.is(check?.['host'], 'a.example');
  assert.equal(parameters, {
    record_type: 'MX',
    expected_answers: ['0 mail.a.example.'],
    validation_mode: 'exact',
  });
  assert.match(remarks, /Create a check for each other type: TXT\./);
  assert.match(remarks, /does not look up records of the types SPF\./);
});

test('a body is sent with the content type of its kind, and a token as a header', () => {
  const requestOf = (monitor: object) =>
    importMonitor({ httpMethodType: 'POST', ...monitor }).parameters['http_request'];
  assert.equal(requestOf({ postValueType: 'KEY_VALUE', postValueData: { a: 'b c', d: 1 } }), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'a=b+c&d=1',
  });
  assert.equal(requestOf({ postValueType: 'RAW_JSON', postValueData: '{"a":1}' }), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"a":1}',
  });
  const own = { 'content-type': 'text/csv' };
  assert.equal(requestOf({ postValueData: 'a,b', customHttpHeaders: own, authType: 'BEARER', httpPassword: 'token' }), {
    method: 'POST',
    headers: { Authorization: 'Bearer token', 'content-type': 'text/csv' },
    body: 'a,b',
  });
});

test('reminders, slow responses and versions of IP become conditions or sentences', () => {
  const { parameters, remarks } = importMonitor({
    checkSSLErrors: false,
    sslExpirationReminder: true,
    domainExpirationReminder: true,
    responseTimeThreshold: 500,
    successHttpResponseCodes: ['200-204', '3xx'],
    config: { ipVersion: 'ipv4Only', sslExpirationPeriodDays: [30, 3, 14] },
  });
  assert.equal(parameters['assertions'], { status_codes: ['200-204', '300-399'], min_certificate_days: 3 });
  for (const expected of [
    'ignores errors of certificates',
    'valid for less than 3 days',
    'before its domain expires',
    'slower than 500 ms',
    'requires a version of IP',
  ])
    assert.ok(remarks.includes(expected), expected);
  assert.equal(importMonitor({ type: 'PING', config: { ipVersion: 'ipv6Only' } }).parameters, { ip_version: 'v6' });
  assert.match(importMonitor({ type: 'UDP', url: 'a.example', port: 53 }).remarks, /portscan check with scan_type udp/);
});

test('a monitor that several files contain is imported once, with the settings and contacts of all', () => {
  const entry = { id: 7, url: 'https://a.example/', interval: 60 };
  const contact = { id: '1', type: 2, value: 'ops@example.com', threshold: 0 };
  const second = { monitors: [{ ...entry, friendly_name: 'A', type: 1, alert_contacts: [contact] }] };
  const third = {
    data: [
      { ...entry, friendlyName: 'A', type: 'API', config: { apiAssertions: { logic: 'AND', checks: [] } } },
      { ...entry, id: 8, friendlyName: 'A', type: 'HTTP' },
    ],
  };
  const files = [second, third].map((content, index) => ({ name: `${index}.json`, text: JSON.stringify(content) }));
  for (const list of [files, [...files].reverse(), [...files, ...files]]) {
    const { configuration } = read(list);
    assert.equal(configuration.checks?.map(({ name, active }) => [name, active]).sort(), [
      ['A (2)', true],
      ['A', false],
    ]);
    assert.equal(
      configuration.rules?.map(({ check, channels }) => [check, channels]),
      [['A', ['E-mail ops@example.com']]],
    );
  }
});

test('names and addresses in which characters of HTML are escaped are decoded', () => {
  const { check } = importMonitor({ friendlyName: 'R&amp;D &quot;x&quot;', url: 'https://a.example/?a=1&amp;b=2' });
  assert.equal([check?.name, check?.['url']], ['R&D "x"', 'https://a.example/?a=1&b=2']);
});

test.run();
