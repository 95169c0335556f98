import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { planConfiguration } from '../../../cli/apply/plan.ts';
import { fakeService } from './fake-service.ts';
import { actionsOf, check, group, ICMP, problemsOf } from './plans.ts';

const test = suite('which object of the service an entry is');

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

test.run();
