import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SELF_HOSTED } from '../../../domain/organization/plans.ts';
import { projectionKey, type Collections } from '../../../projections/engine/fold/define.ts';
import { createReaders } from '../../../projections/engine/readers.ts';
import { createStatuses } from '../../../projections/engine/status/statuses.ts';
import { projections } from '../../../projections/index.ts';
import { ReadModelLate } from '../../../projections/readers.ts';
import { CAUSE_KINDS, DIGEST_KINDS } from '../../../reactors/delivery/kinds.ts';
import { causeContext } from '../../../service/parts/causes.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { append, memoryStores } from '../../projections/engine/engine.ts';
import { marked } from '../../projections/engine/samples.ts';
import { rejects } from '../../rejects.ts';
import { createOffice } from '../office.ts';

const test = suite('A delivery whose documents are missing');

/** Read models that are empty, and end before their logs do. */
const behind = async () => {
  const { main, results, readStore, coordination } = memoryStores();
  const folded = { main: await append(main, marked('a')), results: await append(results, marked('a')) };
  const ends = { main: await append(main, marked('a')), results: await append(results, marked('a')) };
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
  const context = causeContext({
    readers: createReaders({ readStore, statuses, coordination, timeout: 1, logs: { main, results } }),
    plans: SELF_HOSTED,
    keys: createMemoryKeys(),
    publicUrl: 'https://status.example.com',
    mails: true,
    todo: () => createOffice().todo,
    clock: Date.now,
  });
  const kinds = [...Object.values(CAUSE_KINDS), ...DIGEST_KINDS].map((kind) => kind(context));
  const catchUp = (): void => {
    reach(ends);
  };
  return { kinds, catchUp };
};

test('waits until their read models have folded their logs, and is withdrawn only then', async () => {
  const { kinds, catchUp } = await behind();
  const deliveryOf = (kind: string) => ({
    id: 'delivery0001',
    organization_id: 'org000000001',
    cause: { kind, id: 'cause0000001/fired' },
    receiver_id: 'receiver0001',
    notifier: 'email',
  });
  for (const { kind, compose } of kinds) {
    await rejects(Promise.resolve(compose(deliveryOf(kind))), ReadModelLate);
  }
  catchUp();
  for (const { kind, compose } of kinds) assert.is(await compose(deliveryOf(kind)), null, kind);
});

test.run();
