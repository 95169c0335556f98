import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../../../cli/import-from/uptimerobot/source.ts';
import { OperatorError } from '../../../../service/operator-error.ts';
import { imported } from './importing.ts';

const test = suite('import from UptimeRobot');

const MONITORS = {
  stat: 'ok',
  monitors: [
    {
      id: 1,
      friendly_name: 'Shop',
      url: 'https://shop.example.com',
      type: 1,
      interval: 300,
      timeout: 30,
      status: 2,
      http_method: 2,
      http_username: 'u',
      http_password: 'hunter2',
      custom_http_headers: { 'X-A': 'b' },
      custom_http_statuses: '404:1_500:0',
      alert_contacts: [
        { id: '7', type: 2, value: 'ops@example.com', threshold: 10, recurrence: 0 },
        { id: '8', type: 4, value: 'x' },
      ],
    },
    {
      id: 2,
      friendly_name: 'Bad word',
      url: 'https://shop.example.com',
      type: 2,
      keyword_type: 1,
      keyword_value: 'Error',
      keyword_case_type: 1,
      interval: 60,
      status: 0,
    },
    {
      id: 3,
      friendly_name: 'Good word',
      url: 'https://shop.example.com',
      type: 2,
      keyword_type: 2,
      keyword_value: 'Welcome',
      interval: 60,
      http_method: 1,
    },
    { id: 4, friendly_name: 'Host', url: '192.0.2.1', type: 3, interval: 60 },
    { id: 5, friendly_name: 'Mail', url: 'mail.example.com', type: 4, sub_type: 4, interval: 60 },
    { id: 6, friendly_name: 'Game', url: 'game.example.com', type: 4, sub_type: 99, port: '7777', interval: 30 },
    { id: 7, friendly_name: 'Job', url: 'abc', type: 5, interval: 86400 },
    { id: 8, friendly_name: 'Job', url: '', type: 42 },
  ],
};

test('a response of getMonitors gives checks, heartbeats, channels and rules', () => {
  const { configuration, unmapped } = imported('monitors.json', JSON.stringify(MONITORS));
  const checks = Object.fromEntries((configuration.checks ?? []).map((check) => [check.name, check]));
  assert.equal(checks['Shop'], {
    name: 'Shop',
    type: 'web',
    url: 'https://shop.example.com',
    parameters: {
      http_request: { headers: { 'X-A': 'b' }, username: 'u', password: 'hunter2' },
      assertions: { status_codes: ['200-399', 404] },
    },
    interval: 300,
    timeout: 30,
    active: true,
    tags: [],
  });
  assert.equal(checks['Bad word']?.['parameters'], { assertions: { search_text_absent: 'Error' } });
  assert.is(checks['Bad word']?.['active'], false);
  assert.equal(checks['Good word']?.['parameters'], { search_text: 'Welcome' });
  assert.equal([checks['Host']?.type, checks['Host']?.['host']], ['icmp', '192.0.2.1']);
  assert.equal([checks['Mail']?.type, checks['Mail']?.['port']], ['tcp', 25]);
  assert.equal([checks['Game']?.type, checks['Game']?.['port']], ['tcp', 7777]);
  assert.equal(
    configuration.heartbeats?.map(({ name, ...rest }) => [name, rest['period_seconds']]),
    [['Job', 86400]],
  );
  assert.equal(
    configuration.rules?.map(({ check, confirmations, channels }) => [check, confirmations, channels]),
    [['Shop', 3, ['E-mail ops@example.com']]],
  );
  assert.not.match(unmapped.join('\n'), /hunter2/);
  assert.match(unmapped.join('\n'), /Alert contacts of the types 4 were not imported/);
  assert.match(unmapped.join('\n'), /"Job": was not imported, because the type "42" is not known/);
});

test('an export as CSV is read by the titles of its columns', () => {
  const csv = [
    '\ufeffType,Friendly Name,URL/IP,Interval,Keyword Type,Keyword Value,Port,Status,Tags',
    'HTTP(s),"Shop, main",https://shop.example.com,5 min,,,,Up,"Prod, EU"',
    'Keyword,Word,https://shop.example.com,300,Not Exists,Welcome,,Paused,',
    'Keyword,Bad,https://shop.example.com,1,Exists,Error,,Up,',
    'Port,DB,db.example.com,60,,,5432,Up,',
    'Ping,Host,192.0.2.1,60,,,,Up,',
    'Heartbeat,Job,,1d,,,,Up,',
    '=HYPERLINK(1),=cmd(),x,60,,,,,',
  ].join('\r\n');
  const { configuration, unmapped } = imported('monitors.csv', csv);
  assert.equal(
    configuration.checks?.map(({ name, type, interval, active, parameters, tags }) => [
      name,
      type,
      interval,
      active,
      parameters,
      tags,
    ]),
    [
      ['Shop, main', 'web', 300, true, {}, ['prod', 'eu']],
      ['Word', 'web', 300, false, { search_text: 'Welcome' }, []],
      ['Bad', 'web', 60, true, { assertions: { search_text_absent: 'Error' } }, []],
      ['DB', 'tcp', 60, true, {}, []],
      ['Host', 'icmp', 60, true, {}, []],
    ],
  );
  assert.is(configuration.heartbeats?.[0]?.['period_seconds'], 86_400);
  assert.match(unmapped.join('\n'), /contains no addresses of alert contacts/);
});

test('a CSV has one delimiter, so that its texts can contain others', () => {
  const { configuration, unmapped } = imported(
    'monitors.csv',
    [
      '"Type, kind";Friendly Name;URL/IP;Interval;Type;Keyword Value;Keyword Type;Tags',
      ';Shop, main;https://shop.example.com/?a=1,2;60;Keyword;Hello, you;Not Exists;eu, prod',
      ';Bad;https://shop.example.com;60;Keyword;a;b;Exists;eu',
    ].join('\n'),
  );
  assert.equal(
    configuration.checks?.map(({ name, url, parameters, tags }) => [name, url, parameters, tags]),
    [['Shop, main', 'https://shop.example.com/?a=1,2', { search_text: 'Hello, you' }, ['eu', 'prod']]],
  );
  assert.match(unmapped.join('\n'), /^Line 3 of monitors\.csv was left out, because it has more cells than line 1\./m);
});

test('a monitor without a name gets its address without credentials', () => {
  const monitor = { url: 'https://me:hunter2@a.example/x', friendly_name: 'https://me:hunter2@a.example/x', type: 1 };
  const files = [
    ['monitors.json', JSON.stringify([monitor])],
    ['monitors.csv', 'Type,Name,URL\nHTTP,,https://me:hunter2@a.example/x\nHTTP,,me:hunter2@b.example/x\n'],
  ] as const;
  for (const [name, text] of files) {
    const { configuration, unmapped } = imported(name, text);
    assert.is(configuration.checks?.[0]?.name, 'https://a.example/x');
    assert.ok((configuration.checks ?? []).slice(1).every((check) => check.name === 'b.example/x'));
    assert.equal((configuration.checks?.[0]?.['parameters'] as { http_request: object }).http_request, {
      username: 'me',
      password: 'hunter2',
    });
    assert.not.match(unmapped.join('\n'), /hunter2/);
  }
});

test('status codes that count as down are not accepted', () => {
  const codesOf = (custom: object) => {
    const { configuration, unmapped } = imported(
      'monitors.json',
      JSON.stringify([{ friendly_name: 'A', url: 'https://a.example', type: 1, ...custom }]),
    );
    const { assertions } = configuration.checks?.[0]?.['parameters'] as { assertions?: { status_codes: unknown } };
    return {
      codes: assertions?.status_codes,
      remarks: unmapped.filter((sentence) => sentence.includes('status codes')),
    };
  };
  assert.equal(codesOf({ custom_http_statuses: '301:0' }), { codes: ['200-300', '302-399'], remarks: [] });
  assert.equal(codesOf({ custom_http_statuses: '200:0_404:1_401:1_402:1' }).codes, ['201-399', '401-402', 404]);
  assert.equal(codesOf({ custom_http_statuses: { up: [404], down: ['3xx', 204] } }).codes, ['200-203', '205-299', 404]);
  assert.is(codesOf({ custom_http_statuses: '500:0' }).codes, undefined);
  assert.equal(codesOf({ successHttpResponseCodes: ['2xx', '3xx'] }).codes, ['200-399']);
  const { codes, remarks } = codesOf({ custom_http_statuses: '999:1' });
  assert.equal(codes, ['200-399']);
  assert.match(remarks[0] ?? '', /^"A": accepts only .* none above 599/);
});

test('other files are refused with a sentence that names the file', () => {
  for (const text of [
    '{"monitors":[]}',
    '{',
    '[]',
    '[1,2]',
    'a,b\n1,2',
    '',
    'Type,URL\n"HTTP',
    '{"checks":[{"name":"x"}]}',
  ]) {
    try {
      read([{ name: 'x.file', text }]);
      assert.unreachable(text);
    } catch (error) {
      assert.instance(error, OperatorError, `${text}: ${String(error)}`);
      assert.match((error as Error).message, /^x\.file: /);
    }
  }
});

test('an entry that is no monitor is left out with its position, and the others are imported', () => {
  const monitors = [{}, { friendly_name: 'Host', type: 3, url: '192.0.2.1' }, null];
  const { configuration, unmapped } = imported('monitors.json', JSON.stringify({ monitors }));
  assert.equal(
    configuration.checks?.map(({ name }) => name),
    ['Host'],
  );
  assert.match(unmapped.join('\n'), /^The monitor 1 of monitors\.json was left out, because it has neither/m);
  assert.match(unmapped.join('\n'), /^The monitor 3 of monitors\.json was left out/m);
});

test.run();
