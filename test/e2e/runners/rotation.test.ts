import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers } from '../../probes/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { eventually } from '../../waiting.ts';
import { createCheck } from '../checking.ts';
import { execute, outcomeOf } from '../polling.ts';
import { answered, endPrograms, serve } from '../program.ts';
import {
  ADMIN_API_KEY,
  connected,
  createRunner,
  heldSite,
  saysRevoked,
  shopIn,
  startRunner,
  type CreatedRunner,
} from './remote.ts';

/** seconds */
const SOON = 60;

const test = suite('the token of a remote runner');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'the token of a remote runner is rotated without a gap',
  inTemporaryFolder(async (folder) => {
    const service = await serve({ DATA_DIR: `${folder}/service`, ADMIN_API_KEY });
    const site = await heldSite();
    const former = await createRunner(service, { name: 'Cellar' });
    const before = await startRunner(service, { token: former.token, folder: `${folder}/before` });
    await connected(service, former.id);
    const check = await createCheck(service, ADMIN_API_KEY, shopIn(former.region, site.url));
    const run = async (): Promise<void> => {
      const job = await execute(service, ADMIN_API_KEY, `${check.path}/execute`);
      assert.is((await outcomeOf(service, ADMIN_API_KEY, job, SOON)).result?.status, 'ok');
    };
    await run();
    const { token } = await answered<CreatedRunner>(
      service,
      ADMIN_API_KEY,
      200,
      'POST',
      `/v1/runners/${former.id}/rotate`,
      {},
    );
    await run();
    const job = await execute(service, ADMIN_API_KEY, `${check.path}/execute`);
    const after = await startRunner(service, { token, folder: `${folder}/after` });
    assert.is((await outcomeOf(service, ADMIN_API_KEY, job, SOON)).result?.status, 'ok');
    await eventually(() => saysRevoked(before));
    await connected(service, former.id);
    await run();
    assert.is((await before.end('SIGTERM')).code, 0);
    assert.is((await after.end('SIGTERM')).code, 0);
  }),
);

test.run();
