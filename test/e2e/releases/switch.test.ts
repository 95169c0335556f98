import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../../service/temporary.ts';
import {
  callApi,
  callApiExpecting,
  endPrograms,
  HERE,
  IS_CLUSTER,
  startOne,
  uptrail,
  uptrailIn,
  type ProgramPlace,
} from '../program.ts';
import { holdSocket, passSockets } from './listening-socket.ts';
import { makeTarget } from './load.ts';
import { makeNextRelease, VERSIONS } from './next-release.ts';

const KEY = 'the-admin-key-of-this-test';

const test = suite('an upgrade on one machine');
test.after.each(endPrograms);

/** Returns what the open file descriptors of a process are, as `socket:[…]` and the like. */
const openFiles = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

if (!IS_CLUSTER) {
  test(
    'requests wait while the next release starts with read models built ahead, and the previous one finds its own again',
    inTemporaryFolder(async (folder) => {
      const socket = holdSocket();
      const next = makeNextRelease(folder);
      const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY: KEY };
      const start = (place: ProgramPlace) => startOne(['serve'], environment, passSockets(place, socket));
      const first = await start(HERE);
      assert.is(first.address, socket.address);
      const { page, component } = await makeTarget(socket, KEY);
      const { id } = await callApiExpecting<{ id: string }>(socket, KEY, 201, 'POST', `${page}/incidents`, {
        name: 'Down',
        body: 'It fails.',
        status: 'investigating',
        components: { [component]: 'major_outage' },
      });
      const incident = `${page}/incidents/${id}`;
      const shown = async () => (await callApiExpecting<{ name: string }>(socket, KEY, 200, 'GET', incident)).name;

      const ahead = await uptrailIn(next)(environment, 'rebuild', '--ahead', 'incidents', 'pages', 'components');
      assert.is(ahead.code, 0, ahead.stderr);
      for (const [name, { next: version }] of Object.entries(VERSIONS)) {
        assert.match(ahead.stdout, `${name}: version ${version} is built: generation 1, from`);
      }
      assert.match(ahead.stdout, /^components: version \d+ is already built\.$/m);
      assert.is(await shown(), 'Down');

      assert.is((await first.end('SIGTERM')).code, 0);
      const waiting = shown();
      const second = await start(next);
      assert.is(await waiting, 'Down [next]');
      if (existsSync('/proc/self/fd')) {
        const listening = readlinkSync(`/proc/${second.pid}/fd/3`);
        assert.match(listening, /^socket:/);
        for (const child of childrenOf(second.pid)) assert.not(openFiles(child).includes(listening));
      }

      assert.is((await second.end('SIGTERM')).code, 0);
      const third = await start(HERE);
      assert.is(await shown(), 'Down');
      assert.is((await callApi(socket, KEY, 'GET', '/health/ready')).status, 200);
      assert.not.match(third.output.stderr, 'is being built');
      const { stdout } = await uptrail(environment, 'projections', '--json');
      const all = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const of = (version: number) => all.find((one) => one['name'] === 'incidents' && one['version'] === version);
      assert.is(of(VERSIONS.incidents.this)?.['generation'], 1);
      assert.is(of(VERSIONS.incidents.next)?.['state'], 'retained');
      assert.is((await third.end('SIGTERM')).code, 0);
      socket.close();
    }),
  );

  test(
    'a service that gets another number of sockets than it needs does not start, and says so',
    inTemporaryFolder(async (DATA_DIR) => {
      const place = { ...HERE, there: ['sh', '-c', 'export LISTEN_FDS=2 LISTEN_PID=$$; exec "$@"', 'sh'] };
      const refused = await uptrailIn(place)({ DATA_DIR }, 'serve');
      assert.is(refused.code, 1);
      assert.match(
        refused.stderr,
        /^The socket unit passes 2 sockets \(LISTEN_FDS\), but this process needs one, for PORT\./,
      );
    }),
  );
}

test.run();
