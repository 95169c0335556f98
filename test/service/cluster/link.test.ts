import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClusterLink } from '../../../service/cluster/link.ts';
import { markLog } from '../../../projections/engine/feed/log-marks.ts';
import { watchLog } from '../../../stores/event-store/log-watch.ts';
import type { LogListener } from '../../../stores/event-store/port.ts';
import { openLogIdentity } from '../../../stores/event-store/identity.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { StoreUnavailable, type EventStore } from '../../../stores/event-store/port.ts';
import { resultOf } from '../../domain/check-result/examples.ts';

const test = suite('the link of a scheduler with the runners of other processes');

test('a scheduler follows the results of other processes even if the log was unavailable when it took over', async () => {
  const log = createMemoryEventStore('results');
  await openLogIdentity(log);
  let refusals = 1;
  const results: EventStore = {
    ...log,
    append: async (...parameters) => {
      if (refusals-- > 0) throw new StoreUnavailable('EventStoreDB is not available.');
      return log.append(...parameters);
    },
  };
  const failures: string[] = [];
  const settled: string[] = [];
  const link = createClusterLink({
    results: watchLog({
      log: results,
      end: () => markLog(results, Date.now()),
      categories: ['check_results'],
      failed: (error) => failures.push(String(error)),
      retry: 1,
    }),
    readers: {
      for: () => () => {
        throw new Error('Nothing should be read.');
      },
    },
    credits: { settle: (runId, region, outcome) => settled.push(`${runId} ${region} ${outcome}`) },
    repeated: () => undefined,
  });
  let report: (seen: string) => void = () => undefined;
  const finished = new Promise<string>((resolve) => {
    report = resolve;
  });
  const detach = link.attachScheduler({
    wants: () => true,
    finished: (checkId, runId) => {
      report(`${checkId} ${runId}`);
    },
  });
  const metadata = { command_id: 'c', organization_id: 'o' };
  const data = { check_id: 'check', run_id: 'run', region: 'EU, West' };
  const result = { id: randomUUID(), type: 'CheckRunCompleted', data, metadata };
  // The link ignores results that were stored before it began to follow the log, so the test stores results until the
  // link has seen one.
  const storing = setInterval(
    () => void log.append('check_results-eu-west1', [{ ...result, id: randomUUID() }] as never, 'any'),
    50,
  );
  try {
    assert.is(await finished, 'check run');
  } finally {
    clearInterval(storing);
    await detach();
  }
  assert.is(failures.length, 1);
  assert.is(settled[0], 'run eu-west1 stored');
});

test('a result that was stored twice with the same id counts once, and is reported as repeated', () => {
  const calls: string[] = [];
  let listener: LogListener = () => undefined;
  const link = createClusterLink({
    results: {
      listen: (one) => {
        listener = one;
        return () => Promise.resolve();
      },
    },
    readers: {
      for: () => () => {
        throw new Error('Nothing should be read.');
      },
    },
    credits: { settle: (runId, region) => calls.push(`settled ${runId} ${region}`) },
    repeated: () => calls.push('repeated'),
  });
  void link.attachScheduler({
    wants: () => true,
    // A multi-region run ends when all regions have a result. If a repeated result counted, the run would end too
    // early.
    finished: (checkId, runId) => calls.push(`finished ${checkId} ${runId}`),
  });
  const result = { ...resultOf('check'), stream: 'check_results-eu-west1', revision: 0n, position: 1n };
  listener([result]);
  listener([{ ...result, revision: 1n, position: 2n }]);
  const { run_id } = result.data as { run_id: string };
  assert.is(calls.length, 3);
  assert.match(calls[0] ?? '', `settled ${run_id} `);
  assert.equal(calls.slice(1), [`finished check ${run_id}`, 'repeated']);
});

test.run();
