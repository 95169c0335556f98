import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { planProblems, plansIn } from '../../../service/config/plans.ts';

const FREE = { id: 'free', name: 'Free', price: { value: '0.00', currency: 'EUR' }, duration: 30, limits: {} };
const TEAM = {
  id: 'team',
  name: 'Team',
  description: 'For a team.',
  price: { value: '4990.00', currency: 'EUR' },
  duration: 30,
  limits: { credits: 100_000, checks: 50, pages: null, users: 10, shortest_interval: 60 },
};

const read = (content: unknown): ReturnType<typeof plansIn> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-'));
  try {
    const file = join(folder, 'plans.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return plansIn(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
};
const refusal = (content: unknown): string => {
  try {
    read(content);
  } catch (error) {
    return (error as Error).message.replace(/^".*plans\.json" is invalid: /, '');
  }
  throw new Error('It was taken.');
};

test('plans are parsed in the order of the file, with prices in the smallest unit of their currency', () => {
  const plans = read([{ ...FREE, default: true }, TEAM]);
  assert.equal(
    plans.all.map(({ id }) => id),
    ['free', 'team'],
  );
  assert.is(plans.default.id, 'free');
  assert.equal(plans.default.limits, {
    credits: null,
    checks: null,
    pages: null,
    users: null,
    shortest_interval: null,
  });
  assert.equal(plans.byId.get('team'), { ...TEAM, price: { amount: 499_000, currency: 'EUR' } });
});

test('the example of a file of plans is valid', () => {
  const plans = plansIn('deploy/plans.json');
  assert.is(plans.default.id, 'free');
  assert.is(plans.all.length, 3);
});

test('an error about an invalid plan names the plan and the field', () => {
  const standard = { ...FREE, default: true };
  const cases: [unknown, RegExp][] = [
    ['{', /^it is not valid JSON: /],
    [{ plans: [] }, /^it must be an array of plans\.$/],
    [[], /^one plan must have "default": true/],
    [
      [standard, { ...TEAM, default: true }],
      /^plan "team", default: Must be true for only one plan, and already is for "free"\.$/,
    ],
    [[standard, FREE], /^plan "free", id: Must be unique\.$/],
    [[standard, { name: 'Team' }], /^plan number 2, id: Missing required field\.$/],
    [[{ ...standard, id: 'Free!' }], /^plan "Free!", id: Must be 1 to 50 of/],
    [[{ ...standard, name: ' ' }], /^plan "free", name: Must not be blank\.$/],
    [[{ ...standard, limit: {} }], /^plan "free", limit: No such field exists\.$/],
    [[{ ...standard, limits: { check: 3 } }], /^plan "free", limits\.check: No such field exists\.$/],
    [[{ ...standard, limits: { checks: -1 } }], /^plan "free", limits\.checks: /],
    [[{ ...standard, limits: { shortest_interval: 29 } }], /^plan "free", limits\.shortest_interval: /],
    [
      [{ ...standard, price: { value: '5', currency: 'EURO' } }],
      /^plan "free", price\.currency: Must be an ISO 4217 currency/,
    ],
    [[{ ...standard, price: { value: '5.0', currency: 'EUR' } }], /^plan "free", price\.value: .*"4990\.00"\.$/],
    [[{ ...standard, price: { value: 5, currency: 'EUR' } }], /^plan "free", price\.value: Must be a string\.$/],
    [[{ ...standard, duration: 0 }], /^plan "free", duration: /],
  ];
  for (const [content, sentence] of cases) assert.match(refusal(content), sentence);
});

test('a plan can limit monthly credits only if results are stored for long enough', () => {
  const free = read([{ ...FREE, default: true }]);
  const limited = read([{ ...FREE, default: true }, TEAM]);
  assert.equal(planProblems({ plans: free, resultRetentionDays: 7 }), []);
  assert.equal(planProblems({ plans: null, resultRetentionDays: 7 }), []);
  assert.equal(planProblems({ plans: limited, resultRetentionDays: 31 }), []);
  assert.match(
    planProblems({ plans: limited, resultRetentionDays: 30 })[0] ?? '',
    /plan "team".* must be at least 31\.$/,
  );
});

test('an error about a missing file of plans names the file', () => {
  assert.throws(
    () => plansIn('/nowhere/plans.json'),
    /^"\/nowhere\/plans\.json" is invalid: it cannot be read \(ENOENT\)\.$/,
  );
});

test.run();
