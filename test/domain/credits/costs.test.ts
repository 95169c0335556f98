import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import { selectRegions } from '../../../domain/check/multi-region.ts';
import { REGIONS } from '../../../domain/check/regions.ts';
import { costOf, creditsOf } from '../../../domain/credits/costs.ts';
import { canAfford } from '../../../domain/credits/credits.ts';
import { daysOf, creditPeriodOf, startOfDay } from '../../../domain/credits/period.ts';

const test = suite('credits');

const [moscow] = REGIONS;
if (!moscow) throw new Error('There is no region.');
const named = ['eu-west1', 'EU, West', 'IN, Mumbai', 'za-jnb1'];

test('a run costs the credits of its type', () => {
  assert.equal(
    CHECK_TYPE_NAMES.map((type) => `${type} ${creditsOf(type)}`),
    ['web 1', 'tcp 1', 'ssl 2', 'api 1', 'portscan 10', 'synthetic 10', 'multistep 5', 'icmp 1', 'dns 1'],
  );
  assert.is(costOf({ type: 'synthetic', parameters: {} }), 10);
});

test('a parallel run costs credits for each region, and a run in only one of several regions costs credits once', () => {
  const parallel = (more: object) => ({ regions: named, multi_region_execution: { enabled: true, ...more } });
  const cost = (parameters: Record<string, unknown>) => costOf({ type: 'ssl', parameters });
  assert.is(cost(parallel({ execution_mode: 'all' })), 6);
  assert.is(cost(parallel({ execution_mode: 'random_n', count: 2 })), 4);
  assert.is(cost(parallel({ execution_mode: 'all', enabled: false })), 2);
  assert.is(cost({ regions: named }), 2);
  for (const parameters of [parallel({ execution_mode: 'all' }), parallel({ execution_mode: 'random_n', count: 2 })]) {
    const places = selectRegions('run', parameters, moscow, ([first]) => first);
    assert.is(places.mode === null ? 1 : places.regions.length, cost(parameters) / 2);
  }
});

test('a run that costs exactly the remaining credits is allowed, and a run that costs one credit more is not', () => {
  assert.ok(canAfford(10, 7, 3));
  assert.not.ok(canAfford(10, 7, 4));
  assert.not.ok(canAfford(0, 0, 1));
  assert.ok(canAfford(null, 1_000_000, 10));
});

test('credits are counted by UTC month', () => {
  const december = { start: '2026-12-01T00:00:00.000000', end: '2027-01-01T00:00:00.000000' };
  assert.equal(creditPeriodOf('2026-12-31T23:59:59.999999'), december);
  assert.equal(creditPeriodOf(december.start), december);
  assert.is(daysOf(december).length, 31);
  assert.is(daysOf(creditPeriodOf('2028-02-10T00:00:00.000000')).at(-1), '2028-02-29T00:00:00.000000');
  assert.is(startOfDay('2026-12-31T23:59:59.999999'), '2026-12-31T00:00:00.000000');
});

test.run();
