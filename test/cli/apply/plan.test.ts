import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyPlan } from '../../../cli/apply/execute.ts';
import { planConfiguration, type Plan } from '../../../cli/apply/plan.ts';
import { showPlan, showReport, stepLines } from '../../../cli/apply/show.ts';
import { InvalidConfiguration } from '../../../cli/configuration/paths.ts';
import type { Configuration } from '../../../cli/configuration/model.ts';
import { fakeService, storedAs } from './fake-service.ts';

const test = suite('plans of configurations');

const group = (id: string, name: string, others: object = {}) =>
  storedAs(id, { name, description: null, color: null, active: true, position: 1, ...others });

const check = (id: string, name: string, others: object = {}) =>
  storedAs(id, {
    name,
    type: 'icmp',
    active: true,
    interval: 60,
    timeout: 10,
    host: 'a.example',
    url: null,
    port: null,
    parameters: {},
    tags: [],
    secrets: [],
    group_id: null,
    position: null,
    ...others,
  });

const actionsOf = ({ steps }: Plan): string[] => steps.map(({ action, label }) => `${action} ${label}`);

const linesOf = async (plan: Plan): Promise<string> => {
  const lines: string[] = [];
  const line = async (text: string): Promise<void> => void lines.push(text);
  await showPlan(plan, { json: false }, { line, terminal: false });
  return lines.join('\n');
};

const problemsOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
  } catch (error) {
    assert.instance(error, InvalidConfiguration);
    return (error as Error).message;
  }
  throw new Error('The configuration is valid.');
};

const ICMP = { type: 'icmp', host: 'a.example', interval: 60 };

test('an absent field gets its default, or stays as it is if that is requested', async () => {
  const { client } = fakeService({ '/v1/checks': [check('1', 'A', { timeout: 5 })] });
  const configuration: Configuration = { checks: [{ name: 'A', ...ICMP }] };
  const [step] = (await planConfiguration(client, configuration)).steps;
  assert.equal(step?.fields, { timeout: 10 });
  assert.is(step?.current?.revision, 7);
  assert.equal((await planConfiguration(client, configuration, { absentFields: 'unchanged' })).steps, []);
});

test('created objects are marked, and references become ids', async () => {
  const { client, sent } = fakeService();
  const plan = await planConfiguration(client, {
    check_groups: [{ name: 'Shop' }],
    checks: [{ name: 'A', group: 'Shop', ...ICMP }],
    channels: [{ name: 'Mail', type: 'email', configuration: { recipients: ['a@example.com'] } }],
    rules: [{ name: 'Down', check: 'A', condition: 'check_failed', channels: ['Mail'] }],
  });
  const report = await applyPlan(client, plan);
  assert.equal(report.failures, []);
  assert.is(report.created.length, 4);
  assert.equal(
    sent.map(({ path, body }) => [path, body]),
    [
      ['/v1/check-groups', { name: 'Shop', managed_by: 'apply' }],
      ['/v1/checks/bulk', { create: [{ name: 'A', ...ICMP, group_id: 'made1', managed_by: 'apply' }] }],
      [
        '/v1/alerts/channels',
        { name: 'Mail', type: 'email', configuration: { recipients: ['a@example.com'] }, managed_by: 'apply' },
      ],
      [
        '/v1/alerts/rules',
        {
          name: 'Down',
          condition: 'check_failed',
          condition_parameters: {},
          multi_region_threshold: null,
          check_id: 'made2',
          channel_ids: ['made3'],
          managed_by: 'apply',
        },
      ],
    ],
  );
});

test('pruning deletes only marked objects that the configuration lacks, at the revision that the plan saw', async () => {
  const { client, sent } = fakeService({
    '/v1/check-groups': [
      group('1', 'Stays', { managed_by: 'apply' }),
      group('2', 'By hand', { managed_by: null }),
      group('3', 'Of an import', { managed_by: 'import' }),
      group('4', 'Old', { managed_by: 'apply' }),
    ],
  });
  const configuration = { check_groups: [{ name: 'Stays' }] };
  assert.equal(actionsOf(await planConfiguration(client, configuration)), []);
  const plan = await planConfiguration(client, configuration, { prune: true });
  assert.equal(actionsOf(plan), ['delete check group "Old"']);
  await applyPlan(client, plan);
  assert.equal(sent, [{ method: 'DELETE', path: '/v1/check-groups/4', body: undefined, revision: 7 }]);
});

test('a deletion names what stays without a group, and what is deleted with a page', async () => {
  const mark = { managed_by: 'apply' };
  const { client } = fakeService({
    '/v1/check-groups': [group('1', 'Old', mark), group('2', 'Kept', mark)],
    '/v1/checks': [
      check('3', 'By hand', { group_id: '1' }),
      check('4', 'Goes', { group_id: '1', ...mark }),
      check('5', 'Moves', { group_id: '1' }),
    ],
    '/v1/pages': [storedAs('6', { name: 'Acme', subdomain: 'acme', ...mark })],
    '/v1/pages/6/components': [storedAs('7', { name: 'Cart', page_id: '6', group: false, ...mark })],
    '/v1/pages/6/incidents': [storedAs('8', {}), storedAs('9', {})],
  });
  const configuration = {
    check_groups: [{ name: 'Kept' }],
    checks: [{ name: 'Moves', group: 'Kept', ...ICMP }],
  };
  const plan = await planConfiguration(client, configuration, { prune: true });
  const text = await linesOf(plan);
  assert.match(text, '- check group "Old"\n    1 check in it stays without a group: "By hand"\n');
  assert.match(text, '- page "Acme"\n    deleted with it: 1 component, 2 incidents, 0 subscribers\n');
});

test('pruning is refused if the files contain no object', async () => {
  const { client } = fakeService({ '/v1/check-groups': [group('1', 'Old', { managed_by: 'apply' })] });
  const sentence = 'Nothing to apply: the files contain no object; --prune would delete 1 object.';
  const outcome = await planConfiguration(client, { checks: [] }, { prune: true }).catch((error: unknown) => error);
  assert.is((outcome as Error).message, sentence);
});

test('a check that moves to another group keeps its identity, and `formerly` renames an object', async () => {
  const { client } = fakeService({
    '/v1/check-groups': [group('1', 'Old')],
    '/v1/checks': [check('2', 'A', { group_id: '1', position: 1 }), check('3', 'B')],
  });
  const plan = await planConfiguration(client, {
    check_groups: [{ name: 'New', formerly: 'Old' }],
    checks: [
      { name: 'A', ...ICMP },
      { name: 'C', formerly: 'B', ...ICMP },
    ],
  });
  assert.equal(actionsOf(plan), ['change check group "New"', 'change check "A"', 'change check "C"']);
  assert.equal(
    plan.steps.map(({ fields }) => fields),
    [{ name: 'New' }, { group: null }, { name: 'C' }],
  );
});

const host = (name: string) => ({ type: 'icmp', interval: 60, host: `${name}.example` });

/** Returns the ids and names of the checks that the entries become. Each check of the service has the host of its name. */
const renamings = async (existing: readonly string[], entries: readonly [string, string?, string?][]) => {
  const stored = existing.map((name, n) => check(String(n + 1), name, host(name)));
  const { client } = fakeService({ '/v1/checks': stored });
  const { steps } = await planConfiguration(client, {
    checks: entries.map(([name, formerly, of = name]) => ({ name, ...host(of), ...(formerly && { formerly }) })),
  });
  return steps.map(({ name, current, fields }) => `${current?.name ?? 'new'} → ${name}: ${Object.keys(fields).join()}`);
};

test('chains of new names are followed, whether they are new or applied already', async () => {
  const chain: [string, string, string][] = [
    ['B', 'A', 'A'],
    ['C', 'B', 'B'],
  ];
  assert.equal(await renamings(['A', 'B'], chain), ['A → B: name', 'B → C: name']);
  assert.equal(await renamings(['A', 'C'], chain), ['A → B: name', 'C → C: host']);
  assert.equal(
    await renamings(
      ['B', 'C'],
      chain.map(([name, formerly]) => [name, formerly]),
    ),
    [],
  );
});

test('swapped names are those of the entries that differ least', async () => {
  const swap = (a: string, b: string): [string, string, string][] => [
    ['A', 'B', a],
    ['B', 'A', b],
  ];
  assert.equal(await renamings(['A', 'B'], swap('B', 'A')), ['B → A: name', 'A → B: name']);
  assert.equal(await renamings(['A', 'B'], swap('A', 'B')), []);
  assert.equal(await renamings(['A', 'B'], swap('A', 'X')), ['B → B: host']);
  assert.match(await problemsOf(renamings(['A', 'B'], swap('X', 'Y'))), /^checks\[0\].formerly: The check "B" cannot/);
});

test('an ambiguous new name is refused with both names', async () => {
  assert.is(
    await problemsOf(renamings(['A', 'B'], [['B', 'A']])),
    'checks[0].formerly: The check "A" cannot be renamed to check "B": Objects with both names exist. Rename or delete one of them, or remove "formerly".',
  );
  assert.match(await problemsOf(renamings(['A'], [['A'], ['B', 'A']])), 'The files contain the old name, too.');
  assert.equal(await renamings(['A', 'B'], [['A'], ['B', 'A']]), []);
  assert.match(
    await problemsOf(
      renamings(
        ['A'],
        [
          ['B', 'A'],
          ['C', 'A'],
        ],
      ),
    ),
    /checks\[1\].formerly: .*Several entries would be the check "A"/,
  );
});

test('objects of the service with the same name are told apart by their numbers, oldest first', async () => {
  const { client } = fakeService({ '/v1/check-groups': [group('1', 'A'), group('2', 'A'), group('3', 'A (2)')] });
  const plan = await planConfiguration(client, { check_groups: [{ name: 'A (3)', color: '#000000' }] });
  assert.equal(
    plan.steps.map(({ current, fields }) => [current?.id, fields]),
    [['2', { name: 'A (3)', color: '#000000' }]],
  );
});

test('an unknown or ambiguous reference is reported with its path', async () => {
  const { client } = fakeService();
  const problems = await problemsOf(
    planConfiguration(client, {
      check_groups: [{ name: 'G' }],
      checks: [
        { name: 'A', ...ICMP },
        { name: 'A', group: 'G', ...ICMP },
        { name: 'B', group: 'Absent', ...ICMP },
      ],
      rules: [{ name: 'R', check: 'A', condition: 'check_failed', channels: ['C'] }],
    }),
  );
  assert.equal(problems.split('\n'), [
    'checks[2].group: No check group is named "Absent".',
    'rules[0].check: Several checks are named "A". Refer to one by { group: …, name: … }.',
    'rules[0].channels[0]: No channel is named "C".',
  ]);
});

test('line feeds and control characters in names forge no lines', async () => {
  const name = 'A\n- page "Acme"\u001b[2K';
  const { client } = fakeService();
  const plan = await planConfiguration(client, { check_groups: [{ name }] });
  const label = String.raw`check group "A\n- page "Acme"\u001b[2K"`;
  const [first] = (await linesOf(plan)).split('\n');
  assert.is(first, `+ ${label}`);
  const [step] = plan.steps;
  assert.equal(step && stepLines(step, 'Is bad:\n- x'), [String.raw`! ${label}: Is bad:\n- x`]);
  const lines: string[] = [];
  const report = { ...(await applyPlan(client, plan)), conflicts: [step?.label ?? ''] };
  await showReport(report, { line: async (text) => void lines.push(text), terminal: false });
  assert.is(lines.at(-1), `  ${label}`);
  const problems = await problemsOf(planConfiguration(client, { check_groups: [{ name }, { name }] }));
  assert.is(problems.split('\n').length, 1);
});

test('a plan never shows secret values', async () => {
  const { client } = fakeService({
    '/v1/secrets': [storedAs('1', { secret_name: 'TOKEN', secret_value: 'old-s3cret' })],
    '/v1/checks': [
      check('2', 'A', {
        type: 'web',
        host: null,
        url: 'https://old-s3cret.example/',
        parameters: { http_request: { password: 'old-s3cret' } },
      }),
    ],
  });
  const url = 'https://new-s3cret.example/';
  const plan = await planConfiguration(
    client,
    {
      secrets: [{ name: 'TOKEN', value: 'new-s3cret' }],
      checks: [{ name: 'A', type: 'web', url, interval: 60, parameters: { http_request: { password: 'new-s3cret' } } }],
      channels: [{ name: 'Hook', type: 'webhook', configuration: { url: 'https://hooks.example/s3cret' } }],
    },
    { secretTexts: new Set([url]) },
  );
  const text = await linesOf(plan);
  assert.not.match(text, 's3cret');
  assert.match(text, 'parameters.http_request.password: (secret) → (secret)');
});

test('a value that the service shows to nobody counts as equal, unless it is to be written', async () => {
  const telegram = { name: 'Chat', type: 'telegram', enabled: true };
  const { client } = fakeService({
    '/v1/alerts/channels': [storedAs('1', { ...telegram, configuration: { bot_token: '********', chat_id: '5' } })],
  });
  const configuration = { channels: [{ ...telegram, configuration: { bot_token: '123:abc', chat_id: 5 } }] };
  const plan = await planConfiguration(client, configuration);
  assert.equal([plan.steps.length, plan.uncompared], [0, 1]);
  // Another setting of the channel is written together with the value.
  const moved = { channels: [{ ...telegram, configuration: { bot_token: '123:abc', chat_id: 6 } }] };
  const { steps, uncompared } = await planConfiguration(client, moved);
  assert.equal([steps[0]?.fields, uncompared], [{ configuration: { bot_token: '123:abc', chat_id: '6' } }, 0]);
  const written = await planConfiguration(client, configuration, { writeSecrets: true });
  assert.equal(
    written.steps.map(({ fields }) => fields),
    [{ configuration: { bot_token: '123:abc', chat_id: '5' } }],
  );
});

test('`${kept}` keeps what is stored, and is asked for by name where nothing is stored', async () => {
  const configuration: Configuration = {
    secrets: [{ name: 'TOKEN', value: '${kept}' }],
    channels: [{ name: 'Slack', type: 'slack', configuration: { webhook_url: '${kept}' } }],
  };
  const stored = fakeService({
    '/v1/secrets': [storedAs('1', { secret_name: 'TOKEN' })],
    '/v1/alerts/channels': [
      storedAs('2', {
        name: 'Slack',
        type: 'slack',
        enabled: true,
        configuration: { webhook_url: 'https://hooks.slack.com/***' },
      }),
    ],
  });
  const unchanged = await planConfiguration(stored.client, configuration);
  assert.equal([unchanged.steps, unchanged.needed, unchanged.uncompared], [[], [], 0]);
  const { client, sent } = fakeService();
  const { needed } = await planConfiguration(client, configuration);
  assert.equal(needed, ['secrets/TOKEN/value', 'channels/Slack/configuration.webhook_url']);
  const values = {
    'secrets/TOKEN/value': 't',
    'channels/Slack/configuration.webhook_url': 'https://hooks.slack.com/services/T/B/x',
  };
  await applyPlan(client, await planConfiguration(client, configuration, { values }));
  assert.equal(sent[0]?.body, { secret_name: 'TOKEN', secret_value: 't' });
});

test.run();
