import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers } from '../../probes/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { eventually } from '../../waiting.ts';
import { createCheck } from '../checking.ts';
import { requestRun, waitForOutcome } from '../polling.ts';
import { endPrograms, serve, type RunningProgram } from '../program.ts';
import {
  ADMIN_API_KEY,
  waitForConnected,
  createRunner,
  openPausableSite,
  runnersOf,
  createShopCheck,
  startRunner,
  storedResults,
} from './remote.ts';

/** Time limit for the outcome of a job, in seconds. */
const SOON = 60;
const test = suite('a run in progress on a remote runner');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'another runner of the region takes over a run in progress when its remote runner is killed or stopped',
  inTemporaryFolder(async (folder) => {
    const service = await serve({ DATA_DIR: `${folder}/service`, ADMIN_API_KEY });
    const site = await openPausableSite();
    const first = await createRunner(service, { name: 'First' });
    const second = await createRunner(service, { name: 'Second', region: first.region });
    assert.equal(
      (await runnersOf(service)).map(({ alone }) => alone),
      [false, false],
    );
    const started = async ({ id, token }: typeof first): Promise<RunningProgram> => {
      const program = await startRunner(service, { token, folder: `${folder}/${id}` });
      await waitForConnected(service, id);
      return program;
    };
    let alone = await started(first);
    const check = await createCheck(service, ADMIN_API_KEY, createShopCheck(first.region, site.url));
    await check.reaches('up', SOON);

    for (const [from, to, signal] of [
      [first, second, 'SIGKILL'],
      [second, first, 'SIGTERM'],
    ] as const) {
      const before = site.requestCount();
      site.pause();
      const job = await requestRun(service, ADMIN_API_KEY, `${check.path}/execute`);
      await eventually(() => site.requestCount() === before + 1);
      const other = await started(to);
      const { code } = await alone.end(signal);
      if (signal === 'SIGTERM') assert.is(code, 0);
      await eventually(() => site.requestCount() === before + 2);
      site.release();
      const { result } = await waitForOutcome(service, ADMIN_API_KEY, job, SOON);
      const [stored, ...others] = await storedResults(service, `result_id=${result?.result_id ?? ''}`);
      assert.equal([stored?.status, stored?.check_server.server_metadata.runner, others.length], ['ok', to.name, 0]);
      await waitForConnected(service, from.id, 0);
      alone = other;
    }
    assert.is((await storedResults(service, `check_id=${check.id}`)).length, 3);
    assert.is((await alone.end('SIGTERM')).code, 0);
    assert.is((await service.end('SIGTERM')).code, 0);
  }),
);

test.run();
