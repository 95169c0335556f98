import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers } from '../../probes/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { eventually } from '../../waiting.ts';
import { createCheck } from '../checking.ts';
import { requestRun, waitForOutcome } from '../polling.ts';
import { callApiExpecting, endPrograms, serve, uptrail } from '../program.ts';
import {
  ADMIN_API_KEY,
  waitForConnected,
  createRunner,
  openPausableSite,
  logsRevocation,
  createShopCheck,
  startRunner,
  storedResults,
} from './remote.ts';

/** Time limit for the outcome of a job, in seconds. */
const SOON = 60;

const test = suite('the token of a remote runner');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'a revocation of a remote runner’s token ends the runner’s session immediately, and its runs in progress are not stored',
  inTemporaryFolder(async (folder) => {
    const service = await serve({ DATA_DIR: `${folder}/service`, ADMIN_API_KEY });
    const site = await openPausableSite();
    const taken = await createRunner(service, { name: 'Taken' });
    const other = await createRunner(service, { name: 'Other', region: taken.region });
    const runner = await startRunner(service, { token: taken.token, folder: `${folder}/taken` });
    await waitForConnected(service, taken.id);
    const check = await createCheck(service, ADMIN_API_KEY, createShopCheck(taken.region, site.url));
    await check.reaches('up', SOON);
    const requested = site.requestCount();
    site.pause();
    const job = await requestRun(service, ADMIN_API_KEY, `${check.path}/execute`);
    await eventually(() => site.requestCount() === requested + 1);
    await callApiExpecting(service, ADMIN_API_KEY, 204, 'DELETE', `/v1/runners/${taken.id}`);
    await eventually(() => logsRevocation(runner));
    site.release();
    await startRunner(service, { token: other.token, folder: `${folder}/other` });
    const { result } = await waitForOutcome(service, ADMIN_API_KEY, job, SOON);
    assert.is(result?.status, 'ok');
    const stored = (await storedResults(service, `check_id=${check.id}`)).filter(
      ({ result_type }) => result_type === 'on_demand',
    );
    assert.equal(
      stored.map(({ check_server }) => check_server.server_metadata.runner),
      ['Other'],
    );
    // A process that was never accepted reports the revoked token, and exits.
    const refused = await uptrail(
      { UPTRAIL_RUNNER_TOKEN: taken.token, DATA_DIR: `${folder}/refused`, PORT: '' },
      'run',
      '--server',
      service.address,
    );
    assert.is(refused.code, 1);
    assert.match(refused.stderr, /unknown or was revoked/);
  }),
);

test.run();
