import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../cli/temporary.ts';
import { rawServer } from '../runners/web/servers.ts';
import { ask, endPrograms, serve } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const INTERVAL = 30;

const test = suite('a check of type tcp');
test.after.each(endPrograms);

test(
  'is created, run and read over HTTP',
  inTemporaryFolder(async (DATA_DIR) => {
    const target = await rawServer((socket) => socket.once('data', () => socket.write('+PONG')));
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    const call = (method: string, path: string, body?: object) => ask(program, ADMIN_API_KEY, method, path, body);
    const definition = { name: 'Cache', type: 'tcp', interval: INTERVAL, timeout: 2, host: '127.0.0.1' };

    const portless = await call('POST', '/v1/checks', definition);
    assert.is(portless.status, 422);
    const parameters = { send_text: 'PING\r\n', search_text: '+PONG' };
    const created = await call('POST', '/v1/checks', { ...definition, port: target.port, parameters });
    assert.is(created.status, 201, JSON.stringify(created.body));
    const path = `/v1/checks/${(created.body as { id: string }).id}`;

    // Its turn comes within the interval; a second more for what is not the run itself.
    const until = Date.now() + (INTERVAL + 3) * 1_000;
    for (let seen = ''; seen !== 'up';) {
      if (Date.now() > until) assert.unreachable(`the check is ${seen}, not up`);
      await new Promise((later) => setTimeout(later, 200));
      seen = ((await call('GET', path)).body as { status: string }).status;
    }
    const { results } = (await call('GET', `${path}/results`)).body as {
      results: { status: string; response_time: number; check_metadata: Record<string, unknown> }[];
    };
    const [result] = results;
    assert.is(result?.status, 'ok');
    assert.ok(Number.isInteger(result?.response_time));
    const { connected, host, port, address } = result?.check_metadata ?? {};
    assert.equal([connected, host, port, address], [true, '127.0.0.1', target.port, '127.0.0.1']);

    const api = { name: 'API', type: 'api', interval: INTERVAL, url: `http://127.0.0.1:${target.port.toString()}/` };
    assert.is((await call('POST', '/v1/checks', api)).status, 201);
    await target.close();
    await program.end('SIGTERM');
  }),
);

test.run();
