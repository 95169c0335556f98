import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import Database from '../../stores/sqlite/driver.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { copyWithFlippedBit } from '../stores/event-store/sqlite/damage.ts';
import { endPrograms, PROGRAM, serve } from './program.ts';
import { realPause } from '../waiting.ts';

import {
  ADMIN_API_KEY,
  DATABASES,
  runSuccessfully,
  runRefused,
  create,
  readWhenBuilt,
  reactorsOf,
  createBackup,
} from './backups.ts';

const test = suite('failures of uptrail backup and restore');
test.after.each(endPrograms);

test(
  'reactors are halted after all files of a backup, or only its logs and keys, were copied by hand',
  inTemporaryFolder(async (folder) => {
    const { id } = await createBackup(folder);
    for (const [place, files] of [
      ['all', DATABASES],
      ['logs', ['events.db', 'results.db', 'keys.db']],
    ] as const) {
      const there = { DATA_DIR: `${folder}/${place}`, ADMIN_API_KEY };
      mkdirSync(there.DATA_DIR);
      for (const name of files) cpSync(`${folder}/copy/${name}`, `${folder}/${place}/${name}`);
      cpSync(`${folder}/data/secrets-key`, `${folder}/${place}/secrets-key`);
      const program = await serve(there);
      assert.is((await readWhenBuilt(program, `/v1/pages/${id}`)).status, 200);
      assert.is((await reactorsOf(program)).state, 'halted', place);
      await program.end('SIGTERM');
    }
  }),
);

test(
  'an interrupted backup is never accepted as complete, and the next backup starts over',
  inTemporaryFolder(async (folder) => {
    const { environment } = await createBackup(folder);
    for (const wait of [100, 400, 700]) {
      const child = spawn(process.execPath, [...PROGRAM, 'backup', `${folder}/killed`], {
        env: { ...process.env, ...environment },
        stdio: 'ignore',
      });
      // The backup may end before the kill.
      const ended = once(child, 'close');
      await realPause(wait, 'the backup is killed at different moments');
      child.kill('SIGKILL');
      await ended;
      if (existsSync(`${folder}/killed`)) break;
      const there = { DATA_DIR: `${folder}/there` };
      assert.match(await runRefused(there, 'restore', `${folder}/killed`), /The folder .*killed does not exist\./);
      if (existsSync(`${folder}/killed.unfinished`)) {
        assert.match(
          await runRefused(there, 'restore', `${folder}/killed.unfinished`),
          /manifest\.json does not exist/,
        );
      }
    }
    if (!existsSync(`${folder}/killed`)) await runSuccessfully(environment, 'backup', `${folder}/killed`);
    await runSuccessfully({}, 'backup', '--verify', `${folder}/killed`);
    assert.not.ok(existsSync(`${folder}/killed.unfinished`));
  }),
);

test(
  'restore names damaged, truncated or missing files of a backup, and refuses the backup',
  inTemporaryFolder(async (folder) => {
    const { environment } = await createBackup(folder);
    const broken = `${folder}/broken`;
    const data = readFileSync(`${folder}/data/events.db`);
    for (const [file, breakIt, sentence] of [
      [
        'events.db',
        (path: string) => {
          copyWithFlippedBit(`${folder}/copy/events.db`, path, 60_000);
        },
        /broken\/events\.db is damaged/,
      ],
      [
        'keys.db',
        (path: string) => {
          writeFileSync(path, readFileSync(path).subarray(0, 4_096));
        },
        /keys\.db has 4096 bytes instead/,
      ],
      [
        'results.db',
        (path: string) => {
          rmSync(path);
        },
        /results\.db is missing/,
      ],
      [
        'manifest.json',
        (path: string) => {
          rmSync(path);
        },
        /manifest\.json does not exist: this is not a backup/,
      ],
      [
        'manifest.json',
        (path: string) => {
          writeFileSync(path, '{');
        },
        /manifest\.json is damaged/,
      ],
    ] as const) {
      rmSync(broken, { recursive: true, force: true });
      cpSync(`${folder}/copy`, broken, { recursive: true });
      breakIt(`${broken}/${file}`);
      assert.match(await runRefused({}, 'backup', '--verify', broken), sentence);
      assert.match(await runRefused(environment, 'restore', '--replace', broken), sentence);
    }
    assert.equal(readFileSync(`${folder}/data/events.db`), data);
  }),
);

test(
  'backup and verify refuse a damaged log, and name the position of the damage',
  inTemporaryFolder(async (folder) => {
    const { environment } = await createBackup(folder);
    const connection = new Database(`${folder}/data/events.db`);
    connection.exec("UPDATE events SET data = replace(data, 'Before', 'Behind') WHERE data LIKE '%Before%'");
    connection.close();
    const where = /^(No backup was made: )?The event at position \d+ of stream page-\w+ in .*events\.db is damaged/;
    assert.match(await runRefused(environment, 'backup', `${folder}/second`), where);
    assert.equal(readdirSync(folder).sort(), ['copy', 'data']);
    assert.match(await runRefused(environment, 'verify'), where);
  }),
);

test(
  'restore replaces data only with --replace, which sets the data aside, and refuses while the service runs',
  inTemporaryFolder(async (folder) => {
    const { environment, id } = await createBackup(folder);
    const program = await serve(environment);
    const { body: later } = await create(program, 'Later');
    const { id: laterId } = later as { id: string };
    assert.match(await runRefused(environment, 'restore', '--replace', `${folder}/copy`), /^A service is running on /);
    await program.end('SIGTERM');
    assert.match(await runRefused(environment, 'restore', `${folder}/copy`), /^.*data already contains data\./);
    const output = await runSuccessfully(environment, 'restore', '--replace', `${folder}/copy`);
    const aside = /^The previous data is in (.*)\.$/m.exec(output)?.[1] ?? '';
    assert.equal(
      [...DATABASES, 'read-models'].filter((name) => !existsSync(`${aside}/${name}`)),
      [],
    );
    const again = await serve(environment);
    assert.equal(
      [
        (await readWhenBuilt(again, `/v1/pages/${id}`)).status,
        (await readWhenBuilt(again, `/v1/pages/${laterId}`)).status,
      ],
      [200, 404],
    );
    await again.end('SIGTERM');
  }),
);

test(
  'an interrupted restore leaves either the previous data or the data of the backup, and the next start can use these data',
  inTemporaryFolder(async (folder) => {
    const { environment, id } = await createBackup(folder);
    const program = await serve(environment);
    const { body: later } = await create(program, 'Later');
    const { id: laterId } = later as { id: string };
    await program.end('SIGTERM');
    cpSync(environment['DATA_DIR'] ?? '', `${folder}/kept`, { recursive: true });
    const after: Record<string, number[]> = {};
    for (const point of ['restore.unfinished', 'restore.ready', 'replaced-']) {
      rmSync(environment['DATA_DIR'] ?? '', { recursive: true });
      cpSync(`${folder}/kept`, environment['DATA_DIR'] ?? '', { recursive: true });
      const child = spawn(process.execPath, [...PROGRAM, 'restore', '--replace', `${folder}/copy`], {
        env: { ...process.env, ...environment },
        stdio: 'ignore',
      });
      const ended = once(child, 'close');
      const state = { running: true };
      void ended.then(() => (state.running = false));
      while (state.running && !readdirSync(environment['DATA_DIR'] ?? '').some((name) => name.startsWith(point))) {
        await new Promise(setImmediate);
      }
      child.kill('SIGKILL');
      await ended;
      const again = await serve(environment);
      const pages = [
        (await readWhenBuilt(again, `/v1/pages/${id}`)).status,
        (await readWhenBuilt(again, `/v1/pages/${laterId}`)).status,
      ];
      after[point] = pages;
      assert.ok(pages[0] === 200, point);
      assert.is((await reactorsOf(again)).state, pages[1] === 404 ? 'halted' : 'active', point);
      await again.end('SIGTERM');
      assert.equal(
        readdirSync(environment['DATA_DIR'] ?? '').filter((name) => name.startsWith('restore')),
        [],
      );
    }
    assert.equal(after['restore.unfinished']?.[0], 200);
  }),
);

test(
  'no new log is begun if keys, coordination data or read models refer to another log, and no new keys are created for an existing log',
  inTemporaryFolder(async (folder) => {
    const { environment } = await createBackup(folder);
    for (const [lost, kept, sentence] of [
      [['events.db'], null, /The log main is empty, but the coordination data refers to one \([\w-]+\): it was lost/],
      [['results.db'], null, /The log results is empty, but the coordination data refers/],
      [['events.db', 'results.db', 'coordination.db'], null, /The log main is empty, but .*keys\.db refers to one/],
      [
        ['events.db', 'results.db', 'coordination.db', 'keys.db'],
        null,
        /The log main is empty, but .*read-models refers to one/,
      ],
      [['keys.db'], 'keys.db', /keys\.db is missing\. The log exists/],
    ] as const) {
      const there = { DATA_DIR: `${folder}/${lost.join('-')}`, ADMIN_API_KEY, PORT: '0' };
      cpSync(environment['DATA_DIR'] ?? '', there.DATA_DIR, { recursive: true });
      for (const name of lost) rmSync(`${there.DATA_DIR}/${name}`);
      assert.match(await runRefused(there, 'serve'), sentence);
      assert.match(await runRefused(there, 'serve'), sentence);
      if (kept) {
        assert.not.ok(existsSync(`${there.DATA_DIR}/${kept}`));
        await runSuccessfully(there, 'keys', 'new');
        await (await serve(there)).end('SIGTERM');
      }
    }
    // These keys belong to another service.
    await (await serve({ DATA_DIR: `${folder}/other` })).end('SIGTERM');
    for (const name of ['keys.db', 'secrets-key']) cpSync(`${folder}/other/${name}`, `${folder}/data/${name}`);
    assert.match(
      await runRefused({ ...environment, PORT: '0' }, 'serve'),
      /keys\.db contains the keys of a different log/,
    );
  }),
);

test(
  'backup, restore and verify refuse to work on a cluster, and create no files',
  inTemporaryFolder(async (folder) => {
    const cluster = {
      DATA_DIR: folder,
      EVENTSTOREDB_URL: 'esdb://127.0.0.1:1?tls=false',
      MONGODB_URL: 'mongodb://127.0.0.1:1/uptrail',
      SECRETS_KEY: '5'.repeat(64),
    };
    for (const command of [['backup', `${folder}/copy`], ['restore', `${folder}/copy`], ['verify']]) {
      assert.match(await runRefused(cluster, ...command), /In a cluster, back up EventStoreDB and MongoDB/);
    }
    assert.not.ok(existsSync(`${folder}/copy`));
  }),
);

test(
  'verify does not report a log of an older release as damaged',
  inTemporaryFolder(async (folder) => {
    const { environment } = await createBackup(folder);
    const log = new Database(`${folder}/data/events.db`);
    log.pragma('user_version = 1');
    log.close();
    assert.is(
      await runRefused(environment, 'verify'),
      `${folder}/data/events.db was written by an older release. Start the service once, which migrates it.\n`,
    );
  }),
);

test.run();
