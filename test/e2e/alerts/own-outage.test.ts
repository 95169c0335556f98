import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { createCheck, type CheckClient, type ShownResult } from '../checking.ts';
import { requestRun, waitForOutcome } from '../polling.ts';
import { callApi, endPrograms, serve, type RunningProgram } from '../program.ts';
import { eventually, realPause } from '../../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const TIMEOUT = 2;

const test = suite('a runner without network access');
test.after.each(endPrograms);

const open = new Set<Server>();
test.after.each(async () => {
  await Promise.all([...open].map(close));
});

/** Opens an anchor, a server that accepts connections. */
const anchor = async (port = 0): Promise<Server> => {
  const server = createServer((socket) => socket.on('error', () => undefined).end()).listen(port, '127.0.0.1');
  await once(server, 'listening');
  open.add(server);
  return server;
};
const close = async (server: Server): Promise<void> => {
  open.delete(server);
  server.close();
  await once(server, 'close');
};
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const get = async (program: RunningProgram, path: string): Promise<unknown> =>
  (await callApi(program, ADMIN_API_KEY, 'GET', path)).body;

/** Runs a check on demand, and waits for the result. */
const run = async (program: RunningProgram, check: CheckClient): Promise<ShownResult & { suspect?: boolean }> => {
  const job = await requestRun(program, ADMIN_API_KEY, `${check.path}/execute`);
  await waitForOutcome(program, ADMIN_API_KEY, job, TIMEOUT + 15);
  const [newest] = await check.results();
  if (!newest) throw new Error('There is no result.');
  return newest;
};

const stateOfAnchors = async (program: RunningProgram): Promise<string | undefined> => {
  const { parts } = (await get(program, '/health/ready')) as { parts: { name: string; state: string }[] };
  return parts.find(({ name }) => name === 'anchors')?.state;
};

test(
  'a runner without network access reports no check as down, and reports its outage once, which ends when it reaches its anchors again',
  inTemporaryFolder(async (DATA_DIR) => {
    const target = await anchor();
    const nobody = portOf(target);
    await close(target);
    const anchors = [await anchor(), await anchor(), await anchor()] as const;
    const ports = anchors.map(portOf);
    const RUNNER_ANCHORS = ports.map((port) => `127.0.0.1:${port}`).join(',');
    const program = await serve({ DATA_DIR, ADMIN_API_KEY, RUNNER_ANCHORS });
    const url = `http://127.0.0.1:${nobody}/`;
    const definition = { name: 'Shop', type: 'web', interval: 3_600, timeout: TIMEOUT, url, active: false };

    const down = await createCheck(program, ADMIN_API_KEY, definition);
    assert.is((await run(program, down)).suspect, false);
    await down.reaches('down', 5);
    assert.is(await stateOfAnchors(program), 'answering');

    for (const server of anchors.slice(1)) await close(server);
    await realPause(1_500, 'the anchors are tried again meanwhile, in another process');
    const check = await createCheck(program, ADMIN_API_KEY, definition);
    const { status, suspect } = await run(program, check);
    assert.equal([status, suspect], ['down', true]);
    assert.is(await stateOfAnchors(program), 'silent');
    const active = async () =>
      (await get(program, '/v1/alerts?status=active')) as { alerts?: { rule_id: string | null; title: string }[] };
    await eventually(async () => (await active()).alerts?.length === 1, { within: 60_000 });
    assert.is((await active()).alerts?.[0]?.rule_id, null);
    assert.is(((await get(program, check.path)) as { status: string }).status, 'pending');

    for (const port of ports.slice(1)) await anchor(port);
    await eventually(async () => (await stateOfAnchors(program)) === 'answering', { within: 60_000 });
    assert.is((await run(program, check)).suspect, false);
    await check.reaches('down', 5);
    assert.is((await program.end('SIGTERM')).code, 0);
  }),
);

test.run();
