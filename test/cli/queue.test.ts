import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeDataDirectory } from '../../service/embedded/data-directory.ts';
import { serveCommands, requestFromService } from '../../service/command-socket.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { listQueue } from '../../cli/queue.ts';
import { readQueues, type RegionQueue } from '../../service/run/queues.ts';
import type { RunMessage } from '../../runners/run-message.ts';
import { openInProcessQueue } from '../../stores/work-queue/in-process.ts';
import { CHECK, ORGANIZATION } from '../domain/check/examples.ts';
import { rejects } from '../rejects.ts';
import { collectLines } from '../service/lines.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { eventually } from '../waiting.ts';

const test = suite('uptrail queue');

const SLOT = Date.UTC(2026, 10, 20, 15);
const payload: RunMessage = {
  check_id: CHECK,
  organization_id: ORGANIZATION,
  slot: SLOT,
  result_type: 'regular',
  execution_id: null,
  execution_group_id: null,
  answer_by: null,
  definition: {
    type: 'web',
    url: 'https://shop.example/',
    host: null,
    port: null,
    timeout: 10,
    parameters: { http_request: { password: 'secret' } },
  },
};

/**
 * Opens the queues of two regions. One queue contains a parked run and a run in progress, and the other queue contains
 * a waiting run.
 */
const queues = async () => {
  const queue = openInProcessQueue({ retries: [] });
  const stop = new AbortController();
  let letGo = (): void => undefined;
  const under = new Promise<void>((resolve) => (letGo = resolve));
  const consuming = queue.consume(
    'eu-west1',
    async ({ run_id }) => {
      if (run_id === 'bad') throw new Error('The tool is missing.');
      await under;
    },
    { concurrency: 1, signal: stop.signal },
  );
  const not_after = Date.now() + 60_000;
  await queue.offer({ run_id: 'bad', region: 'eu-west1', not_after, payload });
  await queue.offer({ run_id: 'good', region: 'eu-west1', not_after, payload });
  await queue.offer({ run_id: 'later', region: 'in-mum1', not_after, payload: { ...payload, check_id: null } });
  await eventually(async () => (await queue.parked('eu-west1')).length > 0);
  const end = async (): Promise<void> => {
    letGo();
    stop.abort();
    await consuming;
    await queue.close();
  };
  return { queue, end };
};

test('uptrail queue shows waiting, running and parked runs by region, without definitions', async () => {
  const { queue, end } = await queues();
  const regions = await readQueues(queue);
  const parked = {
    run_id: 'bad',
    check_id: CHECK,
    execution_id: null,
    type: 'web',
    slot: '2026-11-20T15:00:00.000000',
  };
  assert.equal(regions, [
    { region: 'EU, West', waiting: 0, in_flight: 1, parked_count: 1, parked: [parked] },
    { region: 'IN, Mumbai', waiting: 1, in_flight: 0, parked_count: 0, parked: [] },
  ]);
  const output = collectLines();
  await listQueue(regions, { json: false }, output);
  assert.equal(
    output.lines.map((line) => line.replace(/ {2,}/g, '  ')),
    [
      'REGION  WAITING  IN FLIGHT  PARKED',
      'EU, West  0  1  1',
      'IN, Mumbai  1  0  0',
      '',
      'PARKED RUN  REGION  TYPE  CHECK  JOB  DUE (UTC)',
      `bad  EU, West  web  ${CHECK}  -  2026-11-20T15:00:00`,
    ],
  );
  await end();
});

test('uptrail queue --json writes one object for each region, and uptrail queue omits the table of parked runs if it is empty', async () => {
  const idle: RegionQueue[] = [{ region: 'EU, West', waiting: 3, in_flight: 2, parked_count: 0, parked: [] }];
  const output = collectLines();
  await listQueue(idle, { json: true }, output);
  assert.equal(JSON.parse(output.lines.join('')), idle[0]);
  const plain = collectLines();
  await listQueue(idle, { json: false }, plain);
  assert.is(plain.lines.length, 2);
});

test(
  'uptrail queue contacts the service over a socket that only its owner can use',
  inTemporaryFolder(async (folder) => {
    const directory = makeDataDirectory(join(folder, 'data'));
    const stop = await serveCommands(directory, { '/queue': async () => [{ region: 'EU, West' }] });
    assert.is(statSync(directory.socket).mode & 0o777, 0o600);
    assert.equal(await requestFromService(directory, '/queue'), [{ region: 'EU, West' }]);
    await rejects(
      requestFromService(directory, '/toString'),
      OperatorError,
      'The running service does not support this request. Is it another release?',
    );
    await stop();
    assert.not.ok(existsSync(directory.socket));
    await rejects(requestFromService(directory, '/queue'), OperatorError, /^No service is running on /);
  }),
);

test(
  'uptrail queue shows the error message of the service, and a new service replaces the socket of a killed one',
  inTemporaryFolder(async (folder) => {
    const directory = makeDataDirectory(join(folder, 'data'));
    writeFileSync(directory.socket, '');
    chmodSync(directory.socket, 0o400);
    const stop = await serveCommands(directory, {
      '/queue': () => Promise.reject(new Error('The queue can not be read.')),
    });
    await rejects(requestFromService(directory, '/queue'), OperatorError, 'The queue can not be read.');
    await stop();
  }),
);

test(
  'a service reports that the path of its socket is too long',
  inTemporaryFolder(async (folder) => {
    const directory = makeDataDirectory(join(folder, 'a-long-name-'.repeat(12)));
    await rejects(serveCommands(directory, {}), Error, /is too long for a socket\.$/);
  }),
);

test.run();
