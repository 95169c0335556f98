import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers } from '../../probes/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { endPrograms, serve, startOne, uptrail } from '../program.ts';
import { ADMIN_API_KEY, waitForConnected, createRunner } from './remote.ts';

const test = suite('the token of a remote runner');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'the token of a remote runner is valid for its region only',
  inTemporaryFolder(async (folder) => {
    const service = await serve({ DATA_DIR: `${folder}/service`, ADMIN_API_KEY });
    const { id, token } = await createRunner(service, { name: 'West', region: 'eu-west1' });
    const start = (...region: string[]) =>
      uptrail(
        { UPTRAIL_RUNNER_TOKEN: token, DATA_DIR: folder, PORT: '' },
        'run',
        '--server',
        service.address,
        '--region',
        ...region,
      );
    const refused = await start('in-mum1');
    assert.is(refused.code, 1);
    assert.match(refused.stderr, /This token is for region "EU, West", not for "in-mum1"/);
    const runner = await startOne(['run', '--server', service.address, '--region', 'eu-bel1'], {
      UPTRAIL_RUNNER_TOKEN: token,
      DATA_DIR: folder,
      PORT: '',
    });
    await waitForConnected(service, id);
    assert.is((await runner.end('SIGTERM')).code, 0);
  }),
);

test.run();
