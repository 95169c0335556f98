import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reactorsOf } from '../../cli/reactors.ts';
import { REACTORS } from '../../cli/resume-reactors.ts';
import { createHandle } from '../../commands/handle.ts';
import { createReaders } from '../../projections/engine/readers.ts';
import { createStatuses } from '../../projections/engine/statuses.ts';
import { projections } from '../../projections/index.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import { createMemoryReadStore } from '../../stores/read-store/memory.ts';

const test = suite('reactors');

test('are all resumed by uptrail reactors resume', () => {
  const statuses = createStatuses(projections);
  const coordination = createMemoryCoordination();
  const readers = createReaders({ readStore: createMemoryReadStore(), statuses, coordination, timeout: 0 });
  const handle = createHandle({ store: createMemoryEventStore('main'), clock: Date.now });
  const startRun = () => Promise.reject(new Error('Nothing is started here.'));
  const all = reactorsOf({ handle, results: createMemoryEventStore('results'), startRun, readers, statuses });
  assert.equal(all.map(({ name }) => name).sort(), [...REACTORS].sort());
});

test.run();
