import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROJECT } from '../project.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { eventually } from '../waiting.ts';
import { callApiExpecting } from './program.ts';

const KEY = 'the-admin-key-of-npm-start';

const test = suite('npm start');

let started: ChildProcess[] = [];
test.after.each(() => {
  for (const { pid } of started) {
    try {
      // The process group includes the service, in case npm has left it running.
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // The process group has already ended.
    }
  }
  started = [];
});

/** Runs `npm start` in its own process group, as a terminal does. */
const npmStart = async (DATA_DIR: string) => {
  const { PATH = '', HOME = '' } = process.env;
  const npm = spawn('npm', ['start'], {
    cwd: PROJECT,
    env: {
      PATH,
      HOME,
      DATA_DIR,
      PORT: '0',
      ADMIN_API_KEY: KEY,
      LOG_LEVEL: 'info',
      npm_config_update_notifier: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  started.push(npm);
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(npm, 'close');
  await eventually(() => /Uptrail is running at http:/.test(output), { within: 60_000 });
  return {
    address: /http:\/\/\S+/.exec(output)?.[0] ?? '',
    pid: npm.pid ?? 0,
    output: () => output,
    /** resolves when npm and every process that it started have closed its output */
    ended,
  };
};

const groupIsGone = (pid: number): boolean => {
  try {
    process.kill(-pid, 0);
    return false;
  } catch {
    return true;
  }
};

/** Starts the service, adds a page, sends a signal, and asserts that no process is left. */
const endsBy = async (folder: string, signal: NodeJS.Signals, to: 'npm' | 'group'): Promise<void> => {
  const npm = await npmStart(folder);
  await callApiExpecting(npm, KEY, 200, 'POST', '/v1/pages', { name: 'Acme' });
  process.kill(to === 'npm' ? npm.pid : -npm.pid, signal);
  await npm.ended;
  await eventually(() => groupIsGone(npm.pid));
  assert.match(npm.output(), '"msg":"stopped"');
  // SQLite removes this file when the database is closed properly.
  assert.not.ok(existsSync(`${folder}/events.db-wal`));
};

test(
  'npm start ends together with the service after a SIGTERM to npm, and the data can be read again',
  inTemporaryFolder(async (folder) => {
    await endsBy(folder, 'SIGTERM', 'npm');
    const again = await npmStart(folder);
    const { pages } = await callApiExpecting<{ pages: { name: string }[] }>(again, KEY, 200, 'GET', '/v1/pages');
    assert.equal(
      pages.map(({ name }) => name),
      ['Acme'],
    );
  }),
);

test(
  'npm start ends together with the service after a SIGINT to npm',
  inTemporaryFolder((folder) => endsBy(folder, 'SIGINT', 'npm')),
);

test(
  'npm start ends cleanly on Ctrl-C, which the service receives from the terminal and from npm',
  inTemporaryFolder((folder) => endsBy(folder, 'SIGINT', 'group')),
);

test.run();
