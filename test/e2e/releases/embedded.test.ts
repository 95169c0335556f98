import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DAY_MS } from '../../../domain/time.ts';
import { readUnusedMarks, writeUnusedMark } from '../../../projections/engine/generations/unused-marks.ts';
import { openSqliteCoordination } from '../../../stores/coordination/sqlite.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { eventually } from '../../waiting.ts';
import {
  endPrograms,
  HERE,
  IS_CLUSTER,
  startOne,
  uptrailIn,
  type ProgramPlace,
  type RunningProgram,
} from '../program.ts';
import { holdSocket, passSockets } from './listening-socket.ts';
import { findLost, makeTarget, startLoad } from './load.ts';
import { makeNextRelease, VERSIONS, type Release } from './next-release.ts';

const KEY = 'the-admin-key-of-this-test';
/** Number of correct responses after which a release has proven itself. */
const ENOUGH = 150;

const test = suite('two releases on one machine, one after the other');
test.after.each(endPrograms);

const entries = async (dataDir: string): Promise<Map<string, string>> => {
  const coordination = openSqliteCoordination({ file: join(dataDir, 'coordination.db') });
  try {
    return new Map(
      (await coordination.catalogue()).map(({ projection, live, last }) => [projection, `${live ?? 0} of ${last}`]),
    );
  } finally {
    await coordination.close();
  }
};

/** Moves the times at which versions were found unused one day into the past. */
const age = async (dataDir: string): Promise<void> => {
  const coordination = openSqliteCoordination({ file: join(dataDir, 'coordination.db') });
  try {
    for (const [version, mark] of await readUnusedMarks(coordination)) {
      await writeUnusedMark(coordination, version, { ...mark, since: mark.since - DAY_MS });
    }
  } finally {
    await coordination.close();
  }
};

if (!IS_CLUSTER)
  test(
    'a service is upgraded, rolled back and upgraded again under load without a failed request or a wrong response',
    inTemporaryFolder(async (folder) => {
      const socket = holdSocket();
      const next = makeNextRelease(folder);
      const DATA_DIR = join(folder, 'data');
      const environment = { DATA_DIR, ADMIN_API_KEY: KEY };
      const start = (place: ProgramPlace): Promise<RunningProgram> =>
        startOne(['serve'], environment, passSockets(place, socket));
      let running = await start(HERE);
      assert.is(running.address, socket.address);
      const target = await makeTarget(socket, KEY);
      const load = startLoad({ ...target, clients: 4 });
      const enoughOf = async (release: Release): Promise<void> => {
        const before = load.report.correct[release];
        await eventually(() => load.report.correct[release] >= before + ENOUGH || load.report.failures.length > 0, {
          within: 60_000,
        });
        assert.equal(load.report.failures, []);
      };
      const replaceBy = async (place: ProgramPlace): Promise<void> => {
        assert.is((await running.end('SIGTERM')).code, 0);
        running = await start(place);
      };

      let built = new Map<string, string>();
      try {
        await enoughOf('this');
        const ahead = await uptrailIn(next)(environment, 'rebuild', '--ahead');
        assert.is(ahead.code, 0, ahead.stderr);
        for (const [name, { next: version }] of Object.entries(VERSIONS)) {
          assert.match(ahead.stdout, `${name}: version ${version} is built: generation 1, from`);
        }
        await enoughOf('this');
        built = await entries(DATA_DIR);

        for (const [release, place] of [
          ['next', next],
          ['this', HERE],
          ['next', next],
        ] as const) {
          await replaceBy(place);
          await enoughOf(release);
        }
        assert.equal(await entries(DATA_DIR), built, 'no release has built a read model again');
      } finally {
        await load.stop();
      }
      const { failures, opened, longest } = load.report;
      assert.equal(failures, []);
      assert.equal(await findLost(target, opened), []);
      console.log(`  ${opened.size} incidents were opened; the longest request took ${Math.round(longest)} ms`);
      assert.is((await running.end('SIGTERM')).code, 0);

      // A day later, the read models of the replaced release are gone.
      await age(DATA_DIR);
      running = await start(next);
      await eventually(async () => (await entries(DATA_DIR)).size === built.size - Object.keys(VERSIONS).length);
      for (const [name, { this: version }] of Object.entries(VERSIONS)) {
        assert.not((await entries(DATA_DIR)).has(`${name}@${version}`));
        assert.equal(
          readdirSync(join(DATA_DIR, 'read-models')).filter((file) => file.startsWith(`${name}@${version}.`)),
          [],
        );
      }
      assert.equal(await findLost(target, opened), []);
      assert.is((await running.end('SIGTERM')).code, 0);
      socket.close();
    }),
  );

if (!IS_CLUSTER)
  test(
    'a service with METRICS_PORT takes two sockets, and refuses them in the wrong order',
    inTemporaryFolder(async (DATA_DIR) => {
      const [requests, figures] = [holdSocket(), holdSocket()];
      const environment = { DATA_DIR, METRICS_PORT: new URL(figures.address).port };
      const refused = await uptrailIn(passSockets(HERE, figures, requests))(environment, 'serve');
      assert.is(refused.code, 1);
      assert.match(refused.stderr, /The second socket of the socket unit has port \d+, but METRICS_PORT is \d+\./);
      const service = await startOne(['serve'], environment, passSockets(HERE, requests, figures));
      assert.is(service.address, requests.address);
      assert.is((await fetch(`${requests.address}/health/live`)).status, 200);
      assert.match(await (await fetch(`${figures.address}/metrics`)).text(), 'projection_lag_seconds');
      assert.is((await service.end('SIGTERM')).code, 0);
      for (const socket of [requests, figures]) socket.close();
    }),
  );

if (!IS_CLUSTER)
  test(
    'a service that inherits something else than a listening socket does not start, and says so',
    inTemporaryFolder(async (DATA_DIR) => {
      const absent = { ...HERE, there: ['sh', '-c', 'export LISTEN_FDS=1 LISTEN_PID=$$; exec "$@" 3</dev/null', 'sh'] };
      const wrong = await uptrailIn(absent)({ DATA_DIR }, 'serve');
      assert.is(wrong.code, 1);
      assert.match(wrong.stderr, "Can't listen on the inherited socket (file descriptor 3)");
    }),
  );

test.run();
