import { Registry } from 'prom-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { observeState } from '../../cli/metrics.ts';
import { createStatuses } from '../../projections/engine/statuses.ts';
import { projections } from '../../projections/index.ts';

const test = suite('The figures of a process');

const DEPTHS = [{ region: 'eu-west1', waiting: 3, in_flight: 2, parked: 1 }];

/** The figures when the queues tell theirs in some way. */
const figures = (depths: () => Promise<typeof DEPTHS>): Promise<string> => {
  const registry = new Registry();
  observeState(registry, createStatuses(projections), { depths });
  return registry.metrics();
};

test('tell what waits in the queues', async () => {
  assert.match(await figures(async () => DEPTHS), 'check_queue_runs{region="EU, West",state="waiting"} 3');
});

for (const [name, depths] of [
  ['fail', () => Promise.reject(new Error('EventStoreDB is not available.'))],
  ['do not answer', () => new Promise<never>(() => undefined)],
] as const) {
  test(`are told without those of the queues that ${name}`, async () => {
    // A server that takes connections keeps a process alive, a promise does not.
    const alive = setInterval(() => undefined, 1_000);
    const text = await figures(depths).finally(() => {
      clearInterval(alive);
    });
    assert.match(text, 'projection_position{projection="pages"} 0');
    assert.not.match(text, 'check_queue_runs{');
  });
}

test.run();
