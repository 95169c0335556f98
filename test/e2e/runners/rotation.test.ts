import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers } from '../../probes/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { eventually } from '../../waiting.ts';
import { createCheck } from '../checking.ts';
import { requestRun, waitForOutcome } from '../polling.ts';
import { callApiExpecting, endPrograms, serve } from '../program.ts';
import {
  ADMIN_API_KEY,
  waitForConnected,
  createRunner,
  openPausableSite,
  logsRevocation,
  createShopCheck,
  startRunner,
  type CreatedRunner,
} from './remote.ts';

/** Time limit for the outcome of a job, in seconds. */
const SOON = 60;

const test = suite('the token of a remote runner');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'a rotation of a remote runner’s token interrupts no runs',
  inTemporaryFolder(async (folder) => {
    const service = await serve({ DATA_DIR: `${folder}/service`, ADMIN_API_KEY });
    const site = await openPausableSite();
    const former = await createRunner(service, { name: 'Cellar' });
    const before = await startRunner(service, { token: former.token, folder: `${folder}/before` });
    await waitForConnected(service, former.id);
    const check = await createCheck(service, ADMIN_API_KEY, createShopCheck(former.region, site.url));
    const run = async (): Promise<void> => {
      const job = await requestRun(service, ADMIN_API_KEY, `${check.path}/execute`);
      assert.is((await waitForOutcome(service, ADMIN_API_KEY, job, SOON)).result?.status, 'ok');
    };
    await run();
    const { token } = await callApiExpecting<CreatedRunner>(
      service,
      ADMIN_API_KEY,
      200,
      'POST',
      `/v1/runners/${former.id}/rotate`,
      {},
    );
    await run();
    const job = await requestRun(service, ADMIN_API_KEY, `${check.path}/execute`);
    const after = await startRunner(service, { token, folder: `${folder}/after` });
    assert.is((await waitForOutcome(service, ADMIN_API_KEY, job, SOON)).result?.status, 'ok');
    await eventually(() => logsRevocation(before));
    await waitForConnected(service, former.id);
    await run();
    assert.is((await before.end('SIGTERM')).code, 0);
    assert.is((await after.end('SIGTERM')).code, 0);
  }),
);

test.run();
