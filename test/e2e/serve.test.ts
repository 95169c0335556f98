import { existsSync, readFileSync, statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import Database from '../../stores/sqlite/driver.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { realPause } from '../waiting.ts';
import { callApi, endPrograms, PROGRAM, serve, uptrail } from './program.ts';

const test = suite('uptrail serve');
test.after.each(endPrograms);

test(
  'uptrail serve prints its address, prints the admin key at the first start only, and stops cleanly',
  inTemporaryFolder(async (DATA_DIR) => {
    const first = await serve({ DATA_DIR });
    const key = /upt_\S+/.exec(first.output.stdout)?.[0] ?? '';
    assert.is(readFileSync(`${DATA_DIR}/admin-api-key`, 'utf8').trim(), key);
    assert.match(first.output.stdout, `Data folder: ${DATA_DIR}`);
    assert.is(statSync(`${DATA_DIR}/secrets-key`).mode & 0o777, 0o600);
    assert.is((await callApi(first, key, 'GET', '/v1/audit')).status, 200);
    assert.is((await callApi(first, `${key}x`, 'GET', '/v1/audit')).status, 401);
    assert.is((await first.end('SIGTERM')).code, 0);
    // SQLite removes this file when the database is closed properly.
    assert.not.ok(existsSync(`${DATA_DIR}/events.db-wal`));

    const second = await serve({ DATA_DIR });
    assert.not.match(second.output.stdout, 'upt_');
    assert.is((await callApi(second, key, 'GET', '/v1/audit')).status, 200);
    assert.is((await second.end('SIGINT')).code, 0);
  }),
);

test(
  'uptrail serve accepts ADMIN_API_KEY, and a different ADMIN_API_KEY at a later start',
  inTemporaryFolder(async (DATA_DIR) => {
    const first = await serve({ DATA_DIR, ADMIN_API_KEY: 'the-first-admin-key' });
    assert.not.match(first.output.stdout, 'the-first-admin-key');
    assert.is((await callApi(first, 'the-first-admin-key', 'GET', '/v1/audit')).status, 200);
    await first.end('SIGTERM');
    const second = await serve({ DATA_DIR, ADMIN_API_KEY: 'the-second-admin-key' });
    assert.is((await callApi(second, 'the-second-admin-key', 'GET', '/v1/audit')).status, 200);
    assert.is((await callApi(second, 'the-first-admin-key', 'GET', '/v1/audit')).status, 401);
    await second.end('SIGTERM');
  }),
);

test(
  'uptrail serve refuses the data directory of another running service, and a port in use',
  inTemporaryFolder(async (folder) => {
    const first = await serve({ DATA_DIR: `${folder}/one` });
    const locked = await uptrail({ DATA_DIR: `${folder}/one`, PORT: '0' }, 'serve');
    assert.is(locked.code, 1);
    assert.match(locked.stderr, /^Another Uptrail service is running on .*\.\n$/);
    const taken = await uptrail({ DATA_DIR: `${folder}/two`, PORT: new URL(first.address).port }, 'serve');
    assert.is(taken.code, 1);
    assert.match(taken.stderr, /Can't listen on 127\.0\.0\.1, port \d+: another program listens there\.\n$/);
    await first.end('SIGTERM');
  }),
);

test(
  'uptrail serve refuses an invalid configuration, an unusable directory and a newer schema, each with one sentence',
  inTemporaryFolder(async (folder) => {
    const refused = async (environment: Record<string, string>): Promise<string> => {
      const { code, stderr } = await uptrail({ PORT: '0', DATA_DIR: folder, ...environment }, 'serve');
      assert.is(code, 1);
      return stderr;
    };
    assert.match(await refused({ LOG_LEVEL: 'loud' }), /^LOG_LEVEL must be one of .*\.\n$/);
    assert.match(await refused({ MONGODB_URL: 'mongodb://127.0.0.1' }), /^MONGODB_URL is set without EVENTSTOREDB_URL/);
    assert.match(await refused({ DATA_DIR: '/dev/null/data' }), /^DATA_DIR \/dev\/null\/data is unusable: .*\.\n$/);
    const newer = new Database(`${folder}/events.db`);
    newer.pragma('user_version = 99');
    newer.close();
    assert.match(await refused({}), /events\.db has schema version 99, but this release knows versions up to/);
  }),
);

test(
  'uptrail serve ends immediately at the second signal, although a request is in flight',
  inTemporaryFolder(async (DATA_DIR) => {
    const program = await serve({ DATA_DIR, ADMIN_API_KEY: 'the-admin-key' });
    const { port } = new URL(program.address);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    const head = ['POST /v1/pages HTTP/1.1', 'Host: x', 'Authorization: the-admin-key', 'Content-Length: 9', '', '{'];
    await new Promise<void>((resolve) => {
      socket.write(head.join('\r\n'), () => {
        resolve();
      });
    });
    // The request above was sent before this request. So when this request has its response, both have arrived at the
    // service.
    await callApi(program, 'the-admin-key', 'GET', '/v1/pages');
    process.kill(program.pid, 'SIGTERM');
    // The service refuses new connections as soon as it has handled the first signal.
    for (let taken = true; taken;) {
      taken = await fetch(`${program.address}/health/live`).then(
        () => true,
        () => false,
      );
    }
    await realPause(600, 'what comes sooner is an echo of the first signal: service/stop-signals.ts');
    await realPause(600, 'a signal within half a second of the first is its echo (service/stop-signals.ts)');
    assert.is((await program.end('SIGTERM')).code, 1);
    socket.destroy();
  }),
);

test(
  'uptrail commands end quietly when the reader of a long output has closed the pipe',
  inTemporaryFolder(async (DATA_DIR) => {
    const program = await serve({ DATA_DIR, ADMIN_API_KEY: 'the-admin-key' });
    for (let page = 0; page < 80; page++)
      await callApi(program, 'the-admin-key', 'POST', '/v1/pages', { name: 'Acme' });
    await program.end('SIGTERM');
    const command = [process.execPath, ...PROGRAM, 'replay'].map((part) => `'${part}'`).join(' ');
    const { stdout, stderr } = spawnSync(
      'bash',
      ['-o', 'pipefail', '-c', `${command} | head -n 1; echo "ended with $?"`],
      {
        env: { ...process.env, DATA_DIR },
        encoding: 'utf8',
      },
    );
    assert.is(stderr, '');
    assert.match(stdout, /^\{.*\}\nended with 0\n$/);
  }),
);

test.run();
