import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exportArtifacts, importArtifacts, verifyExportedArtifacts } from '../../../cli/transfer/artifacts.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { createMemoryArtifacts } from '../../../stores/artifacts/memory.ts';
import { readAll, artifactHead, LIMITS, pieces, sha256, someBytes } from '../../contracts/artifacts/examples.ts';
import { rejects } from '../../rejects.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';

const test = suite('export and import of artifacts');
const { signal } = new AbortController();
const FROM = '2026-01-01T00:00:00.000Z';

/** Exports some artifacts into a folder. */
const exported = async (folder: string) => {
  const source = createMemoryArtifacts(LIMITS);
  const content = someBytes(300_000);
  const [one, same, report] = [
    artifactHead({ name: 'żółć.png' }),
    artifactHead(),
    artifactHead({ run_id: null, created_at: '2020-01-01T00:00:00.000Z' }),
  ];
  await source.store(one, pieces(content));
  await source.store(same, pieces(content));
  await source.store(report, pieces(someBytes(10)));
  const options = { folder, service: 'service', signal };
  assert.equal(await exportArtifacts(source, options), { files: 3, lost: [] });
  return { source, content, one, report, options };
};

test(
  'imported artifacts equal the exported ones, and a second import adds none',
  inTemporaryFolder(async (folder) => {
    const { source, content, one, report } = await exported(folder);
    assert.is(readdirSync(join(folder, 'artifacts')).length, 2);
    for (const name of ['artifacts.jsonl', `artifacts/${sha256(content)}`])
      assert.is(statSync(join(folder, name)).mode & 0o777, 0o600);
    const target = createMemoryArtifacts(LIMITS);
    const verified = await verifyExportedArtifacts(folder, signal);
    if (!verified) throw new Error('There is no export.');
    assert.is(await importArtifacts(target, verified, { folder, from: FROM, signal }), 3);
    assert.is(await importArtifacts(target, verified, { folder, from: FROM, signal }), 0);
    for (const { id } of [one, report]) assert.equal(await target.find(id), await source.find(id));
    assert.equal(await readAll(await target.read(one.id)), content);
  }),
);

test(
  'artifacts of runs that are past retention are not imported',
  inTemporaryFolder(async (folder) => {
    const { report } = await exported(folder);
    const target = createMemoryArtifacts(LIMITS);
    const verified = await verifyExportedArtifacts(folder, signal);
    if (!verified) throw new Error('There is no export.');
    assert.is(await importArtifacts(target, verified, { folder, from: '2027-01-01T00:00:00.000Z', signal }), 1);
    assert.ok(await target.find(report.id));
  }),
);

test(
  'a second export of artifacts adds new ones and removes those that were deleted',
  inTemporaryFolder(async (folder) => {
    const { source, one, report, options } = await exported(folder);
    chmodSync(join(folder, 'artifacts'), 0o755);
    for (const name of readdirSync(join(folder, 'artifacts'))) chmodSync(join(folder, 'artifacts', name), 0o644);
    await source.remove(report.id);
    const added = artifactHead();
    await source.store(added, pieces(someBytes(20)));
    assert.equal(await exportArtifacts(source, options), { files: 3, lost: [] });
    const ids = (await verifyExportedArtifacts(folder, signal))?.artifacts.map(({ id }) => id) ?? [];
    assert.ok(ids.includes(added.id) && ids.includes(one.id) && !ids.includes(report.id));
    assert.is(readdirSync(join(folder, 'artifacts')).length, 2);
    for (const name of ['', ...readdirSync(join(folder, 'artifacts'))])
      assert.is(statSync(join(folder, 'artifacts', name)).mode & 0o077, 0, name);
  }),
);

test(
  'an export of artifacts does not change other files in a folder named artifacts',
  inTemporaryFolder(async (folder) => {
    const contents = join(folder, 'artifacts');
    mkdirSync(join(contents, 'files'), { recursive: true });
    writeFileSync(join(contents, 'index.db'), 'of a backup');
    writeFileSync(join(contents, 'files', 'one'), 'of a backup too');
    const { content, source, options } = await exported(folder);
    const stale = ['0'.repeat(64), `${sha256(content)}.new`];
    for (const name of stale) writeFileSync(join(contents, name), 'of an earlier export');
    assert.equal(await exportArtifacts(source, options), { files: 3, lost: [] });
    const names = readdirSync(contents);
    assert.is(names.length, 4);
    assert.ok(['index.db', 'files', sha256(content)].every((name) => names.includes(name)));
    assert.is(readFileSync(join(contents, 'index.db'), 'utf8'), 'of a backup');
    assert.equal(readdirSync(join(contents, 'files')), ['one']);
  }),
);

test(
  'exported artifacts are rejected if a file is missing or truncated, or if their list is incomplete',
  inTemporaryFolder(async (folder) => {
    assert.is(await verifyExportedArtifacts(folder, signal), null);
    const { content, options, source } = await exported(folder);
    const file = join(folder, 'artifacts', sha256(content));
    truncateSync(file, 10);
    await rejects(
      verifyExportedArtifacts(folder, signal),
      OperatorError,
      new RegExp(`^${file} is damaged. No artifact was imported`),
    );
    rmSync(file);
    await rejects(verifyExportedArtifacts(folder, signal), OperatorError, new RegExp(`^${file} does not exist.`));
    await exportArtifacts(source, options);
    assert.is((await verifyExportedArtifacts(folder, signal))?.artifacts.length, 3);
    const list = join(folder, 'artifacts.jsonl');
    truncateSync(list, statSync(list).size - 20);
    await rejects(verifyExportedArtifacts(folder, signal), OperatorError, /artifacts\.jsonl is incomplete or damaged/);
    writeFileSync(list, 'nothing of the kind\n');
    await rejects(verifyExportedArtifacts(folder, signal), OperatorError, /artifacts\.jsonl is damaged/);
  }),
);

test.run();
