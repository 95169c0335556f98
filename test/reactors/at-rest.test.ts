import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CollectionReader, Read } from '../../projections/readers.ts';
import { readCheckpoint } from '../../reactors/engine/checkpoint.ts';
import { createAlarm } from '../../reactors/engine/alarm.ts';
import { runReactor } from '../../reactors/engine/loop.ts';
import { REACTOR_NAMES } from '../../reactors/index.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import { startService } from '../api/service.ts';
import { eventually } from '../waiting.ts';
import { reactorsOf } from './context.ts';
import { shortPause } from './reactor-harness.ts';

const test = suite('all reactors of a service at rest');

const ASKING = ['find', 'pick', 'count'];

/** Wraps a read model so that each query of a list calls `counted`. Reads by id do not call `counted`. */
const counting = (read: Read, counted: (query: string) => void): Read =>
  ((projection: Parameters<Read>[0]) =>
    Object.fromEntries(
      Object.entries(read(projection) as Record<string, CollectionReader<never>>).map(([name, reader]) => [
        name,
        Object.fromEntries(
          Object.entries(reader).map(([method, ask]) => [
            method,
            (...parameters: unknown[]) => {
              if (ASKING.includes(method)) counted(`${name}.${method}`);
              return (ask as (...given: unknown[]) => unknown)(...parameters);
            },
          ]),
        ),
      ]),
    )) as unknown as Read;

test('reactors at rest query nothing, and an incident without subscribers causes few queries and no appended event', async () => {
  const service = await startService();
  const { stores, readers, statuses, request } = service;
  const coordination = createMemoryCoordination();
  const queries: string[] = [];
  const coordinationReads: string[] = [];
  const noted = (query: string): void => {
    queries.push(query);
  };
  const watched: typeof coordination = {
    ...coordination,
    acquire: (...parameters) => coordination.acquire(...parameters),
    read: async (name) => {
      coordinationReads.push(name);
      return coordination.read(name);
    },
  };
  const stopping = new AbortController();
  const clock = Date.now;
  const alarm = createAlarm(clock, 5);
  const running = reactorsOf({
    handle: service.commands.bind(({ handle }) => handle),
    main: stores.main,
    results: stores.results,
    readers: {
      for: (context) => counting(readers.for(context), noted),
      sure: counting(readers.sure, noted),
      foldedAll: readers.foldedAll,
    },
    statuses,
    coordination: watched,
  }).map((reactor) =>
    runReactor(reactor, {
      coordination: watched,
      clock,
      alarm,
      log: (_, message, fields, error) => {
        console.error(message, fields, error);
      },
      signal: stopping.signal,
    }),
  );
  /** Resolves when the reactors have read nothing for a while. */
  const atRest = () =>
    eventually(async () => {
      const before = queries.length + coordinationReads.length;
      for (let looked = 0; looked < 10; looked++) await shortPause();
      return queries.length + coordinationReads.length === before;
    });
  const endOf = async (log: typeof stores.main): Promise<bigint> => {
    let end = 0n;
    for (;;) {
      const page = await log.readAll({ after: end });
      const last = page.at(-1);
      if (!last) return end;
      end = last.position;
    }
  };

  for (const name of REACTOR_NAMES) await eventually(async () => (await readCheckpoint(coordination, name)) !== null);
  const page = (await request('POST', '/v1/pages', { body: { name: 'Shop' } })).json() as { id: string };
  await atRest();
  const [before, ended] = [queries.length, await endOf(stores.results)];
  const body = { name: 'Outage', body: 'We look.', status: 'investigating', components: {} };
  const opened = await request('POST', `/v1/pages/${page.id}/incidents`, { body });
  assert.is(opened.status, 201, opened.text);
  const handled = Number(await endOf(stores.main));
  await eventually(async () => ((await readCheckpoint(coordination, 'mailing-deliveries'))?.handled ?? 0) >= handled);
  await atRest();
  assert.ok(queries.length - before <= 6, queries.slice(before).join(', '));
  assert.is(await endOf(stores.results), ended);
  stopping.abort();
  await Promise.all(running);
  await service.stop();
});

test.run();
