import { cpSync, rmSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { callApi, endPrograms, serve, uptrail, type RunningProgram } from './program.ts';
import { eventually } from '../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const LOGS = ['events.db', 'results.db'];

const test = suite('an older copy of the logs under newer read models');
test.after.each(endPrograms);

const createPage = async (program: RunningProgram, name: string): Promise<string> => {
  const { status, body } = await callApi(program, ADMIN_API_KEY, 'POST', '/v1/pages', { name });
  assert.is(status, 200);
  return (body as { id: string }).id;
};

/** Polls until the response is not 503, the status while a read model is being rebuilt. */
const read = async (program: RunningProgram, path: string): Promise<{ status: number; body: unknown }> => {
  return eventually(async () => {
    const response = await callApi(program, ADMIN_API_KEY, 'GET', path);
    return response.status !== 503 && response;
  });
};

for (const [how, goOn] of [
  [
    'an older copy of the logs under newer read models is noticed and repaired, without a wrong response in between',
    async () => Promise.resolve(),
  ],
  [
    'an older copy of the logs that has grown past the read models again is noticed too',
    async (DATA_DIR: string) => {
      for (let number = 1; number <= 6; number++) {
        assert.is((await uptrail({ DATA_DIR }, 'organization', 'create', '--name', `Other ${number}`)).code, 0);
      }
    },
  ],
] as const) {
  test(
    how,
    inTemporaryFolder(async (folder) => {
      const environment = { DATA_DIR: `${folder}/data`, ADMIN_API_KEY };
      const first = await serve(environment);
      const survivor = await createPage(first, 'Kept');
      await first.end('SIGTERM');
      for (const log of LOGS) cpSync(`${folder}/data/${log}`, `${folder}/${log}`);

      const second = await serve(environment);
      const lost = await createPage(second, 'Lost');
      await callApi(second, ADMIN_API_KEY, 'PATCH', `/v1/pages/${survivor}`, { name: 'Changed later' });
      await second.end('SIGTERM');

      for (const log of LOGS) {
        for (const part of ['', '-wal', '-shm']) rmSync(`${folder}/data/${log}${part}`, { force: true });
        cpSync(`${folder}/${log}`, `${folder}/data/${log}`);
      }
      await goOn(environment.DATA_DIR);

      const third = await serve(environment);
      const responses = await Promise.all([read(third, `/v1/pages/${survivor}`), read(third, `/v1/pages/${lost}`)]);
      assert.equal(
        responses.map(({ status }) => status),
        [200, 404],
      );
      assert.is((responses[0].body as { name: string }).name, 'Kept');
      const { body } = await read(third, '/v1/pages');
      assert.equal(
        (body as { pages: { name: string }[] }).pages.map(({ name }) => name),
        ['Kept'],
      );
      await createPage(third, 'New');

      const resumed = await uptrail(environment, 'reactors', 'resume');
      assert.match(resumed.stdout, /^Reactors are running again\. They were halted for this reason: /);
      assert.is((await uptrail(environment, 'reactors', 'resume')).stdout, 'Reactors are not halted.\n');
      await third.end('SIGTERM');
      assert.is((await uptrail(environment, 'rebuild', '--all', '--verify')).code, 0);
    }),
  );
}

test.run();
