import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { randomFrom } from '../contracts/random.ts';
import { closeServers, httpServer } from '../probes/web/servers.ts';
import { freePort } from '../servers/ports.ts';
import { createCheck, type CheckClient } from './checking.ts';
import { callApi, endPrograms, IS_CLUSTER, serve, uptrail, type RunningProgram } from './program.ts';
import { eventually, realPause } from '../waiting.ts';

const MOMENT = 'checks are changed, and the program is killed, at any moment';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** Number of kills. It is smaller in a cluster, where each kill takes as long as a takeover. */
const KILLS = IS_CLUSTER ? 2 : 5;
/** Number of new checks between two kills. */
const CHECKS = 12;
const TIMEOUT = 5;

interface Stored {
  id: string;
  data: { result_id: string; run_id: string; check_id: string };
}

const test = suite('kill -9 while checks run');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'kill -9 while checks run causes no duplicate results, and runs continue after the next start',
  inTemporaryFolder(async (DATA_DIR) => {
    const random = randomFrom(20_261_121);
    const target = await httpServer((_request, response) => {
      setTimeout(() => response.end('All is well.'), random.below(300));
    });
    const url = `http://127.0.0.1:${target.port}/`;
    const PORT = (await freePort()).toString();
    const start = (): Promise<RunningProgram> => serve({ DATA_DIR, ADMIN_API_KEY, PORT });
    const checks: CheckClient[] = [];

    /** Causes runs: a check runs immediately after it is created, and after its URL is changed. */
    const cause = async (program: RunningProgram, kill: number): Promise<void> => {
      const create = async (number: number): Promise<void> => {
        await realPause(random.below(300), MOMENT);
        const definition = { name: `Check ${kill}.${number}`, type: 'web', interval: 30, timeout: TIMEOUT, url };
        checks.push(await createCheck(program, ADMIN_API_KEY, definition));
      };
      const change = async ({ path }: CheckClient): Promise<void> => {
        await realPause(random.below(600), MOMENT);
        await callApi(program, ADMIN_API_KEY, 'PATCH', path, { url: `${url}?kill=${kill}` });
      };
      const requested = [...checks.map(change), ...Array.from({ length: CHECKS }, (_, number) => create(number))];
      for (const outcome of await Promise.allSettled(requested)) {
        // A request whose connection was lost has no response. Any other failure is a defect.
        if (outcome.status === 'fulfilled') continue;
        const { reason } = outcome as { reason: unknown };
        if (!(reason instanceof TypeError || reason instanceof SyntaxError)) throw reason;
      }
    };

    for (let kill = 0; kill < KILLS; kill++) {
      const program = await start();
      const before = checks.length;
      const caused = cause(program, kill);
      // In a cluster, the new processes must first take over the leases of the killed ones.
      await Promise.race([caused, eventually(() => checks.length > before, { within: 60_000 })]);
      await realPause(500 + random.below(1_000), MOMENT);
      await program.end('SIGKILL');
      await caused;
    }

    const program = await start();
    assert.ok(checks.length > KILLS, 'checks were created between the kills');
    await Promise.all(checks.map(({ reaches }) => reaches('up', 30 + TIMEOUT)));
    // Checks are paused, so that no run adds a result to the log after the results were read through the API.
    await Promise.all(checks.map(({ path }) => callApi(program, ADMIN_API_KEY, 'PATCH', path, { active: false })));
    await realPause(1_000, 'runs in progress end meanwhile');
    const shown = (await Promise.all(checks.map(({ results }) => results()))).flat();
    assert.is((await program.end('SIGTERM')).code, 0);
    await target.close();

    const { stdout } = await uptrail({ DATA_DIR }, 'replay', '--log', 'results', '--type', 'CheckRunCompleted');
    const stored = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Stored);
    assert.is(new Set(stored.map(({ id }) => id)).size, stored.length, 'no event is stored twice');
    assert.is(new Set(stored.map(({ data }) => data.run_id)).size, stored.length, 'no run has two results');
    const acknowledged = new Set(checks.map(({ id }) => id));
    const ofThese = stored.filter(({ data }) => acknowledged.has(data.check_id));
    assert.equal(shown.map(({ id }) => id).sort(), ofThese.map(({ data }) => data.result_id).sort());
  }),
);

test.run();
