import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runRebuildAhead } from '../../../cli/rebuild/ahead.ts';
import { projectionKey } from '../../../projections/engine/fold/define.ts';
import { sendBuildHeartbeats } from '../../../projections/engine/generations/orphans.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import { pages } from '../../../projections/pages/projection.ts';
import { PROJECTIONS_SERVED, serveCommands } from '../../../service/command-socket.ts';
import { readConfig } from '../../../service/config/config.ts';
import { makeDataDirectory, type DataDirectory } from '../../../service/embedded/data-directory.ts';
import { openCoordination, openRawLog, openReadModels } from '../../../service/embedded/stores.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { openLogIdentity } from '../../../stores/event-store/identity.ts';
import { lockService } from '../../../stores/service-lock.ts';
import { rejects } from '../../rejects.ts';
import { collectLines } from '../../service/lines.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';

const test = suite('uptrail rebuild --ahead');

const KEY = projectionKey(incidents);
const BUILT = `incidents: version ${incidents.version} is built: generation`;
const ALREADY = `incidents: version ${incidents.version} is already built.`;

/** Creates a data directory as a service leaves it that has no read models. */
const begun = async (folder: string): Promise<DataDirectory> => {
  const directory = makeDataDirectory(folder);
  for (const name of ['main', 'results'] as const) {
    const log = await openRawLog(directory, name, 'service');
    await openLogIdentity(log, Date.now);
    await log.close();
  }
  return directory;
};

const ahead = async (
  { path }: DataDirectory,
  names: readonly string[] = ['incidents'],
  signal = new AbortController().signal,
): Promise<string[]> => {
  const output = collectLines();
  await runRebuildAhead(readConfig({ DATA_DIR: path }), { names, signal }, output);
  return output.lines.filter((line) => line.includes('version'));
};

const generations = async (directory: DataDirectory): Promise<number[]> => {
  const readStore = openReadModels(directory, 'reader');
  try {
    return (await readStore.list()).filter(({ projection }) => projection === KEY).map(({ number }) => number);
  } finally {
    await readStore.close();
  }
};

const live = async (directory: DataDirectory): Promise<number | null | undefined> => {
  const coordination = openCoordination(directory);
  try {
    return (await coordination.catalogue()).find(({ projection }) => projection === KEY)?.live;
  } finally {
    await coordination.close();
  }
};

test(
  'a missing read model is built and made live, and one that is live is skipped',
  inTemporaryFolder(async (folder) => {
    const directory = await begun(folder);
    const [first, ...others] = await ahead(directory);
    assert.match(first ?? '', `${BUILT} 1, from`);
    assert.equal(others, []);
    const both = await ahead(directory, ['incidents', 'pages']);
    assert.is(both[0], ALREADY);
    assert.match(both[1] ?? '', `pages: version ${pages.version} is built: generation 1`);
    assert.is(await live(directory), 1);
    await rejects(ahead(directory, ['coffee']), OperatorError, /coffee/);
  }),
);

test(
  'a read model is built beside the running service of another release, without a request to switch',
  inTemporaryFolder(async (folder) => {
    const directory = await begun(folder);
    const lock = lockService(folder);
    const stop = await serveCommands(directory, { [PROJECTIONS_SERVED]: async () => ['incidents@1', 'pages@1'] });
    assert.match((await ahead(directory)).join(), `${BUILT} 1, from`);
    await stop();
    // An earlier release does not know the question.
    const stopOld = await serveCommands(directory, {});
    assert.match((await ahead(directory, ['pages'])).join(), `pages: version ${pages.version} is built: generation 1`);
    await stopOld();
    lock.release();
    assert.is(await live(directory), 1);
  }),
);

test(
  'a read model that the running service of this release builds is left to it',
  inTemporaryFolder(async (folder) => {
    const directory = await begun(folder);
    const lock = lockService(folder);
    const stop = await serveCommands(directory, { [PROJECTIONS_SERVED]: async () => [KEY] });
    assert.equal(await ahead(directory), [
      `incidents: version ${incidents.version} is being built by a running process of this release.`,
    ]);
    await stop();
    lock.release();
    assert.equal(await generations(directory), []);
  }),
);

test(
  'a build can be interrupted and repeated, and the remains of a killed one are dropped',
  inTemporaryFolder(async (folder) => {
    const directory = await begun(folder);
    await rejects(
      ahead(directory, ['incidents'], AbortSignal.abort()),
      OperatorError,
      'Interrupted. Completed read models remain. Run the command again to build the others.',
    );
    assert.equal(await generations(directory), []);
    const coordination = openCoordination(directory);
    const readStore = openReadModels(directory, 'writer');
    const number = await coordination.nextGeneration(KEY, 1n);
    const end = await sendBuildHeartbeats(coordination, { projection: KEY, number });
    await readStore.open({ projection: KEY, number }, incidents.collections);
    await readStore.close();
    assert.match((await ahead(directory)).join(), `${BUILT} ${number + 1}, from`);
    assert.equal(await generations(directory), [number + 1]);
    await end();
    await coordination.close();
  }),
);

test.run();
