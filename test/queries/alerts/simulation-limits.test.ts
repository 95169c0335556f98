import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { instantOf } from '../../../domain/time.ts';
import { createPastEvents } from '../../../projections/past/past-events.ts';
import { simulateRule, SIMULATION_LIMITS, type Simulation } from '../../../queries/alerts/simulation/simulate.ts';
import type { SimulationLimits } from '../../../queries/alerts/simulation/parts.ts';
import { ORGANIZATION } from '../../domain/check/examples.ts';
import { rejects } from '../../rejects.ts';
import { HOUR, MINUTE, stage } from '../../reactors/alerts/stage.ts';

const test = suite('the limits of a simulation');

const RUNS = 24;
/** A check that runs once an hour, and fails in every third run. */
const given = await stage({ enabled: false, confirmations: 1 });
const from = instantOf(given.office.now);
for (let run = 1; run <= RUNS; run++) {
  given.pass(HOUR);
  await (run % 3 === 0 ? given.bad() : given.ok());
}
given.pass(MINUTE);
await given.settle();
const source = createPastEvents(given.stores.main);

const simulate = (limits: Partial<SimulationLimits>, signal?: AbortSignal): Promise<Simulation> =>
  simulateRule(
    { read: given.read, organizationId: ORGANIZATION },
    given.rule(),
    { from, to: instantOf(given.office.now) },
    {
      readEvents: async (owner, categories) => (await source.ofOwner(owner, categories, '9999')).all,
      limits: { ...SIMULATION_LIMITS, ...limits },
      ...(signal && { signal }),
    },
  );

test('a simulation within its limits is complete', async () => {
  const { alerts, runs, truncated } = await simulate({ results: RUNS, alerts: 8 });
  assert.equal([alerts.length, runs, truncated], [8, RUNS, false]);
});

test('a simulation that would return too many alerts returns only the earliest alerts', async () => {
  const whole = await simulate({});
  const { alerts, truncated } = await simulate({ alerts: 3 });
  assert.equal(alerts, whole.alerts.slice(0, 3));
  assert.is(truncated, true);
});

test('a simulation of too many results stops', async () => {
  const { runs, truncated } = await simulate({ results: RUNS - 1 });
  assert.is(truncated, true);
  assert.ok(runs < RUNS, `${runs} runs`);
});

test('a simulation of too many checks includes only some of them', async () => {
  const { alerts, truncated } = await simulate({ checks: 0 });
  assert.equal([alerts, truncated], [[], true]);
});

test('a simulation ends when its request is aborted', async () => {
  const slow = AbortSignal.abort(new Error('The client is gone.'));
  await rejects(simulate({}, slow), Error, 'The client is gone.');
});

test.run();
