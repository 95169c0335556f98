import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { skippedWithoutCluster, startClusterServers } from '../e2e/cluster-servers.ts';
import { PROGRAM } from '../e2e/program.ts';
import { environmentWith, madeEnvironment, duties } from './compose.ts';
import { builtFrom, environmentOf, stagesOf, wordsOf } from './dockerfile.ts';
import { inProject, PROJECT, run } from './project.ts';
import { freePort } from '../servers/ports.ts';

const image = builtFrom(stagesOf(inProject('Dockerfile')));

const test = suite('the processes of compose.yaml');

test(
  'the processes of compose.yaml all become healthy with their commands, environments and health checks',
  inTemporaryFolder(async (folder) => {
    const servers = await startClusterServers(folder);
    const made = await madeEnvironment();
    const [command = '', ...parameters] = wordsOf(image, 'HEALTHCHECK');
    const started: { name: string; child: ChildProcess; environment: Record<string, string> }[] = [];
    try {
      for (const [name, service] of duties) {
        const there = environmentWith(service, made);
        // Here the stores have other addresses, and servers listen only on this machine.
        const here = {
          EVENTSTOREDB_URL: '',
          MONGODB_URL: '',
          ...servers.environment,
          SECRETS_KEY: made['SECRETS_KEY'] ?? '',
        };
        assert.equal(
          Object.keys(here).filter((variable) => !(variable in there)),
          [],
        );
        const local = { HOST: '127.0.0.1', PORT: (await freePort()).toString(), LOG_LEVEL: 'warn' };
        const environment = { ...environmentOf(image), ...there, ...here, ...local };
        const child = spawn(process.execPath, [...PROGRAM, ...(service.command ?? [])], {
          cwd: PROJECT,
          env: { PATH: process.env['PATH'], ...environment },
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        started.push({ name, child, environment });
      }
      for (const { name, child, environment } of started) {
        while ((await run(command, parameters, { environment })).code !== 0) assert.is(child.exitCode, null, name);
      }
      const ends = started.map(({ child }) => once(child, 'close'));
      for (const { child } of started) child.kill('SIGTERM');
      for (const [index, end] of (await Promise.all(ends)).entries())
        assert.equal(end, [0, null], started[index]?.name);
    } finally {
      for (const { child } of started) child.kill('SIGKILL');
      await servers.stop();
    }
  }),
);

if (!skippedWithoutCluster()) test.run();
