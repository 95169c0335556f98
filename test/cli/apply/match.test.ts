import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { planConfiguration, type PlanOptions } from '../../../cli/apply/plan.ts';
import type { Configuration } from '../../../cli/configuration/model.ts';
import { fakeService, storedAs } from './fake-service.ts';
import { actionsOf, check, group, ICMP, problemsOf } from './plans.ts';

const test = suite('which object of the service an entry is');

test('`formerly` renames an object, and only marked checks move to another group without it', async () => {
  const { client } = fakeService({
    '/v1/check-groups': [group('1', 'Old')],
    '/v1/checks': [check('2', 'A', { group_id: '1', position: 1, managed_by: 'apply' }), check('3', 'B')],
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

const MARKED = { managed_by: 'apply' };

/** Plans checks of a service with the groups Blog and Shop. Returns the actions, and the remark of each step that has one. */
const moves = async (existing: readonly object[], checks: readonly object[], options: PlanOptions = {}) => {
  const { client } = fakeService({
    '/v1/check-groups': [group('1', 'Blog'), group('2', 'Shop')],
    '/v1/checks': existing.map((others, n) => check(String(n + 3), 'API', { group_id: '1', position: 1, ...others })),
  });
  const plan = await planConfiguration(client, { checks: checks as NonNullable<Configuration['checks']> }, options);
  return plan.steps.map(({ action, label, remark }) => [
    `${action} ${label}`,
    ...(remark === undefined ? [] : [remark]),
  ]);
};

const SHOP_API = { name: 'API', group: 'Shop', ...ICMP };
const HINT = 'to move it here instead, add formerly: { group: "Blog", name: "API" }';
const NEW = [['create check "Shop / API"', `check "Blog / API" has the same name; ${HINT}`]];

test('a new check takes over no check of another group that differs from it in its mark or target', async () => {
  assert.equal(await moves([{}], [SHOP_API]), NEW);
  assert.equal(await moves([{ managed_by: 'import' }], [SHOP_API]), NEW);
  assert.equal(await moves([{ ...MARKED, host: 'b.example' }], [SHOP_API]), NEW);
  assert.equal(await moves([{ ...MARKED, type: 'dns' }], [SHOP_API]), [['create check "Shop / API"']]);
  assert.equal(await moves([MARKED], [SHOP_API]), [['change check "Shop / API"']]);
  assert.equal(await moves([MARKED], [SHOP_API, { ...SHOP_API, group: null }]), [
    ['create check "Shop / API"', NEW[0]?.[1] ?? ''],
    ['create check "API"', NEW[0]?.[1] ?? ''],
  ]);
  assert.equal(await moves([MARKED, { ...MARKED, group_id: null, position: null }], [SHOP_API]), [
    [
      'create check "Shop / API"',
      'check "Blog / API", check "API" have the same name; to move one here instead, add formerly: { group: …, name: "API" }',
    ],
  ]);
});

test('an entry whose `formerly` was applied earlier moves to another group like one without it', async () => {
  const moved = [['change check "Shop / API"']];
  for (const formerly of ['Old', { group: 'Blog', name: 'Old' }]) {
    assert.equal(await moves([MARKED], [{ ...SHOP_API, formerly }]), moved);
  }
  assert.equal(await moves([{}], [{ ...SHOP_API, formerly: 'Old' }]), NEW);
  // The check with the former name is meant.
  const both = [MARKED, { ...MARKED, name: 'Old' }];
  assert.equal(await moves(both, [{ ...SHOP_API, formerly: 'Old' }]), moved);
});

test('a configuration without a mark takes over no object of another group', async () => {
  assert.equal(
    await moves([MARKED], [SHOP_API], {
      managedBy: null,
      absentFields: 'unchanged',
    }),
    [['create check "Shop / API"', 'check "Blog / API" has the same name']],
  );
});

test('`formerly` moves any check to another group, by its name or by group and name', async () => {
  const byHand = { host: 'b.example' };
  const moved = [['change check "Shop / API"']];
  for (const formerly of ['API', { group: 'Blog', name: 'API' }]) {
    assert.equal(await moves([byHand], [{ ...SHOP_API, formerly }]), moved);
    // The move was already made.
    assert.equal(await moves([{ group_id: '2' }], [{ ...SHOP_API, formerly }]), []);
    assert.equal(await moves([], [{ ...SHOP_API, formerly }]), [['create check "Shop / API"']]);
  }
  assert.equal(await moves([byHand], [{ ...SHOP_API, name: 'Cart', formerly: { group: 'Blog', name: 'API' } }]), [
    ['change check "Shop / Cart"'],
  ]);
  const both = [byHand, { group_id: null, position: null }];
  assert.equal(await moves(both, [{ ...SHOP_API, formerly: { group: null, name: 'API' } }]), moved);
  assert.is(
    await problemsOf(moves(both, [{ ...SHOP_API, formerly: 'API' }])),
    'checks[0].formerly: Several checks are named "API". Name one by { group: …, name: … }.',
  );
});

test('a component moves to another group of its page only if it is marked and shows the same check', async () => {
  const component = (id: string, name: string, others: object) =>
    storedAs(id, {
      name,
      page_id: '1',
      group: false,
      group_id: null,
      check_id: null,
      check_tag: null,
      ...others,
    });
  const planned = async (others: object, watched: object = {}) => {
    const { client } = fakeService({
      '/v1/pages': [storedAs('1', { name: 'Acme', subdomain: 'acme' })],
      '/v1/pages/1/components': [component('2', 'Store', { group: true }), component('3', 'Cart', others)],
    });
    const plan = await planConfiguration(
      client,
      {
        pages: [
          {
            name: 'Acme',
            subdomain: 'acme',
            component_groups: [{ name: 'Store' }],
            components: [{ name: 'Cart', group: 'Store', ...watched }],
          },
        ],
      },
      { absentFields: 'unchanged' },
    );
    return actionsOf(plan);
  };
  const [moved, made] = ['change', 'create'].map((action) => [`${action} component "Acme / Store / Cart"`]);
  assert.equal(await planned(MARKED), moved);
  assert.equal(await planned({}), made);
  assert.equal(await planned({ ...MARKED, check_tag: 'shop' }, { check_tag: 'shop' }), moved);
  assert.equal(await planned({ ...MARKED, check_tag: 'shop' }, { check_tag: 'blog' }), made);
});

const host = (name: string) => ({
  type: 'icmp',
  interval: 60,
  host: `${name}.example`,
});

/** Returns the ids and names of the checks that the entries become. Each check of the service has the host of its name. */
const renamings = async (existing: readonly string[], entries: readonly [string, string?, string?][]) => {
  const stored = existing.map((name, n) => check(String(n + 1), name, host(name)));
  const { client } = fakeService({ '/v1/checks': stored });
  const { steps } = await planConfiguration(client, {
    checks: entries.map(([name, formerly, of = name]) => ({
      name,
      ...host(of),
      ...(formerly && { formerly }),
    })),
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

test('objects of the service with the same name get numbers that distinguish them, oldest first', async () => {
  const { client } = fakeService({
    '/v1/check-groups': [group('1', 'A'), group('2', 'A'), group('3', 'A (2)')],
  });
  const plan = await planConfiguration(client, {
    check_groups: [{ name: 'A (3)', color: '#000000' }],
  });
  assert.equal(
    plan.steps.map(({ current, fields }) => [current?.id, fields]),
    [['2', { color: '#000000' }]],
  );
  const numbered = ['A', 'A (2)', 'A (3)'].map((name) => ({ name }));
  assert.equal((await planConfiguration(client, { check_groups: numbered })).steps, []);
});

test.run();
