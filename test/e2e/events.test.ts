import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openEvents } from '../api/v1/events/stream.ts';
import { freePort } from '../servers/ports.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { createCheck } from './checking.ts';
import { callApiExpecting, endPrograms, serve, type RunningProgram } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('clients of the change stream');
test.after.each(endPrograms);

const portOf = ({ address }: RunningProgram): number => Number(new URL(address).port);

const PAUSED = { name: 'Shop', type: 'tcp', host: '127.0.0.1', port: 9, interval: 3_600, active: false };

test(
  'a client of the change stream is notified when a check goes down and its alert fires, and catches up after a restart',
  inTemporaryFolder(async (DATA_DIR) => {
    const environment = { DATA_DIR, ADMIN_API_KEY };
    const program = await serve(environment);
    const stream = await openEvents(portOf(program), ADMIN_API_KEY);
    await stream.received('ready');
    const port = await freePort();
    const check = await createCheck(program, ADMIN_API_KEY, { ...PAUSED, port, active: true });
    await stream.named('check', check.id, 'created');
    await check.reaches('down', 20);
    const down = await stream.named('check', check.id, 'changed');
    assert.is(down.row?.['status'], 'down');
    const { id: group } = await callApiExpecting<{ id: string }>(
      program,
      ADMIN_API_KEY,
      201,
      'POST',
      '/v1/check-groups',
      {
        name: 'Shops',
      },
    );
    await stream.named('check_group', group);
    const since = stream.last();
    // A connection that resumes after the message with the id `since` must also receive the creation of this check.
    const { id: missed } = await callApiExpecting<{ id: string }>(
      program,
      ADMIN_API_KEY,
      201,
      'POST',
      '/v1/checks',
      PAUSED,
    );
    const ended = program.end('SIGTERM');
    await stream.ended();
    await ended;

    const again = await serve(environment);
    const back = await openEvents(portOf(again), ADMIN_API_KEY, { since });
    await back.received('ready');
    const reported = await back.named('check', missed);
    assert.is(reported.row?.['name'], 'Shop');
    assert.not(back.changes().some(({ id }) => id === group));
    assert.not(back.messages().some(({ event }) => event === 'reset'));
  }),
);

test(
  'the change stream of a client ends when the client’s key is revoked',
  inTemporaryFolder(async (DATA_DIR) => {
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    const made = { name: 'tab', role: 'viewer' };
    const { id, token: key } = await callApiExpecting<{ id: string; token: string }>(
      program,
      ADMIN_API_KEY,
      201,
      'POST',
      '/v1/api-keys',
      made,
    );
    const stream = await openEvents(portOf(program), key);
    await stream.received('ready');
    await callApiExpecting(program, ADMIN_API_KEY, 204, 'DELETE', `/v1/api-keys/${id}`);
    await stream.ended();
  }),
);

test.run();
