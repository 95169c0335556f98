import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSqliteCoordination } from '../../stores/coordination/sqlite.ts';
import type { FailedItem } from '../../stores/coordination/port.ts';
import { REACTOR_NAMES } from '../../reactors/index.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { callApi, endPrograms, IS_CLUSTER, serve, uptrail, type RunningProgram } from './program.ts';
import { eventually } from '../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('failed automatic actions');
test.after.each(endPrograms);

const NAMES = [...REACTOR_NAMES].sort();

const SINCE = Date.UTC(2026, 10, 20, 15);
const held = (id: string, fields: Partial<FailedItem> = {}): FailedItem => ({
  id,
  position: 1,
  state: 'given_up',
  tries: 1,
  again: 0,
  tried: SINCE,
  since: SINCE,
  reason: 'It can not be done.\u001b[2J',
  ...fields,
});

interface Part {
  name: string;
  ready: boolean;
  state: string;
  message: string | null;
}

const reactorsIn = async (program: RunningProgram): Promise<Part | undefined> => {
  const { parts } = (await callApi(program, ADMIN_API_KEY, 'GET', '/health/ready')).body as { parts: Part[] };
  return parts.find(({ name }) => name === 'reactors');
};

const objects = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

if (!IS_CLUSTER) {
  test(
    'failed automatic actions can be listed and retried with or without a running service, and appear in the health and the metrics',
    inTemporaryFolder(async (DATA_DIR) => {
      const environment = { DATA_DIR, ADMIN_API_KEY };
      const first = await serve(environment);
      assert.equal((await reactorsIn(first))?.message, null);
      await first.end('SIGTERM');
      const coordination = openSqliteCoordination({ file: join(DATA_DIR, 'coordination.db') });
      await coordination.failedItems.store('check-status', 1n, [held('check0000001'), held('check0000002')]);
      await coordination.failedItems.store('job-results', 1n, [
        held('job000000001', { state: 'retrying', again: Date.now() + 86_400_000, tries: 3 }),
      ]);
      await coordination.close();

      const stopped = await uptrail(environment, 'reactors');
      assert.match(stopped.stdout, /^REACTOR +STATE +HANDLED +WAITING +RETRYING +FAILED +OLDEST\n/);
      assert.match(stopped.stdout, /^alert-deliveries +idle/m);
      assert.match(stopped.stdout, /^check-status +idle/m);
      assert.match(
        stopped.stdout,
        /check0000001 +check-status +failed +1 +2026-11-20T15:00:00 +It can not be done\.\uFFFD\[2J/,
      );
      const listed = objects((await uptrail(environment, 'reactors', '--json')).stdout);
      assert.equal(
        listed.map(({ reactor, item = null, state, given_up = null }) => [reactor, item, state, given_up]),
        [
          ...NAMES.map((name) => [name, null, 'idle', name === 'check-status' ? 2 : 0]),
          ['check-status', 'check0000001', 'given_up', null],
          ['check-status', 'check0000002', 'given_up', null],
          ['job-results', 'job000000001', 'retrying', null],
        ],
      );
      const later = await uptrail(environment, 'reactors', 'retry', 'check-status', 'check0000002');
      assert.is(later.stdout, '1 item will be retried when the service starts.\n');
      for (const [name, item, sentence] of [
        ['nothing', '', /The reactor "nothing" does not exist\. Use one of account-deliveries, alert-deliveries, /],
        ['job-runs', 'job000000001', /The reactor job-runs has no failed item "job000000001"/],
      ] as const) {
        const refused = await uptrail(environment, 'reactors', 'retry', name, ...(item === '' ? [] : [item]));
        assert.is(refused.code, 1);
        assert.match(refused.stderr, sentence);
      }

      const program = await serve(environment);
      // One of the items belongs to no existing check, so the service removes it.
      await eventually(async () => {
        const part = await reactorsIn(program);
        if (!part?.ready || part.state !== 'active') throw new Error(JSON.stringify(part));
        return part.message === 'Some items failed permanently (check-status 1). Run `uptrail reactors`.';
      });
      const figures = await (await fetch(`${program.address}/metrics`)).text();
      assert.match(figures, /^reactor_items\{reactor="check-status",state="given_up"\} 1$/m);
      assert.match(figures, /^reactor_items\{reactor="job-results",state="retrying"\} 1$/m);
      assert.match(figures, /^reactor_items\{reactor="job-runs",state="waiting"\} 0$/m);
      assert.match(figures, /^reactor_oldest_item_seconds\{reactor="job-results"\} [1-9]\d*$/m);

      const now = await uptrail(environment, 'reactors', 'retry', 'check-status');
      assert.is(now.stdout, '1 item will be retried now.\n');
      await eventually(async () => ((await reactorsIn(program))?.message ?? null) === null, { within: 60_000 });
      const [status] = objects((await uptrail(environment, 'reactors', '--json')).stdout);
      assert.equal([status?.['state'], status?.['given_up'], status?.['retrying']], ['active', 0, 0]);
      const none = await uptrail(environment, 'reactors', 'retry', 'credit-limits');
      assert.is(none.stdout, 'The reactor credit-limits has no failed items.\n');
      await program.end('SIGTERM');
    }),
  );
}

if (IS_CLUSTER) {
  test(
    'the failed automatic actions of a cluster are listed on any machine',
    inTemporaryFolder(async (DATA_DIR) => {
      const environment = { DATA_DIR, ADMIN_API_KEY };
      const program = await serve(environment);
      const listed = objects((await uptrail(environment, 'reactors', '--json')).stdout);
      assert.equal(
        listed.map(({ reactor }) => reactor),
        NAMES,
      );
      assert.is((await uptrail(environment, 'reactors', 'retry', 'job-runs')).code, 0);
      assert.equal((await reactorsIn(program))?.ready, true);
      await program.end('SIGTERM');
    }),
  );
}

test.run();
