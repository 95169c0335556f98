import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { skippedWithoutCluster, startClusterServers } from '../cluster-servers.ts';
import { readOnceBuilt } from '../polling.ts';
import { callApi, endPrograms, startOne, uptrail, type RunningProgram } from '../program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('moving a service to a cluster and back');
test.after.each(endPrograms);

const done = async (environment: Record<string, string>, ...parameters: string[]): Promise<string> => {
  const ended = await uptrail(environment, ...parameters);
  assert.is(ended.code, 0, ended.stderr);
  return ended.stdout;
};

const read = (program: RunningProgram, path: string): Promise<unknown> => readOnceBuilt(program, ADMIN_API_KEY, path);

const resultsOf = async (program: RunningProgram, check: string): Promise<{ id: string }[]> =>
  ((await read(program, `/v1/checks/${check}/results?page_size=100`)) as { results: { id: string }[] }).results;

test(
  'a move of a service to a cluster and back preserves pages, checks, results, API keys and sealed texts',
  inTemporaryFolder(async (folder) => {
    const servers = await startClusterServers(`${folder}/servers`);
    try {
      const first = { DATA_DIR: `${folder}/first`, ADMIN_API_KEY };
      const embedded = await startOne(['serve'], first);
      const { body } = await callApi(embedded, ADMIN_API_KEY, 'POST', '/v1/pages', { name: 'Acme' });
      const page = `/v1/pages/${(body as { id: string }).id}`;
      const { body: made } = await callApi(embedded, ADMIN_API_KEY, 'POST', '/v1/checks', {
        name: 'Itself',
        type: 'web',
        interval: 30,
        url: `${embedded.address}/health/live`,
        parameters: { http_request: { headers: { Authorization: 'a secret' } } },
      });
      const { id: check } = made as { id: string };
      while ((await resultsOf(embedded, check)).length === 0);
      const before = { page: await read(embedded, page), results: await resultsOf(embedded, check) };
      await embedded.end('SIGTERM');
      await done(first, 'export', `${folder}/there`);
      await done(first, 'keys', 'export', `${folder}/there/keys.jsonl`);

      const cluster = servers.environment;
      assert.match(
        await done(cluster, 'import', `${folder}/there`),
        /^main: all \d+ events are in the cluster; \d+ were new/m,
      );
      assert.match(await done(cluster, 'import', `${folder}/there`), /^main: .*; 0 were new\.\nresults: .*; 0 were/);
      const wrappedBy = ['--wrapped-by', `${folder}/first/secrets-key`];
      await done(cluster, 'keys', 'import', `${folder}/there/keys.jsonl`, ...wrappedBy);
      const moved = await startOne(['serve'], { ...cluster, ADMIN_API_KEY });
      assert.equal(await read(moved, page), before.page);
      const { id } = before.results.at(-1) ?? { id: '' };
      assert.ok((await resultsOf(moved, check)).some((result) => result.id === id));
      const sealed = (await read(moved, `/v1/checks/${check}`)) as { parameters: { http_request: object } };
      assert.equal(sealed.parameters.http_request, { headers: { Authorization: 'a secret' } });
      const renamed = await callApi(moved, ADMIN_API_KEY, 'PATCH', page, { name: 'Acme status' });
      assert.is(renamed.status, 200);
      await moved.end('SIGTERM');
      await done(cluster, 'export', `${folder}/back`);
      await done(cluster, 'keys', 'export', `${folder}/back/keys.jsonl`);

      const last = { DATA_DIR: `${folder}/last`, SECRETS_KEY: cluster['SECRETS_KEY'] ?? '' };
      await done(last, 'import', `${folder}/back`);
      await done(last, 'keys', 'import', `${folder}/back/keys.jsonl`);
      const again = await startOne(['serve'], { ...last, ADMIN_API_KEY });
      assert.equal(await read(again, page), renamed.body);
      assert.ok((await resultsOf(again, check)).some((result) => result.id === id));
      assert.match(await done(last, 'history', 'page', page.split('/').at(-1) ?? ''), 'from 127.0.0.1');
      await again.end('SIGTERM');
    } finally {
      await servers.stop();
    }
  }),
);

if (!skippedWithoutCluster()) test.run();
