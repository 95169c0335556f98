import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { skippedWithoutCluster, startClusterServers } from '../cluster-servers.ts';
import { ask, endPrograms, startOne, uptrail } from '../program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

/** Keys that are refused where nothing keeps their read model up to date. */
const specifications = (): void => {
  const test = suite('while uptrail project does not work');
  test.after.each(endPrograms);

  test('a revoked key is refused once its revocation is said to be done, and a new one is taken', async () => {
    const servers = await startClusterServers();
    try {
      const environment = { ...servers.environment, ADMIN_API_KEY };
      let api = await startOne(['api'], environment);
      const project = await startOne(['project'], environment);
      const statusOf = async (key: string): Promise<number> => (await ask(api, key, 'GET', '/v1/pages')).status;
      const until = async (key: string, wanted: number): Promise<void> => {
        while ((await statusOf(key)) !== wanted) await new Promise((later) => setTimeout(later, 50));
      };
      await until(ADMIN_API_KEY, 200);
      // The key may be known before the read model of organizations has its first one.
      let organization: string | undefined;
      while (organization === undefined) {
        const { body } = await ask(api, ADMIN_API_KEY, 'GET', '/v1/organizations');
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
      assert.is(await statusOf(former.token), 401, 'though the read model still has it');
      const made = await make('made meanwhile');
      await until(made.token, 200);
      await revoke(made.id);
      assert.is(await statusOf(made.token), 401, 'which the read model never had');

      // To a process that begins to listen now, what an engine said last may have been said a moment ago.
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

  test.run();
};

if (!skippedWithoutCluster()) specifications();
