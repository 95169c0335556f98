import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { eventually } from '../../waiting.ts';
import { createCheck } from '../checking.ts';
import { requestRun, waitForOutcome } from '../polling.ts';
import { endPrograms, serve } from '../program.ts';
import {
  ADMIN_API_KEY,
  waitForConnected,
  createRunner,
  openPausableSite,
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
  'a run in progress on a remote runner is stored once, although the service is killed and restarted in between',
  inTemporaryFolder(async (folder) => {
    const PORT = (await freePort()).toString();
    const environment = { DATA_DIR: `${folder}/service`, ADMIN_API_KEY, PORT };
    const before = await serve(environment);
    const site = await openPausableSite();
    const { id, token, region } = await createRunner(before, { name: 'Cellar' });
    const runner = await startRunner(before, { token, folder });
    await waitForConnected(before, id);
    const check = await createCheck(before, ADMIN_API_KEY, createShopCheck(region, site.url));
    await check.reaches('up', SOON);
    const requested = site.requestCount();
    site.pause();
    const job = await requestRun(before, ADMIN_API_KEY, `${check.path}/execute`);
    await eventually(() => site.requestCount() > requested);
    await before.end('SIGKILL');
    site.release();
    const after = await serve(environment);
    await waitForConnected(after, id);
    assert.is((await waitForOutcome(after, ADMIN_API_KEY, job, SOON)).result?.status, 'ok');
    const another = await requestRun(after, ADMIN_API_KEY, `${check.path}/execute`);
    assert.is((await waitForOutcome(after, ADMIN_API_KEY, another, SOON)).result?.status, 'ok');
    const stored = await storedResults(after, `check_id=${check.id}`);
    assert.is(stored.filter(({ result_type }) => result_type === 'on_demand').length, 2);
    assert.is(new Set(stored.map((result) => result.id)).size, stored.length);
    assert.is((await runner.end('SIGTERM')).code, 0);
    assert.is((await after.end('SIGTERM')).code, 0);
  }),
);

test.run();
