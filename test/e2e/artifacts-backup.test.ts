import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFileArtifacts } from '../../stores/artifacts/files/open.ts';
import { ARTIFACT_INDEX } from '../../cli/backup/artifacts.ts';
import { entryOf, MANIFEST } from '../../cli/backup/manifest.ts';
import { ArtifactLost, type ArtifactHead } from '../../stores/artifacts/port.ts';
import Database from '../../stores/sqlite/driver.ts';
import { rejects } from '../rejects.ts';
import { readAll, artifactHead, LIMITS, pieces, someBytes } from '../contracts/artifacts/examples.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { endPrograms, serve, uptrail } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('artifacts in a backup');
test.after.each(endPrograms);

interface Stored {
  given: ArtifactHead;
  content: Buffer;
}

/** Stores `count` artifacts in a data directory, and backs it up while the service runs. @returns the artifacts */
const backedUp = async (folder: string, count: number): Promise<Stored[]> => {
  const stored: Stored[] = [];
  const artifacts = openFileArtifacts({ folder: `${folder}/data/artifacts`, limits: LIMITS });
  for (let number = 0; number < count; number++) {
    const one = {
      given: artifactHead({ name: `shot ${number}.png`, created_at: new Date().toISOString() }),
      content: someBytes(300_000 + number),
    };
    await artifacts.store(one.given, pieces(one.content));
    stored.push(one);
  }
  await artifacts.close();
  const program = await serve({ DATA_DIR: `${folder}/data`, ADMIN_API_KEY });
  const { code, stdout, stderr } = await uptrail(
    { DATA_DIR: `${folder}/data`, ADMIN_API_KEY },
    'backup',
    `${folder}/copy`,
  );
  assert.is(code, 0, stderr);
  assert.match(stdout, new RegExp(`^artifacts  ${count} files?, `, 'm'));
  await program.end('SIGTERM');
  return stored;
};

const assertThere = async (data: string, stored: readonly Stored[]): Promise<void> => {
  const artifacts = openFileArtifacts({ folder: join(data, 'artifacts'), limits: LIMITS });
  for (const { given, content } of stored) {
    assert.is((await artifacts.find(given.id))?.name, given.name);
    assert.equal(await readAll(await artifacts.read(given.id)), content);
  }
  assert.is((await artifacts.usage()).files, stored.length);
  await artifacts.close();
};

/** Returns the paths of the content files in an artifacts folder. */
const contentsIn = (artifacts: string): string[] =>
  readdirSync(join(artifacts, 'files'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(artifacts, 'files', name))
    .filter((path) => statSync(path).isFile())
    .sort();

test(
  'artifacts restored from a backup are unchanged, and only their owner can read the files',
  inTemporaryFolder(async (folder) => {
    const stored = await backedUp(folder, 3);
    const verified = await uptrail({}, 'backup', '--verify', `${folder}/copy`);
    assert.match(verified.stdout, /artifacts: 3 files, 879 KiB, all intact/);
    assert.is(verified.code, 0, verified.stderr);
    const restored = await uptrail({ DATA_DIR: `${folder}/fresh` }, 'restore', `${folder}/copy`);
    assert.is(restored.code, 0, restored.stderr);
    for (const path of contentsIn(`${folder}/fresh/artifacts`)) assert.is(statSync(path).mode & 0o777, 0o600);
    await assertThere(`${folder}/fresh`, stored);
  }),
);

test(
  'backup --verify names missing and damaged artifacts of a backup, and a restore leaves out only these artifacts',
  inTemporaryFolder(async (folder) => {
    const stored = await backedUp(folder, 4);
    const [missing = '', cut = '', changed = ''] = contentsIn(`${folder}/copy/artifacts`);
    rmSync(missing);
    truncateSync(cut, 1_000);
    const bytes = readFileSync(changed);
    bytes[150_000] = (bytes[150_000] ?? 0) ^ 1;
    writeFileSync(changed, bytes);
    const lost = [missing, cut, changed];
    const { code, stderr } = await uptrail({}, 'backup', '--verify', `${folder}/copy`);
    assert.is(code, 1);
    for (const file of lost) assert.match(stderr, `${file} is missing or damaged.`);
    assert.match(stderr, 'Everything else in the backup is intact.');

    const restored = await uptrail({ DATA_DIR: `${folder}/fresh` }, 'restore', `${folder}/copy`);
    assert.is(restored.code, 0, restored.stderr);
    for (const file of lost) assert.match(restored.stdout, `${file} is missing or damaged. It is left out.`);
    const [whole = ''] = contentsIn(`${folder}/fresh/artifacts`);
    const content = readFileSync(whole);
    await assertThere(
      `${folder}/fresh`,
      stored.filter((one) => one.content.equals(content)),
    );

    writeFileSync(join(folder, 'copy', 'artifacts', 'index.db'), 'no index');
    const again = await uptrail({ DATA_DIR: `${folder}/second` }, 'restore', `${folder}/copy`);
    assert.is(again.code, 0, again.stderr);
    assert.match(again.stdout, /index\.db has 8 bytes instead of \d+.* The artifact files are left out\./);
    assert.is((await uptrail({}, 'backup', '--verify', `${folder}/copy`)).code, 1);
  }),
);

test(
  'verify and backup name the artifacts that the service has lost, and the backup is made without them',
  inTemporaryFolder(async (folder) => {
    await backedUp(folder, 2);
    const [file = ''] = contentsIn(`${folder}/data/artifacts`);
    rmSync(file);
    const environment = { DATA_DIR: `${folder}/data` };
    const verified = await uptrail(environment, 'verify');
    assert.is(verified.code, 1);
    assert.match(verified.stderr, `${file} is missing or damaged.`);
    const { code, stdout } = await uptrail(environment, 'backup', `${folder}/second`);
    assert.is(code, 0);
    assert.match(stdout, `${file} is missing or damaged. It is left out.`);
    assert.is((await uptrail({}, 'backup', '--verify', `${folder}/second`)).code, 0);
  }),
);

test(
  'a backup from an older release is restored without artifacts, and existing artifacts are set aside',
  inTemporaryFolder(async (folder) => {
    const stored = await backedUp(folder, 1);
    rmSync(`${folder}/copy/artifacts`, { recursive: true });
    const file = `${folder}/copy/manifest.json`;
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { files: { name: string }[] };
    const files = manifest.files.filter(({ name }) => !name.startsWith('artifacts'));
    writeFileSync(file, JSON.stringify({ ...manifest, files }));
    assert.is((await uptrail({}, 'backup', '--verify', `${folder}/copy`)).code, 0);
    const { code, stderr } = await uptrail({ DATA_DIR: `${folder}/data` }, 'restore', '--replace', `${folder}/copy`);
    assert.is(code, 0, stderr);
    assert.not.ok(existsSync(`${folder}/data/artifacts`));
    const [aside = ''] = readdirSync(`${folder}/data`).filter((name) => name.startsWith('replaced-'));
    await assertThere(`${folder}/data/${aside}`, stored);
  }),
);

/** Changes the artifact index of a backup, and updates the manifest so that the backup passes as undamaged. */
const forged = async (folder: string, change: (index: InstanceType<typeof Database>) => void): Promise<void> => {
  const index = new Database(join(folder, 'artifacts', 'index.db'));
  change(index);
  index.close();
  const file = join(folder, MANIFEST);
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { files: { name: string }[] };
  const files = manifest.files.filter(({ name }) => name !== ARTIFACT_INDEX);
  writeFileSync(file, JSON.stringify({ ...manifest, files: [...files, await entryOf(folder, ARTIFACT_INDEX)] }));
};

test(
  'neither an index nor a link in a backup leads to a file outside of the artifacts folder',
  inTemporaryFolder(async (folder) => {
    const stored = await backedUp(folder, 3);
    const [linked = '', ...others] = contentsIn(`${folder}/copy/artifacts`);
    const secret = readFileSync(linked);
    // The file outside of the folder has the size and hash that the index records, so only its path is wrong.
    writeFileSync(`${folder}/outside`, secret);
    rmSync(linked);
    symlinkSync(`${folder}/outside`, linked);
    // Some paths lead to the outside from `files/..` of the backup, others from the restored data.
    const ways = ['../../outside', '../../../outside', `${folder}/outside`, '..', '', 'a'.repeat(31), 'Z'.repeat(32)];
    await forged(`${folder}/copy`, (index) => {
      const columns = 'organization_id, run_id, name, media_type, created_at, size, sha256';
      const add = index.prepare(
        `INSERT INTO artifacts (id, content, ${columns}) SELECT ?, ?, ${columns} FROM artifacts WHERE content = ?`,
      );
      for (const [number, way] of ways.entries()) add.run(`forged${number}`, way, basename(linked));
    });
    const { code, stderr } = await uptrail({}, 'backup', '--verify', `${folder}/copy`);
    assert.is(code, 1);
    for (const number of ways.keys()) assert.match(stderr, `The artifact forged${number} is missing or damaged.`);
    assert.match(stderr, `${linked} is missing or damaged.`);

    const before = readdirSync(folder);
    const restored = await uptrail({ DATA_DIR: `${folder}/fresh` }, 'restore', `${folder}/copy`);
    assert.is(restored.code, 0, restored.stderr);
    for (const number of ways.keys())
      assert.match(restored.stdout, `The artifact forged${number} is missing or damaged. It is left out.`);
    assert.equal(readdirSync(folder), [...before, 'fresh'].sort());
    const contents = others.map((file) => readFileSync(file));
    await assertThere(
      `${folder}/fresh`,
      stored.filter(({ content }) => contents.some((one) => one.equals(content))),
    );
    const names = contentsIn(`${folder}/fresh/artifacts`).map((file) => basename(file));
    assert.equal(names, others.map((file) => basename(file)).sort());
    assert.equal(readFileSync(`${folder}/outside`), secret);

    // The index of the service is replaced by the same forged index.
    copyFileSync(`${folder}/copy/artifacts/index.db`, `${folder}/fresh/artifacts/index.db`);
    const verified = await uptrail({ DATA_DIR: `${folder}/fresh` }, 'verify');
    assert.is(verified.code, 1);
    assert.match(verified.stderr, 'The artifact forged0 is missing or damaged.');
    const artifacts = openFileArtifacts({ folder: `${folder}/fresh/artifacts`, limits: LIMITS });
    await rejects(artifacts.read('forged0'), ArtifactLost);
    await artifacts.remove('forged0');
    await artifacts.close();
    assert.equal(readFileSync(`${folder}/outside`), secret);
  }),
);

test(
  'if two artifacts of a backup share a content file, the restore copies one artifact and names the other artifact',
  inTemporaryFolder(async (folder) => {
    await backedUp(folder, 1);
    await forged(`${folder}/copy`, (index) => {
      index.exec('CREATE TABLE loose AS SELECT * FROM artifacts');
      index.exec(
        "INSERT INTO loose SELECT 'zzz', organization_id, run_id, name, media_type, '2099-01-01T00:00:00.000Z', size, sha256, content FROM artifacts",
      );
      index.exec('DROP TABLE artifacts; ALTER TABLE loose RENAME TO artifacts');
    });
    const restored = await uptrail({ DATA_DIR: `${folder}/fresh` }, 'restore', `${folder}/copy`);
    assert.is(restored.code, 0, restored.stderr);
    assert.match(restored.stdout, 'is missing or damaged. It is left out.');
    assert.is(contentsIn(`${folder}/fresh/artifacts`).length, 1);
  }),
);

test.run();
