import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tokenOfLink } from '../../account-links.ts';
import { skippedWithoutCluster, startClusterServers } from '../cluster-servers.ts';
import { callApi, endPrograms, startOne, uptrail, type RunningProgram } from '../program.ts';
import { eventually } from '../../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

/**
 * Tests that changes of API keys and users take effect while their read models are outdated, because the process of
 * `uptrail project` is stopped.
 */
const specifications = (): void => {
  const test = suite('access while `uptrail project` is stopped');
  test.after.each(endPrograms);

  test('while `uptrail project` is stopped, an API key is refused from the moment at which its revocation is confirmed, and a new API key is accepted', async () => {
    const servers = await startClusterServers();
    try {
      const environment = { ...servers.environment, ADMIN_API_KEY };
      let api = await startOne(['api'], environment);
      const project = await startOne(['project'], environment);
      const statusOf = async (key: string): Promise<number> => (await callApi(api, key, 'GET', '/v1/pages')).status;
      const until = async (key: string, wanted: number): Promise<void> => {
        await eventually(async () => (await statusOf(key)) === wanted, { within: 60_000 });
      };
      await until(ADMIN_API_KEY, 200);
      // The key may be accepted before the read model of organizations contains the first organization.
      let organization: string | undefined;
      while (organization === undefined) {
        const { body } = await callApi(api, ADMIN_API_KEY, 'GET', '/v1/organizations');
        organization = (body as { id: string }[])[0]?.id;
      }
      const make = async (name: string): Promise<{ id: string; token: string }> => {
        const of = ['--organization', organization, '--role', 'editor', '--name', name, '--json'];
        const { code, stdout, stderr } = await uptrail(environment, 'api-key', 'create', ...of);
        assert.is(code, 0, stderr);
        return JSON.parse(stdout) as { id: string; token: string };
      };
      const revoke = async (id: string): Promise<void> => {
        const { code, stdout, stderr } = await uptrail(environment, 'api-key', 'revoke', id);
        assert.is(code, 0, stdout + stderr);
      };
      const former = await make('former');
      await until(former.token, 200);

      process.kill(project.pid, 'SIGSTOP');
      await revoke(former.id);
      assert.is(await statusOf(former.token), 401, 'although the read model still contains the key');
      const made = await make('made meanwhile');
      await until(made.token, 200);
      await revoke(made.id);
      assert.is(await statusOf(made.token), 401, 'although the read model has never contained the key');

      // An API process that starts now can't know how far the read model lags, because the projection engine is
      // stopped. So the API process must read the log to find out whether the keys are revoked.
      const ended = api.end('SIGTERM');
      api = await startOne(['api'], environment);
      await until(ADMIN_API_KEY, 200);
      assert.equal([await statusOf(former.token), await statusOf(made.token)], [401, 401], 'after a restart');
      assert.is((await ended).code, 0);

      process.kill(project.pid, 'SIGCONT');
      assert.equal([await statusOf(former.token), await statusOf(made.token)], [401, 401]);
      for (const { code, stderr } of await Promise.all([api, project].map((program) => program.end('SIGTERM')))) {
        assert.is(code, 0, stderr);
      }
    } finally {
      await endPrograms();
      await servers.stop();
    }
  });

  test('while `uptrail project` is stopped, a demotion takes rights from a user in every process, and a removal ends the session of the user', async () => {
    const servers = await startClusterServers();
    try {
      const environment = { ...servers.environment, ADMIN_API_KEY };
      const [here, there] = [await startOne(['api'], environment), await startOne(['api'], environment)];
      const project = await startOne(['project'], environment);
      const apis = [here, there];
      const statusOf = async (api: RunningProgram, key: string, method: string, path: string, body?: object) =>
        (await callApi(api, key, method, path, body)).status;
      const until = async (condition: () => Promise<boolean>): Promise<void> => {
        await eventually(condition, { within: 60_000 });
      };
      await until(async () => (await statusOf(here, ADMIN_API_KEY, 'GET', '/v1/pages')) === 200);

      const password = 'nobody has this one';
      const email = 'ann@example.com';
      const invited = await callApi(here, ADMIN_API_KEY, 'POST', '/v1/users/invite', { email, role: 'editor' });
      assert.is(invited.status, 200, JSON.stringify(invited.body));
      const { invitation_url: url } = invited.body as { invitation_url: string };
      const token = tokenOfLink(url);
      const accepted = await callApi(there, '', 'POST', '/v1/users/reset-password', { token, new_password: password });
      assert.is(accepted.status, 200, JSON.stringify(accepted.body));
      let session: { access_token: string; user: { id: string } } | undefined;
      await until(async () => {
        const { status, body } = await callApi(here, '', 'POST', '/v1/login', { email, password });
        if (status === 200) session = body as typeof session;
        return status === 200;
      });
      const { access_token: access = '', user } = session ?? {};
      const writes = (api: RunningProgram) => statusOf(api, access, 'POST', '/v1/pages', {});
      // 422 means that the role may create pages, but the request lacks a name.
      for (const api of apis) await until(async () => (await writes(api)) === 422);

      process.kill(project.pid, 'SIGSTOP');
      const person = `/v1/users/${user?.id ?? ''}`;
      // The responses may be 202, because the read model is not updated now.
      const demoted = await callApi(here, ADMIN_API_KEY, 'PATCH', person, { role: 'viewer' });
      assert.ok(demoted.status < 300, JSON.stringify(demoted.body));
      assert.is(await writes(here), 403, 'in the process that handled the request, before it responds');
      await until(async () => (await writes(there)) === 403);

      const removed = await callApi(there, ADMIN_API_KEY, 'DELETE', person);
      assert.ok(removed.status < 300, JSON.stringify(removed.body));
      assert.is(await writes(there), 401);
      await until(async () => (await writes(here)) === 401);

      process.kill(project.pid, 'SIGCONT');
      for (const api of apis) assert.is(await writes(api), 401);
      for (const { code, stderr } of await Promise.all([...apis, project].map((program) => program.end('SIGTERM')))) {
        assert.is(code, 0, stderr);
      }
    } finally {
      await endPrograms();
      await servers.stop();
    }
  });

  test.run();
};

if (!skippedWithoutCluster()) specifications();
