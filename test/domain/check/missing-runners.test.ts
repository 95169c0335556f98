import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { regionOf } from '../../../domain/check/regions.ts';
import {
  isSilent,
  regionsWithoutRunner,
  type ServedRegions,
  type SilenceCandidate,
} from '../../../domain/check/missing-runners.ts';

const test = suite('checks without runners');

const MOSCOW = regionOf('RU, Moscow');
if (!MOSCOW) throw new Error('There is no such region.');
const served: ServedRegions = { defaultRegion: MOSCOW, abilities: new Map([['EU, West', ['web', 'tcp']]]) };

const check = (fields: Partial<SilenceCandidate> = {}): SilenceCandidate => ({
  active: true,
  type: 'web',
  interval: 60,
  parameters: {},
  created_at: '2026-11-20T12:00:00.000000',
  updated_at: '2026-11-20T12:00:00.000000',
  ...fields,
});
const NOW = '2026-11-20T15:00:00.000000';

test('a check is served if one of its regions has a runner that can run it', () => {
  const without = (parameters: object, type: SilenceCandidate['type'] = 'web') =>
    regionsWithoutRunner({ type, parameters: { ...parameters } }, served)?.map(({ id }) => id) ?? null;
  assert.equal(without({}), ['RU, Moscow']);
  assert.equal(without({ regions: ['za-jnb1', 'br-sao1'] }), ['ZA, Johannesburg', 'BR, Sao Paulo']);
  assert.is(without({ regions: ['za-jnb1', 'eu-west1'] }), null);
  assert.equal(without({ regions: ['eu-west1'] }, 'api'), ['EU, West']);
});

test('a check is silent after twice its interval without a result', () => {
  assert.ok(isSilent(check(), null, NOW));
  assert.ok(isSilent(check(), '2026-11-20T14:57:59.000000', NOW));
  assert.not(isSilent(check(), '2026-11-20T14:58:00.000000', NOW));
  assert.not(isSilent(check({ interval: 86_400 }), null, NOW));
});

test('a check may be silent for twice its interval after it was changed or activated', () => {
  assert.not(isSilent(check({ updated_at: '2026-11-20T14:59:00.000000' }), null, NOW));
  assert.not(isSilent(check({ active: false }), null, NOW));
});

test('a check whose newest result is dated in the future counts as silent', () => {
  assert.ok(isSilent(check(), '2026-11-22T15:00:00.000000', NOW));
});

test.run();
