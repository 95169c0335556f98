import { readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { referencesIn } from '../../../domain/check/result-files.ts';
import { RunAborted, type Outcome, type OutcomeFile, type Run } from '../../../probes/engine/check-type.ts';
import { openStaging, stageText, type Staging } from '../../../probes/staging.ts';
import { createResultFiles } from '../../../runners/worker/result-files.ts';
import { createMemoryArtifacts } from '../../../stores/artifacts/memory.ts';
import {
  ArtifactRefused,
  ArtifactsUnavailable,
  type Artifact,
  type Artifacts,
} from '../../../stores/artifacts/port.ts';
import { StoreUnavailable, AppendTooLarge, type EventStore } from '../../../stores/event-store/port.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { readAll } from '../../contracts/artifacts/examples.ts';
import { ORGANIZATION } from '../../domain/check/examples.ts';
import { fakeClock, settled } from '../../network/fake-clock.ts';
import { temporaryDirectory } from '../../stores/temporary.ts';
import { good, message, stage, START, type Staged } from './stage.ts';
import { eventually } from '../../waiting.ts';

const LIMITS = { runFiles: 3, runBytes: 100, organizationBytes: 1_000 };

/** Opens a store for files, and a folder for staged files. */
const opened = async (refusing: Partial<Pick<Artifacts, 'store'>> = {}) => {
  const { directory, remove } = temporaryDirectory();
  const clock = fakeClock(START);
  const staging = await openStaging(clock, directory);
  const artifacts = createMemoryArtifacts(LIMITS);
  const troubles: unknown[] = [];
  const files = createResultFiles({
    artifacts: { ...artifacts, ...refusing },
    staging,
    clock,
    trouble: (error) => troubles.push(error),
  });
  const all = async (): Promise<Artifact[]> => {
    const found: Artifact[] = [];
    for await (const page of artifacts.all()) found.push(...page);
    return found;
  };
  return {
    files,
    artifacts,
    staging,
    clock,
    troubles,
    all,
    staged: () => readdirSync(staging.folder).length,
    close: async () => {
      await staging.close();
      remove();
    },
  };
};

const screenshot = async ({ folder }: Staging, place: number, text = 'png'): Promise<OutcomeFile> => ({
  reference: `file:${place}`,
  role: 'screenshot',
  name: `shots/${place}.png`,
  media_type: 'image/png',
  staged: await stageText(folder, text),
  size: Buffer.byteLength(text),
});

/** Returns an outcome that names files, some of which may not exist. */
const naming = (files: readonly OutcomeFile[], references = files.map(({ reference }) => reference)): Outcome => ({
  ...good,
  check_metadata: {
    test_results: [
      {
        browser_metadata: {
          screenshots: references.map((url) => ({ contentType: 'image/png', name: 'a.png', url })),
          videos: [],
        },
      },
    ],
  },
  files,
});

const OWNER = { type: 'synthetic', organizationId: ORGANIZATION, resultId: 'result000001' };
const referred = ({ check_metadata }: Pick<Outcome, 'check_metadata'>): string[] =>
  referencesIn(check_metadata, 'synthetic');

const keeping = suite('files of a result');

keeping('files of a result are stored under new ids, which the metadata contains', async () => {
  const { files, staging, all, artifacts, close } = await opened();
  const given = naming([await screenshot(staging, 0, 'first'), await screenshot(staging, 1, 'second')]);
  const first = await files.store(given, OWNER);
  const again = await files.store(given, { ...OWNER, resultId: 'result000002' });
  assert.equal(
    referred(first.outcome),
    first.artifacts.map((id) => `artifact:${id}`),
  );
  assert.is(first.outcome.files, undefined);
  assert.is(first.outcome.check_metadata['notes'], undefined);
  assert.is(new Set([...first.artifacts, ...again.artifacts]).size, 4);
  const [one] = (await all()).filter(({ id }) => id === first.artifacts[0]);
  assert.equal(
    [one?.organization_id, one?.run_id, one?.name, one?.media_type, one?.created_at],
    [ORGANIZATION, 'result000001', 'shots_0.png', 'image/png', '2026-11-20T15:00:00.000000'],
  );
  assert.is((await readAll(await artifacts.read(first.artifacts[1] ?? ''))).toString(), 'second');
  await close();
});

keeping(
  'files of a result are named only if they exist, because file references of a run are not trusted',
  async () => {
    const { files, staging, close } = await opened();
    const given = naming([await screenshot(staging, 0)], ['file:0', 'artifact:somebody-elses', 'file:7', 'http://x/']);
    const { outcome, artifacts } = await files.store(given, OWNER);
    assert.equal(referred(outcome), [`artifact:${artifacts[0] ?? ''}`]);
    const { outcome: bare } = await files.store({ ...naming([], ['artifact:somebody-elses']), files: [] }, OWNER);
    assert.equal(referred(bare), []);
    await close();
  },
);

keeping('rejected files of a result are left out, and a note gives the reason', async () => {
  const { files, staging, troubles, close } = await opened();
  const given = naming(await Promise.all([0, 1, 2, 3, 4].map((place) => screenshot(staging, place))));
  const { outcome, artifacts } = await files.store(given, OWNER);
  assert.is(artifacts.length, 3);
  assert.is(referred(outcome).length, 3);
  assert.equal(outcome.check_metadata['notes'], [
    '2 files were not stored: A run can store 3 files, and this one already has that many.',
  ]);
  assert.equal(troubles, []);
  await close();
});

keeping('a result is stored even if its files can’t be stored or read', async () => {
  const refusals: [error: Error, sentence: string, troubles: number][] = [
    [new ArtifactRefused('No.'), 'A file was not stored: No.', 0],
    [new ArtifactsUnavailable('The disk is full.'), 'A file was not stored: The disk is full.', 1],
    [new Error('/data/secret'), 'A file was not stored: They could not be read.', 1],
  ];
  for (const [error, sentence, count] of refusals) {
    const { files, staging, troubles, close } = await opened({ store: () => Promise.reject(error) });
    const { outcome, artifacts } = await files.store(naming([await screenshot(staging, 0)]), OWNER);
    assert.equal([outcome.check_metadata['notes'], artifacts, referred(outcome)], [[sentence], [], []]);
    assert.is(troubles.length, count);
    await close();
  }
  const { files, staging, close } = await opened();
  const gone = { ...(await screenshot(staging, 0)), staged: 'f'.repeat(32) };
  const { outcome } = await files.store(naming([gone]), OWNER);
  assert.equal(outcome.check_metadata['notes'], ['A file was not stored: They could not be read.']);
  await close();
});

keeping(
  'files of a result that take too long to store are left out, and are removed if they are stored later',
  async () => {
    let store: () => void = () => undefined;
    const slow = createMemoryArtifacts(LIMITS);
    const { files, staging, clock, close, all } = await opened({
      store: async (head) => {
        await new Promise<void>((resolve) => (store = resolve));
        return slow.store(
          head,
          (async function* () {
            yield Buffer.from('late');
            await Promise.resolve();
          })(),
        );
      },
    });
    const keep = files.store(naming([await screenshot(staging, 0), await screenshot(staging, 1)]), OWNER);
    await settled();
    await clock.advance(5_000);
    const { outcome, artifacts } = await keep;
    assert.equal(artifacts, []);
    assert.equal(outcome.check_metadata['notes'], ['2 files were not stored: Storing them took too long.']);
    store();
    await settled();
    assert.equal(await all(), []);
    assert.is(clock.pending(), 1);
    await close();
  },
);

keeping.run();

const working = suite('files of runs on a worker');

const synthetic = (parameters: Record<string, unknown> = {}) => ({
  ...message(),
  definition: { type: 'synthetic', url: null, host: null, port: null, timeout: 10, parameters },
});

/** Starts a worker of synthetic checks, whose runs produce files. */
const leaving = async (more: Staged = {}, run?: (files: Awaited<ReturnType<typeof opened>>) => Run) => {
  const files = await opened();
  const probe: Run = async () => naming([await screenshot(files.staging, 0)]);
  const given = stage(run?.(files) ?? probe, { types: ['synthetic'], files: files.files, ...more });
  const worked = async (content = synthetic(), id = 'run000000001'): Promise<void> => {
    await given.offer(content, { run_id: id });
    // Files are written and read in the meantime, which takes real time.
    await eventually(async () => {
      await given.clock.advance(20);
      return given.worker.inFlight() === 0;
    });
  };
  const named = async (): Promise<string[]> =>
    (await given.stored()).flatMap(({ data }) => referred(data as Pick<Outcome, 'check_metadata'>));
  const kept = async (): Promise<string[]> => (await files.all()).map(({ id }) => `artifact:${id}`);
  return {
    ...files,
    ...given,
    worked,
    named,
    kept,
    finish: async () => {
      await given.end();
      await files.close();
    },
  };
};

working('a worker stores the files of a run before its result, and removes the staged files', async () => {
  const { worked, named, kept, staged, finish } = await leaving();
  await worked();
  assert.is((await named()).length, 1);
  assert.equal(await kept(), await named());
  assert.is(staged(), 0);
  await finish();
});

working('if a failed run is repeated, a worker stores only the files of the repetition', async () => {
  let runs = 0;
  const { worked, named, kept, staged, finish } = await leaving({}, ({ staging }) => async () => {
    const status = runs++ === 0 ? ('error' as const) : ('ok' as const);
    return { ...naming([await screenshot(staging, 0)]), status };
  });
  await worked(synthetic({ retry_enabled: true }));
  assert.is(runs, 2);
  assert.equal(await kept(), await named());
  assert.is((await kept()).length, 1);
  assert.is(staged(), 0);
  await finish();
});

working('a worker stores no files of a run that is no longer wanted or was ended', async () => {
  const requested = [true, false];
  const { worked, kept, staged, finish } = await leaving({ wanted: () => requested.shift() ?? false });
  await worked();
  assert.equal([await kept(), staged()], [[], 0]);
  await finish();
  const aborted = await leaving({}, () => () => Promise.reject(new RunAborted()));
  await aborted.worked();
  assert.equal([await aborted.kept(), aborted.staged()], [[], 0]);
  await aborted.finish();
});

working('a worker removes the files of a repeated run whose result is already stored', async () => {
  const { worked, named, kept, staged, finish } = await leaving();
  await worked();
  await worked();
  assert.is((await named()).length, 1);
  assert.equal(await kept(), await named());
  assert.is(staged(), 0);
  await finish();
});

working('a worker removes the files of a run if another process has stored the result in the meantime', async () => {
  const log = createMemoryEventStore('results');
  const first = await leaving({ log });
  await first.worked();
  const second = await leaving({ log });
  await second.worked({ ...synthetic(), again: true });
  assert.is((await first.kept()).length, 1);
  assert.equal([await second.kept(), second.staged()], [[], 0]);
  assert.is((await log.readStream('check_results-eu-west1')).length, 1);
  await first.finish();
  await second.finish();
});

/** Returns a log that rejects appends, or stores them and loses the responses. */
const failing = (error: Error, log: Pick<EventStore, 'append' | 'readStream'>, stores: boolean) => ({
  ...log,
  append: async (...requested: Parameters<EventStore['append']>) => {
    if (stores) await log.append(...requested);
    throw error;
  },
});

working(
  'a worker keeps files if it does not know whether the result was stored, but removes them if the result was rejected',
  async () => {
    const log = createMemoryEventStore('results');
    const unknown = await leaving({ log: failing(new StoreUnavailable('The connection was lost.'), log, true) });
    await unknown.worked();
    const [stored] = await log.readStream('check_results-eu-west1');
    assert.equal(await unknown.kept(), referred(stored?.data as Pick<Outcome, 'check_metadata'>));
    assert.is(unknown.staged(), 0);
    await unknown.finish();
    const refused = await leaving({ log: failing(new AppendTooLarge('x', 1), log, false) });
    await refused.worked();
    assert.equal([await refused.kept(), refused.staged()], [[], 0]);
    await refused.finish();
  },
);

working.run();
