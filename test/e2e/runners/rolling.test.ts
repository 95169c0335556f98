import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers } from '../../probes/web/servers.ts';
import { PROJECT } from '../../project.ts';
import { freePort } from '../../servers/ports.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { createCheck } from '../checking.ts';
import { requestRun, waitForOutcome } from '../polling.ts';
import { programBuiltIn, endPrograms, IS_CLUSTER, startOne } from '../program.ts';
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

/**
 * Edits that make a build different. They add what a later release might add: a new field in the messages that the
 * service and the runner send, and an unknown kind of order.
 */
const EDITS = [
  { file: 'service/remote/endpoints.ts', from: 'clock: clock(),\n', to: "clock: clock(),\n...{ season: 'spring' },\n" },
  {
    file: 'service/remote/orders.ts',
    from: 'opened.write(SIGN);\n',
    to: 'opened.write(SIGN);\nopened.write(\'data: {"kind":"later"}\\n\\n\');\n',
  },
  {
    file: 'runners/remote/remote-runner.ts',
    from: '    capacity,\n    clock',
    to: "    capacity,\n    ...{ colour: 'red' },\n    clock",
  },
] as const;

/** Builds the program with these edits. */
const anotherBuild = (folder: string): ReturnType<typeof programBuiltIn> => {
  const root = join(folder, 'another');
  mkdirSync(root);
  const left = /^(?:\.git|\.ci|node_modules|dist|build|coverage|bench|test)$/;
  cpSync(PROJECT, root, { recursive: true, filter: (source) => !left.test(source.slice(PROJECT.length)) });
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  for (const { file, from, to } of EDITS) {
    const text = readFileSync(join(root, file), 'utf8');
    assert.is(text.split(from).length, 2, `${file} has "${from}" once`);
    writeFileSync(join(root, file), text.replace(from, to));
  }
  return programBuiltIn(root);
};

const test = suite('a remote runner and a service of different builds');
test.after.each(endPrograms);
test.after.each(closeServers);

if (!IS_CLUSTER)
  test(
    'a remote runner and a service of different builds work together while each is replaced by the other build',
    inTemporaryFolder(async (folder) => {
      const another = anotherBuild(folder);
      const PORT = (await freePort()).toString();
      const environment = { DATA_DIR: `${folder}/service`, ADMIN_API_KEY, PORT };
      const before = await startOne(['serve'], environment);
      const site = await openPausableSite();
      const { id, token, region } = await createRunner(before, { name: 'Cellar' });
      const old = await startRunner(before, { token, folder: `${folder}/old` });
      await waitForConnected(before, id);
      const check = await createCheck(before, ADMIN_API_KEY, createShopCheck(region, site.url));
      await check.reaches('up', SOON);
      const runsWith = async (service: Awaited<ReturnType<typeof startOne>>): Promise<void> => {
        const job = await requestRun(service, ADMIN_API_KEY, `${check.path}/execute`);
        assert.is((await waitForOutcome(service, ADMIN_API_KEY, job, SOON)).result?.status, 'ok');
      };

      // The service is replaced first, as the documentation requires, while a run is in progress.
      site.pause();
      const requested = site.requestCount();
      const job = await requestRun(before, ADMIN_API_KEY, `${check.path}/execute`);
      while (site.requestCount() === requested) await waitForConnected(before, id);
      const stopped = before.end('SIGTERM');
      site.release();
      assert.is((await stopped).code, 0);
      const after = await startOne(['serve'], environment, another);
      await waitForConnected(after, id);
      assert.is((await waitForOutcome(after, ADMIN_API_KEY, job, SOON)).result?.status, 'ok');
      await runsWith(after);

      const next = await startRunner(after, { token, folder: `${folder}/next` }, another);
      await waitForConnected(after, id, 2);
      assert.is((await old.end('SIGTERM')).code, 0);
      await waitForConnected(after, id);
      await runsWith(after);

      // The service is reverted: the new build of the runner works with the previous build of the service.
      assert.is((await after.end('SIGTERM')).code, 0);
      const back = await startOne(['serve'], environment);
      await waitForConnected(back, id);
      await runsWith(back);

      const stored = await storedResults(back, `check_id=${check.id}`);
      assert.is(new Set(stored.map((result) => result.id)).size, stored.length);
      assert.is(stored.filter(({ result_type }) => result_type === 'on_demand').length, 4);
      assert.is((await next.end('SIGTERM')).code, 0);
      assert.is((await back.end('SIGTERM')).code, 0);
    }),
  );

test.run();
