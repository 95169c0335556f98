import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyPlan } from '../../../cli/apply/execute.ts';
import { planConfiguration } from '../../../cli/apply/plan.ts';
import { showReport, stepLines } from '../../../cli/apply/show.ts';
import type { Configuration } from '../../../cli/configuration/model.ts';
import { fakeService, storedAs } from './fake-service.ts';
import { actionsOf, check, group, ICMP, linesOf, problemsOf } from './plans.ts';

const test = suite('plans of configurations');

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
    '/v1/check-groups': [group('1', 'Old', mark), group('2', 'Listed', mark)],
    '/v1/checks': [
      check('3', 'By hand', { group_id: '1' }),
      check('4', 'Goes', { group_id: '1', ...mark }),
      check('5', 'Moves', { group_id: '1', ...mark }),
    ],
    '/v1/pages': [storedAs('6', { name: 'Acme', subdomain: 'acme', ...mark })],
    '/v1/pages/6/components': [storedAs('7', { name: 'Cart', page_id: '6', group: false, ...mark })],
    '/v1/pages/6/incidents': [storedAs('8', {}), storedAs('9', {})],
  });
  const configuration = {
    check_groups: [{ name: 'Listed' }],
    checks: [{ name: 'Moves', group: 'Listed', ...ICMP }],
  };
  const plan = await planConfiguration(client, configuration, { prune: true });
  const text = await linesOf(plan);
  assert.match(text, '- check group "Old"\n    1 check in it stays without a group: "By hand"\n');
  assert.match(text, '- page "Acme"\n    deleted with it: 1 component, 2 incidents, 0 subscribers\n');
});

test('the deletion of a check names the rules that are deleted with it', async () => {
  const mark = { managed_by: 'apply' };
  const rule = (id: string, name: string, check_id: string, others: object = {}) =>
    storedAs(id, { name, check_id, tag: null, condition: 'check_failed', channel_ids: [], ...others });
  const { client } = fakeService({
    '/v1/checks': [check('1', 'Old', mark), check('2', 'Bare', mark), check('3', 'Listed', mark)],
    '/v1/alerts/rules': [
      rule('4', 'By hand', '1'),
      rule('5', 'Goes', '1', mark),
      rule('6', 'Other', '3'),
      rule('7', 'Tagged', '', { check_id: null, tag: 'prod' }),
    ],
  });
  const plan = await planConfiguration(client, { checks: [{ name: 'Listed', ...ICMP }] }, { prune: true });
  const text = await linesOf(plan);
  assert.match(text, '- rule "Old / Goes"\n- check "Bare"\n- check "Old"\n    deleted with it: 1 rule: "By hand"\n');
});

test('pruning is refused if the files contain no object', async () => {
  const { client } = fakeService({ '/v1/check-groups': [group('1', 'Old', { managed_by: 'apply' })] });
  const sentence = 'Nothing to apply: the files contain no object; --prune would delete 1 object.';
  const outcome = await planConfiguration(client, { checks: [] }, { prune: true }).catch((error: unknown) => error);
  assert.is((outcome as Error).message, sentence);
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

test.run();
