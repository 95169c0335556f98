import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LocalFailure } from '../../network/local-failure.ts';
import { ProbeFailure } from '../../probes/engine/probe-failure.ts';
import { brokenConnection } from '../../probes/engine/broken-connection.ts';
import { isLocalFailure } from '../../network/failure-sentences.ts';
import { PROJECT } from '../project.ts';

const trouble = suite('failures of the runner');

const coded = (code: string): Error => Object.assign(new Error(code), { code });

trouble('error codes of the runner are distinguished from those of the target', () => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL', 'ENETDOWN', 'EAI_SYSTEM', 'EAI_MEMORY'])
    assert.ok(isLocalFailure(code), code);
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ESERVFAIL', 'EHOSTUNREACH', 'ETIMEDOUT'])
    assert.not.ok(isLocalFailure(code), code);
});

trouble('a connection that breaks because of the runner is not reported as a failure of the target', () => {
  for (const error of [coded('ENOBUFS'), coded('ENOMEM'), coded('ERR_STREAM_DESTROYED'), new TypeError('x')]) {
    const local = brokenConnection(error, '127.0.0.1:80', 'before it answered');
    assert.instance(local, LocalFailure);
    assert.is(local.cause, error);
  }
  const sentences: Record<string, string> = {
    ECONNRESET: '127.0.0.1:80 reset the connection before it answered.',
    EPIPE: '127.0.0.1:80 reset the connection before it answered.',
    EHOSTUNREACH: 'The connection to 127.0.0.1:80 broke (EHOSTUNREACH) before it answered.',
  };
  for (const [code, sentence] of Object.entries(sentences)) {
    const remote = brokenConnection(coded(code), '127.0.0.1:80', 'before it answered');
    assert.instance(remote, ProbeFailure);
    assert.is(remote.message, sentence);
  }
});

/**
 * Defines `exhaust`, which opens files until no file descriptors are left. The loader of the program (tsx, esbuild)
 * closes some descriptors meanwhile, so `exhaust` continues until no descriptor has become free for a while.
 */
const EXHAUST = `
  const { openSync } = await import('node:fs');
  const { setTimeout: pause } = await import('node:timers/promises');
  const openAll = () => { let opened = 0; try { for (;; opened++) openSync('/dev/null'); } catch { return opened; } };
  const exhaust = async () => { for (let quiet = 0; quiet < 20; await pause(25)) quiet = openAll() === 0 ? quiet + 1 : 0; };
`;

/**
 * Runs these lines of code in a process with a low limit of open files. The lines call `await exhaust()` to reach the
 * limit. Returns the output.
 */
const shortOfFiles = (lines: string): string => {
  const { stdout, stderr, status } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 200; exec "$0" --input-type=module -e "$1"', process.execPath, `${EXHAUST}\n${lines}`],
    { cwd: PROJECT, encoding: 'utf8' },
  );
  assert.is(status, 0, stderr);
  return stdout.trim();
};

trouble('a host name look-up that fails on the runner is not reported as an unknown host', () => {
  // The process cannot even open a socket to query a name server.
  const printed = shortOfFiles(`
    const { systemResolve } = await import('./dist/network/resolve.js');
    await exhaust();
    await systemResolve('localhost').then(console.log, (error) => console.log(error.code));
  `);
  assert.is(printed, 'EMFILE');
});

trouble('a run that fails because of the runner has no outcome', () => {
  for (const host of ['localhost', '127.0.0.1']) {
    const output = shortOfFiles(`
      const { probe } = await import('./build/test/probes/web/probing.js');
      const { systemResolve } = await import('./dist/network/resolve.js');
      await exhaust();
      await probe('http://${host}:9/', { resolve: systemResolve })
        .then(console.log, (error) => console.log(error.name, '-', error.message));
    `);
    assert.match(output, /^LocalFailure - The runner can't (look up localhost|open a connection: EMFILE)\.$/);
  }
});

trouble.run();
