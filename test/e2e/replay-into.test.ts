import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NewEvent } from '../../domain/event.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { openLogIdentity } from '../../stores/event-store/identity.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { PROJECT } from '../project.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { eventually, realPause } from '../waiting.ts';
import { callApi, endPrograms, PROGRAM, serve, uptrail } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const FORMATS = ['jsonl', 'jsonl.gz', 'parquet'] as const;

const test = suite('uptrail replay --into a file');
test.after.each(endPrograms);

/** A data directory whose main log has this many events. */
const filledDirectory = async (folder: string, events: number): Promise<string> => {
  const directory = `${folder}/data`;
  mkdirSync(directory);
  const log = await openSqliteEventStore({ file: `${directory}/events.db`, name: 'main', mode: 'appender' });
  await openLogIdentity(log);
  const { metadata } = sampleEvent('first');
  for (let number = 0; number < events; number += 100) {
    const some = Array.from({ length: 100 }, (_, index) => ({ ...sampleEvent(`${number + index}`), metadata }));
    await log.append(`check-${number}`, some, 'no_stream');
  }
  await log.close();
  return directory;
};

const sampleEvent = (name: string): NewEvent => ({
  id: derivedUuid(name),
  type: 'CheckDeleted',
  data: { check_id: name, deleted_at: derivedUuid(`${name} at`) },
  metadata: {
    $correlationId: derivedUuid(name),
    $causationId: derivedUuid(name),
    command_id: derivedUuid(name),
    actor: { kind: 'api_key', id: 'key000000001', role: 'admin' },
    organization_id: 'org000000001',
    recorded_at: '2026-11-20T15:00:00.000000',
    schema_version: 2,
  },
});

/** Returns the names of completed files. Incomplete files have the suffix `.new`. */
const finished = (folder: string): string[] => readdirSync(folder).filter((name) => !name.endsWith('.new'));

/** Returns the exit code of a command whose output has no reader. */
const codeWithoutReader = (...parameters: string[]): number | null => {
  const script = '"$@" 2>&1 | true; exit "${PIPESTATUS[0]}"';
  const words = ['-c', script, 'bash', process.execPath, ...PROGRAM, ...parameters];
  return spawnSync('bash', words, { cwd: PROJECT, env: { PATH: process.env['PATH'] } }).status;
};

test(
  'an auditor exports events of a running service to a file, and verifies the file without a service',
  inTemporaryFolder(async (folder) => {
    const program = await serve({ DATA_DIR: `${folder}/data`, ADMIN_API_KEY });
    await callApi(program, ADMIN_API_KEY, 'POST', '/v1/pages', { name: 'Acme' });
    for (const format of FORMATS) {
      const file = `${folder}/pages.${format}`;
      const DATA_DIR = `${folder}/data`;
      const written = await uptrail({ DATA_DIR }, 'replay', '--type', 'PageCreated', '--into', file);
      assert.is(written.code, 0, written.stderr);
      assert.match(written.stdout, /: 1 events, [\d.]+ (?:KiB|B), SHA-256 [0-9a-f]{64}\.\n$/);
      const again = await uptrail({ DATA_DIR }, 'replay', '--into', file);
      assert.equal([again.code, /exists already/.test(again.stderr)], [1, true]);
      const verified = await uptrail({}, 'replay', 'verify', file);
      assert.is(verified.code, 0, verified.stderr);
      assert.match(verified.stdout, /^The file matches its manifest: 1 events of the log main/);
    }
    spawnSync('cp', [`${folder}/pages.jsonl.manifest.json`, `${folder}/pages.jsonl.gz.manifest.json`]);
    const different = await uptrail({}, 'replay', 'verify', `${folder}/pages.jsonl.gz`);
    assert.equal([different.code, /file\.sha256 is/.test(different.stdout)], [1, true]);
    // The verdict does not depend on a reader that closes the output early.
    for (const [name, code] of [
      ['pages.jsonl.gz', 1],
      ['pages.jsonl', 0],
    ] as const)
      assert.is(codeWithoutReader('replay', 'verify', `${folder}/${name}`), code, name);
    assert.is(codeWithoutReader('probe', 'tcp', '127.0.0.1:1', '--timeout', '1'), 1);
    assert.is(codeWithoutReader('--help'), 0);
    assert.is((await uptrail({ DATA_DIR: `${folder}/data` }, 'replay', '--follow', '--into', 'x.jsonl')).code, 1);
  }),
);

for (const format of FORMATS) {
  test(
    `a ${format} file gets its final name only when it is complete, even if the writing process is killed`,
    inTemporaryFolder(async (folder) => {
      const DATA_DIR = await filledDirectory(folder, 6_000);
      const there = `${folder}/there`;
      mkdirSync(there);
      const file = `${there}/main.${format}`;
      for (const wait of [0, 20, 60]) {
        const child = spawn(process.execPath, [...PROGRAM, 'replay', '--into', file], {
          cwd: PROJECT,
          env: { PATH: process.env['PATH'], DATA_DIR },
          stdio: 'ignore',
        });
        const ended = once(child, 'exit');
        await eventually(() => readdirSync(there).length > 0 || child.exitCode !== null);
        await realPause(wait, 'the file is killed at different sizes');
        child.kill('SIGKILL');
        await ended;
        for (const name of finished(there).filter((one) => !one.endsWith('.manifest.json'))) {
          assert.is((await uptrail({}, 'replay', 'verify', `${there}/${name}`)).code, 0, name);
          return;
        }
      }
      const { code, stderr } = await uptrail({ DATA_DIR }, 'replay', '--into', file);
      assert.is(code, 0, stderr);
      assert.is((await uptrail({}, 'replay', 'verify', file)).code, 0);
    }),
  );

  test(
    `uptrail replay --into a ${format} file on a full disk fails with an error message, and leaves no file behind`,
    inTemporaryFolder(async (folder) => {
      const DATA_DIR = await filledDirectory(folder, 6_000);
      const disk = `${folder}/disk`;
      mkdirSync(disk);
      if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status !== 0) {
        console.log('skipped: this user may not mount a file system');
        return;
      }
      try {
        const { code, stderr } = await uptrail({ DATA_DIR }, 'replay', '--into', `${disk}/main.${format}`);
        assert.is(code, 1);
        assert.match(stderr, new RegExp(`main\\.${format} could not be written: ENOSPC`));
        assert.equal(readdirSync(disk), []);
      } finally {
        spawnSync('umount', [disk]);
      }
    }),
  );
}

test.run();
