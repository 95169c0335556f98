import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ArtifactIndexLost, openFileArtifacts } from '../../../stores/artifacts/files/open.ts';
import { ArtifactLost, ArtifactsUnavailable, type Artifacts } from '../../../stores/artifacts/port.ts';
import { artifactsContract } from '../../contracts/artifacts.ts';
import { readAll, artifactHead, LIMITS, pieces, someBytes } from '../../contracts/artifacts/examples.ts';
import { rejects } from '../../rejects.ts';
import { temporaryDirectory } from '../temporary.ts';
import { compiled } from '../../project.ts';

artifactsContract('files', async (limits) => {
  const { directory, remove } = temporaryDirectory();
  const open = async () => openFileArtifacts({ folder: directory, limits });
  const artifacts = await open();
  return {
    artifacts,
    again: open,
    dispose: async () => {
      await artifacts.close();
      remove();
    },
  };
});

const test = suite<{ folder: string; remove: () => void; open: () => Artifacts }>('artifacts in files');
test.before.each((context) => {
  const { directory, remove } = temporaryDirectory();
  context.folder = join(directory, 'artifacts');
  context.remove = remove;
  context.open = () => openFileArtifacts({ folder: context.folder, limits: LIMITS });
});
test.after.each(({ remove }) => {
  remove();
});

/** Returns the paths of all content files. */
const filesIn = (folder: string): string[] =>
  readdirSync(join(folder, 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('all artifact files are accessible to their owner only, whatever modes they had before', async ({
  folder,
  open,
}) => {
  const umask = process.umask(0);
  try {
    mkdirSync(folder, { mode: 0o777 });
    chmodSync(folder, 0o777);
    const artifacts = open();
    await artifacts.store(artifactHead({ name: '../../outside' }), pieces(someBytes(10)));
    for (const entry of readdirSync(folder, { recursive: true }) as string[]) {
      const found = statSync(join(folder, entry));
      assert.is(found.mode & 0o777, found.isDirectory() ? 0o700 : 0o600, entry);
    }
    assert.is(statSync(folder).mode & 0o777, 0o700);
    assert.equal(readdirSync(join(folder, '..')), ['artifacts']);
    await artifacts.close();
  } finally {
    process.umask(umask);
  }
});

test('the files of a process that was killed while writing do not count as artifacts, and are swept', async ({
  folder,
  open,
}) => {
  const script = compiled('test/stores/artifacts/storing-process.ts');
  const process_ = spawn(process.execPath, [script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(process_.stdout, 'data');
  process_.kill('SIGKILL');
  await once(process_, 'exit');
  assert.is(filesIn(folder).length, 1);

  const artifacts = open();
  const artifact = artifactHead();
  await artifacts.store(artifact, pieces(someBytes(10)));
  assert.is(await artifacts.find('cut-off'), null);
  assert.equal(await artifacts.usage(), { files: 1, bytes: 10 });
  assert.is(await artifacts.sweep(), 1);
  assert.is(filesIn(folder).length, 1);
  assert.is((await readAll(await artifacts.read(artifact.id))).length, 10);
  await artifacts.close();
});

test('a refused or removed artifact leaves no file', async ({ folder, open }) => {
  const artifacts = open();
  const given = artifactHead();
  await artifacts.store(given, pieces(someBytes(10)));
  await artifacts.remove(given.id);
  await artifacts.store(artifactHead(), pieces(someBytes(LIMITS.runBytes + 1))).catch(() => undefined);
  assert.equal(filesIn(folder), []);
  const { organization_id } = given;
  for (let file = 0; file < 7; file++)
    await artifacts.store(artifactHead({ organization_id }), pieces(someBytes(900_000)));
  assert.is(filesIn(folder).length, 3);
  await artifacts.close();
});

test('all artifacts survive a restart', async ({ open }) => {
  const first = open();
  const [given, content] = [artifactHead(), someBytes(300_000)];
  const stored = await first.store(given, pieces(content));
  await first.close();
  const second = open();
  assert.equal(await second.find(given.id), stored);
  assert.equal(await readAll(await second.read(given.id)), content);
  assert.equal(await second.usage(given.organization_id), { files: 1, bytes: 300_000 });
  await second.close();
});

test('missing or truncated artifact content is reported with its path', async ({ folder, open }) => {
  const artifacts = open();
  const given = artifactHead();
  await artifacts.store(given, pieces(someBytes(1_000)));
  const [file = ''] = filesIn(folder);
  truncateSync(file, 999);
  await rejects(artifacts.read(given.id), ArtifactLost, `${file} is missing or damaged.`);
  rmSync(file);
  await rejects(artifacts.read(given.id), ArtifactLost, `${file} is missing or damaged.`);
  await artifacts.close();
});

test('a lost artifact index is reported, and nothing is swept without an index', async ({ folder, open }) => {
  const artifacts = open();
  await artifacts.store(artifactHead(), pieces(someBytes(10)));
  await artifacts.close();
  rmSync(join(folder, 'index.db'));
  assert.throws(open, (error: unknown) => {
    assert.instance(error, ArtifactIndexLost);
    assert.match(
      (error as Error).message,
      /index\.db is missing, but the files that it lists .*Restore it from a backup/,
    );
    return true;
  });
  assert.is(filesIn(folder).length, 1);
});

test('foreign files in the artifacts folder are left alone', async ({ folder, open }) => {
  const artifacts = open();
  await artifacts.store(artifactHead(), pieces(someBytes(10)));
  mkdirSync(join(folder, 'files', 'lost+found'));
  writeFileSync(join(folder, 'files', 'note.txt'), 'mine');
  assert.is(await artifacts.sweep(), 0);
  assert.is(filesIn(folder).length, 2);
  await artifacts.close();
});

test('artifacts are refused on a nearly full disk, so that the logs have room', async ({ folder }) => {
  let free = 32 * 1_048_576 - 1;
  const artifacts = openFileArtifacts({ folder, limits: LIMITS, free: async () => free });
  const message = 'The disk is nearly full. Files can be stored again when space has been freed.';
  await rejects(artifacts.store(artifactHead(), pieces(someBytes(1))), ArtifactsUnavailable, message);
  free++;
  await artifacts.store(artifactHead(), pieces(someBytes(1)));
  await artifacts.close();
});

test.run();
