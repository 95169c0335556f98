import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle } from '../../../commands/engine/handle.ts';
import type { AlertFired } from '../../../domain/alert/events.ts';
import type { SuspectRunnerDocument } from '../../../projections/suspect-runners/projection.ts';
import { notifyOperator } from '../../../reactors/alerts/own-outages.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';

const test = suite('the own-outages reactor');

const clock = () => Date.UTC(2026, 10, 20, 15, 5);
const organizationId = 'org000000001';
const cutOff = (id: string, region: string): SuspectRunnerDocument => ({
  id,
  region,
  suspect: true,
  since: '2026-11-20T15:00:10.000000',
  last_at: '2026-11-20T15:00:20.000000',
  results: [],
  changed_position: 10,
});

const staged = () => {
  const store = createMemoryEventStore('main');
  let suspects: SuspectRunnerDocument[] = [];
  // Each call acts as a new process with an empty read model.
  const tell = () =>
    notifyOperator({
      handle: createHandle({ store, clock }),
      clock,
      organizationId,
      suspects: async () => suspects,
      lastNumber: async () => 0,
    })();
  return {
    tell: async (...now: SuspectRunnerDocument[]): Promise<void> => {
      suspects = now;
      await tell();
      await tell();
    },
    events: () => store.readAll({ after: 0n, categories: ['alert'], limit: 100 }),
  };
};

test('the service fires one alert when runners are cut off, however many, and resolves it when all are connected again', async () => {
  const { tell, events } = staged();
  await tell(cutOff('one', 'EU, West'));
  await tell(cutOff('one', 'EU, West'), cutOff('two', 'RU, Moscow'));
  await tell(cutOff('two', 'RU, Moscow'));
  const [fired, ...others] = await events();
  assert.equal(others, []);
  const { rule_id, organization_id, number, channel_ids, description } = fired?.data as AlertFired;
  assert.equal([rule_id, organization_id, number, channel_ids], [null, organizationId, 1, []]);
  assert.match(description, 'EU, West since 2026-11-20T15:00:10 UTC');
  await tell();
  await tell(cutOff('one', 'EU, West'));
  assert.equal(
    (await events()).map(({ type, data }) => [type, (data as Partial<AlertFired>).number]),
    [
      ['AlertFired', 1],
      ['AlertResolved', undefined],
      ['AlertFired', 2],
    ],
  );
});

test.run();
