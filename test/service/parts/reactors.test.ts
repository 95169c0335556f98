import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Logger } from 'pino';
import { loggingStatus } from '../../../service/parts/reactor-lines.ts';
import { reactorsOf } from '../../../service/parts/reactors.ts';
import { REACTORS } from '../../../reactors/index.ts';
import { createHandle } from '../../../commands/engine/handle.ts';
import { createReaders } from '../../../projections/engine/readers.ts';
import { createStatuses } from '../../../projections/engine/status/statuses.ts';
import { projections } from '../../../projections/index.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';

const test = suite('reactors');

test('are all resumed by uptrail reactors resume', () => {
  const statuses = createStatuses(projections);
  const coordination = createMemoryCoordination();
  const readers = createReaders({ readStore: createMemoryReadStore(), statuses, coordination, timeout: 0 });
  const [main, results] = [createMemoryEventStore('main'), createMemoryEventStore('results')];
  const handle = createHandle({ store: main, clock: Date.now });
  const startRun = () => Promise.reject(new Error('Nothing is started here.'));
  const all = reactorsOf({ handle, main, results, startRun, readers, statuses });
  assert.equal(all.map(({ name }) => name).sort(), [...REACTORS].sort());
});

test('write a line for a check that comes up, goes down or recovers, with its name and the sentence', () => {
  const lines: string[] = [];
  const write = (level: string) => (fields: object, line: string) => {
    lines.push(`${level} ${line} ${JSON.stringify(fields)}`);
  };
  const log = loggingStatus({ info: write('info'), warn: write('warn') } as unknown as Logger);
  const data = {
    check_id: 'check0000001',
    result_id: 'result000001',
    run_id: 'run000000001',
    slot: '2026-11-20T15:00:00.000000',
    region: 'EU, West',
    at: '2026-11-20T15:00:00.000000',
  };
  const error_message = 'Connection refused by 127.0.0.1:81.';
  log({ name: 'Shop', event: { type: 'CheckCameUp', data } });
  log({ name: 'Shop', event: { type: 'CheckWentDown', data: { ...data, error_message } } });
  log({ name: 'Shop', event: { type: 'CheckRecovered', data } });
  const fields = '{"checkId":"check0000001","region":"EU, West","resultId":"result000001"}';
  assert.equal(lines, [
    `info check "Shop" came up ${fields}`,
    `warn check "Shop" went down: Connection refused by 127.0.0.1:81. ${fields}`,
    `info check "Shop" recovered ${fields}`,
  ]);
});

test.run();
