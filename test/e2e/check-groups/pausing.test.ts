import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers, httpServer } from '../../probes/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { createCheck, type CheckClient } from '../checking.ts';
import { callApi, endPrograms, serve } from '../program.ts';
import { eventually, realPause } from '../../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** Time limit for the first run of a new check, or of a check whose group was resumed, in seconds. */
const AT_ONCE = 5;

const test = suite('a paused check group');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'the checks of a paused group do not run, and run within five seconds after the group is resumed or deleted',
  inTemporaryFolder(async (folder) => {
    const { port } = await httpServer((_, response) => {
      response.end('ok');
    });
    const program = await serve({ DATA_DIR: `${folder}/data`, ADMIN_API_KEY });
    const callAs = (method: string, path: string, body?: object) => callApi(program, ADMIN_API_KEY, method, path, body);
    const make = async (name: string): Promise<{ id: string; check: CheckClient }> => {
      const group = await callAs('POST', '/v1/check-groups', { name, active: false });
      const { id } = group.body as { id: string };
      const definition = {
        name,
        type: 'web',
        url: `http://127.0.0.1:${port}/`,
        interval: 86_400,
        group_id: id,
      };
      return { id, check: await createCheck(program, ADMIN_API_KEY, definition) };
    };
    const [one, two] = [await make('Switched on'), await make('Deleted')];
    await realPause((AT_ONCE + 1) * 1_000, 'a check that is not paused would have run by now');
    for (const { check } of [one, two]) {
      assert.equal(await check.results(), []);
      const { body } = await callAs('GET', check.path);
      assert.is((body as { suspended_reason: string }).suspended_reason, 'Its group is paused.');
    }

    assert.is((await callAs('POST', `${two.check.path}/execute`)).status, 202);
    await two.check.reaches('up', AT_ONCE);
    assert.is((await two.check.results()).length, 1);

    await callAs('PATCH', `/v1/check-groups/${one.id}`, { active: true });
    await one.check.reaches('up', AT_ONCE);
    assert.is((await callAs('DELETE', `/v1/check-groups/${two.id}`)).status, 204);
    await eventually(async () => (await two.check.results()).length >= 2, {
      what: 'the check of the deleted group has run',
    });
    assert.is((await program.end('SIGTERM')).code, 0);
  }),
);

test.run();
