import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventTypes } from '../../../domain/event-types.ts';
import { projectionKey, type Collections } from '../../../projections/engine/fold/define.ts';
import { createReaders } from '../../../projections/engine/readers.ts';
import { createStatuses } from '../../../projections/engine/status/statuses.ts';
import { projections } from '../../../projections/index.ts';
import { ReadModelLate } from '../../../projections/readers.ts';
import { CAUSE_KINDS, DIGEST_KINDS } from '../../../reactors/delivery/cause-kinds.ts';
import { createCauseContext } from '../../../reactors/delivery/cause-context.ts';
import { createHandle } from '../../../commands/engine/handle.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { memoryStores } from '../../projections/engine/engine.ts';
import { recorded, type Fact } from '../../projections/history.ts';
import { rejects } from '../../rejects.ts';
import { contextOf } from '../context.ts';

const test = suite('a delivery whose documents are missing');

const TYPES = Object.values(eventTypes).flatMap((events) => Object.keys(events));
const EVENTS = recorded(TYPES.map((type) => ({ type, data: {} }) as Fact)).map((event, index) => ({
  ...event,
  position: BigInt(11 + index),
}));
/** A log that contains one event of each type. */
const LOG: Pick<EventStore, 'readAll'> = {
  readAll: async ({ after }) => EVENTS.filter(({ position }) => position > after),
};

/** Creates empty read models that lag behind their logs. */
const behind = async () => {
  const { readStore, coordination } = memoryStores();
  const folded = { main: 10n, results: 10n };
  const ends = { main: 10n + BigInt(TYPES.length), results: 10n + BigInt(TYPES.length) };
  for (const projection of projections) {
    const generation = { projection: projectionKey(projection), number: 1 };
    await readStore.open(generation, projection.collections as Collections);
    const checkpoint = { log_id: 'log', position: folded[projection.log], event_id: null };
    await readStore.commit(generation, {}, checkpoint);
  }
  const statuses = createStatuses(projections);
  const reach = (positions: typeof folded): void => {
    const state = { generation: 1, oldest: null, state: 'live', error: null } as const;
    statuses.receive(
      projections.map(({ name, version, log }) => ({ name, version, log, ...state, position: positions[log] })),
    );
  };
  reach(folded);
  const [main, results] = [createMemoryEventStore('main'), createMemoryEventStore('results')];
  const context = contextOf({
    handle: createHandle({ store: main, clock: Date.now }),
    main,
    results,
    readers: createReaders({ readStore, statuses, coordination, timeout: 1, logs: { main: LOG, results: LOG } }),
    statuses,
    publicUrl: 'https://status.example.com',
    mails: true,
  });
  const causes = createCauseContext(context);
  const kinds = [...CAUSE_KINDS, ...DIGEST_KINDS].map(({ kind, bind }) => ({ kind, ...bind(causes) }));
  const catchUp = (): void => {
    reach(ends);
  };
  return { kinds, catchUp };
};

test('a delivery with missing documents waits until the read models are up to date, and is withdrawn if they still lack the documents', async () => {
  const { kinds, catchUp } = await behind();
  const deliveryOf = (kind: string) => ({
    id: 'delivery0001',
    organization_id: 'org000000001',
    cause: { kind, id: 'cause0000001/fired' },
    receiver_id: 'receiver0001',
    notifier: 'email',
    created_at: '2026-11-20T15:00:00.000000',
  });
  for (const { kind, compose } of kinds) {
    await rejects(Promise.resolve(compose(deliveryOf(kind))), ReadModelLate);
  }
  catchUp();
  for (const { kind, compose } of kinds) assert.is(await compose(deliveryOf(kind)), null, kind);
});

test.run();
