import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../cli/temporary.ts';
import { ask, endPrograms, serve } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const INTERVAL = 30;
const TIMEOUT = 5;

const listening = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((_request, response) => response.end('All is well.'));
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve(server);
    });
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });

const test = suite('a check of a real server');
test.after.each(endPrograms);

test(
  'comes up, goes down with a sentence that says why, and recovers, each within an interval and the timeout',
  inTemporaryFolder(async (DATA_DIR) => {
    let target = await listening(0);
    const { port } = target.address() as AddressInfo;
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    const { status, body } = await ask(program, ADMIN_API_KEY, 'POST', '/v1/checks', {
      name: 'Front page',
      type: 'web',
      interval: INTERVAL,
      timeout: TIMEOUT,
      url: `http://127.0.0.1:${port}/`,
      parameters: { search_text: 'well' },
    });
    assert.is(status, 201);
    const path = `/v1/checks/${(body as { id: string }).id}`;
    assert.is((body as { status: string }).status, 'pending');

    const reaches = async (wanted: string): Promise<void> => {
      // A second more for what is not the run itself: fold, decide, fold.
      const until = Date.now() + (INTERVAL + TIMEOUT + 1) * 1_000;
      for (let seen = ''; seen !== wanted;) {
        if (Date.now() > until) assert.unreachable(`the check is ${seen}, not ${wanted}`);
        await new Promise((later) => setTimeout(later, 200));
        const answer = await ask(program, ADMIN_API_KEY, 'GET', path);
        seen = (answer.body as { status: string }).status;
      }
    };
    const newest = async () => {
      const answer = await ask(program, ADMIN_API_KEY, 'GET', `${path}/results?page_size=1`);
      return (answer.body as { results: { status: string; error_message: string | null }[] }).results[0];
    };

    await reaches('up');
    assert.is((await newest())?.status, 'ok');
    await closed(target);
    await reaches('down');
    const bad = await newest();
    assert.is(bad?.status, 'down');
    assert.match(bad?.error_message ?? '', /refused.*\.$/i);
    target = await listening(port);
    await reaches('up');
    assert.is((await newest())?.status, 'ok');
    await closed(target);
    await program.end('SIGTERM');
  }),
);

test.run();
