import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROTOCOL, PROTOCOL_HEADER, ROOT, type Hello, type Welcome } from '../../runners/remote/protocol.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { eventually } from '../waiting.ts';
import { callApi, endPrograms, serve } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

type Program = Awaited<ReturnType<typeof serve>>;

const test = suite('a region that a remote runner serves');
test.after.each(endPrograms);

/** Returns the state and the message of the part `runners` in `/health/ready`. */
const runnersOf = async ({ address }: Program): Promise<[state: string, message: string | null]> => {
  const { parts } = (await (await fetch(`${address}/health/ready`)).json()) as {
    parts: { name: string; ready: boolean; state: string; message: string | null }[];
  };
  const part = parts.find(({ name }) => name === 'runners');
  assert.is(part?.ready, true);
  return [part?.state ?? '', part?.message ?? null];
};

/** Connects to the service as a runner does. @returns a function that ends the connection */
const connect = async ({ address }: Program, token: string): Promise<() => void> => {
  const headers = {
    authorization: `Bearer ${token}`,
    [PROTOCOL_HEADER]: PROTOCOL.toString(),
    'content-type': 'application/json',
  };
  const hello: Hello = {
    protocol: PROTOCOL,
    release: '0.1.0',
    instance: 'one-of-this-test',
    region: null,
    types: ['web'],
    lacking: [],
    capacity: 1,
    clock: Date.now(),
  };
  const sessions = `${address}${ROOT}/sessions`;
  const reply = await fetch(sessions, { method: 'POST', headers, body: JSON.stringify(hello) });
  const { session } = (await reply.json()) as Welcome;
  const ending = new AbortController();
  const work = await fetch(`${sessions}/${session}/work`, { headers, signal: ending.signal });
  assert.is(work.status, 200);
  work.body?.pipeTo(new WritableStream()).catch(() => undefined);
  return () => {
    ending.abort();
  };
};

test(
  'the health endpoint reports a region without a connected remote runner, also after a restart',
  inTemporaryFolder(async (DATA_DIR) => {
    const options = { DATA_DIR, ADMIN_API_KEY };
    let program = await serve(options);
    assert.equal(await runnersOf(program), ['serving', null]);
    const made = await callApi(program, ADMIN_API_KEY, 'POST', '/v1/runners', { name: 'West', region: 'eu-west1' });
    assert.is(made.status, 201);
    const { id, token } = made.body as { id: string; token: string };
    const isCutOff = async (): Promise<boolean> => {
      const [state, message] = await runnersOf(program);
      return state === 'missing' && message?.startsWith('No remote runner is connected for: EU, West') === true;
    };
    await eventually(isCutOff);

    const disconnect = await connect(program, token);
    await eventually(async () => !(await isCutOff()));
    assert.equal(await runnersOf(program), ['serving', null]);
    disconnect();
    await eventually(isCutOff);
    assert.match((await runnersOf(program))[1] ?? '', / \(since [\d-]+T[\d:]+ UTC\)\.$/);

    await program.end('SIGTERM');
    program = await serve(options);
    await eventually(isCutOff);
    await callApi(program, ADMIN_API_KEY, 'DELETE', `/v1/runners/${id}`);
    await eventually(async () => !(await isCutOff()));
  }),
);

test.run();
