import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { eventually } from '../../waiting.ts';
import { skippedWithoutCluster, startClusterServers } from '../cluster-servers.ts';
import { callApi, endPrograms, HERE, startOne, uptrailIn, type ProgramPlace } from '../program.ts';
import { startBalancer } from './balancer.ts';
import { findLost, makeTarget, startLoad } from './load.ts';
import { makeNextRelease, VERSIONS, type Release } from './next-release.ts';

const KEY = 'the-admin-key-of-this-test';
/** Number of correct responses after which a release has proven itself. */
const ENOUGH = 150;
const PATIENT = { within: 120_000 };

const test = suite('two releases in a cluster, side by side');
test.after.each(endPrograms);

if (!skippedWithoutCluster())
  test(
    'a cluster is upgraded and rolled back under load without a failed request or a wrong response',
    inTemporaryFolder(async (folder) => {
      const next = makeNextRelease(folder);
      const servers = await startClusterServers();
      const balancer = await startBalancer();
      const environment = {
        ...servers.environment,
        ADMIN_API_KEY: KEY,
        // On a busy machine, a read model can take longer than by default. A response would then be 202.
        READ_YOUR_WRITES_TIMEOUT_MS: '20000',
      };
      const start = (duty: string, place: ProgramPlace) => startOne([duty], environment, place);
      const startApi = async (place: ProgramPlace) => {
        const api = await start('api', place);
        balancer.add(api.address);
        return api;
      };
      const isReady = (api: { address: string }): Promise<unknown> =>
        eventually(() => balancer.isReady(api.address), PATIENT);
      const endApi = async (api: Awaited<ReturnType<typeof startApi>>): Promise<void> => {
        assert.is((await api.end('SIGTERM')).code, 0);
        balancer.remove(api.address);
      };

      const [project, api] = await Promise.all([start('project', HERE), startApi(HERE)]);
      await isReady(api);
      const target = await makeTarget(balancer, KEY);
      const load = startLoad({ ...target, clients: 3 });
      const enoughOf = async (...releases: readonly Release[]): Promise<void> => {
        const before = { ...load.report.correct };
        await eventually(
          () =>
            releases.every((release) => load.report.correct[release] >= before[release] + ENOUGH) ||
            load.report.failures.length > 0,
          PATIENT,
        );
        assert.equal(load.report.failures, []);
      };
      try {
        await enoughOf('this');

        // A process responds 503 until its read models are built. It never reads the read models of the other release.
        const nextApi = await startApi(next);
        const refused = await fetch(`${nextApi.address}${target.page}/incidents`, { headers: { authorization: KEY } });
        assert.is(refused.status, 503);
        assert.ok(Number(refused.headers.get('retry-after')) > 0);
        assert.is((await callApi(nextApi, KEY, 'GET', '/health/ready')).status, 503);

        const ahead = await uptrailIn(next)(environment, 'rebuild', '--ahead', 'incidents');
        assert.is(ahead.code, 0, ahead.stderr);
        assert.match(ahead.stdout, `incidents: version ${VERSIONS.incidents.next} is built`);
        const nextProject = await start('project', next);
        await isReady(nextApi);
        await enoughOf('this', 'next');
        await endApi(api);
        assert.is((await project.end('SIGTERM')).code, 0);
        await enoughOf('next');

        // The release is rolled back: the previous one finds its read models.
        const [projectAgain, apiAgain] = await Promise.all([start('project', HERE), startApi(HERE)]);
        await isReady(apiAgain);
        await enoughOf('this', 'next');
        await endApi(nextApi);
        assert.is((await nextProject.end('SIGTERM')).code, 0);
        await enoughOf('this');
        await load.stop();
        assert.not.match(projectAgain.output.stderr, 'is being built');
        assert.equal(load.report.failures, []);
        assert.equal(await findLost(target, load.report.opened), []);
        console.log(
          `  ${load.report.opened.size} incidents were opened; the longest request took ${Math.round(load.report.longest)} ms`,
        );
        assert.is((await apiAgain.end('SIGTERM')).code, 0);
        assert.is((await projectAgain.end('SIGTERM')).code, 0);
      } finally {
        await load.stop();
        await balancer.close();
        await endPrograms();
        await servers.stop();
      }
    }),
  );

test.run();
