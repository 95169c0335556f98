import * as assert from 'uvu/assert';
import { inTest, type HostileScript, type Ran } from '../hostile-script.ts';
import { forkBomb } from '../../sandbox/hostile/fork-bomb.ts';
import { WAITING } from './second-script.ts';

const failedWith =
  (sentence: RegExp) =>
  ({ outcome, message }: Ran): void => {
    assert.is(outcome.status, 'error');
    assert.match(message, sentence);
  };

const SLEEPER = JSON.stringify(
  "for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(name, () => undefined); setInterval(() => undefined, 1000);",
);

/** Scripts that try to start and signal processes, and to outlive their run. */
export const PROCESSES: readonly HostileScript[] = [
  {
    type: 'multistep',
    title: 'a script that loads child_process against the import rules finds no program that it can start',
    script: inTest(`
  const Module = require('node:module');
  const ways = [
    () => process.getBuiltinModule('child_process'),
    () => process.mainModule.require('child_process'),
    () => Module._load('child_process', null, false),
    () => Module.createRequire('/')('child_process'),
    () => module.constructor._load('child_process'),
    () => new Module('x').require('child_process'),
    () => globalThis.constructor.constructor('return process')().mainModule.require('node:child_process'),
  ];
  for (const way of ways) {
    const modules = await attempt(way);
    for (const program of ['/bin/sh', '/usr/bin/env', 'bwrap', 'ps'])
      found(typeof modules === 'object' ? modules.spawnSync(program, ['-c', 'cat /etc/shadow']).error?.code ?? 'started' : 'none');
  }
  const spawn = await attempt(() => process.binding('spawn_sync').spawn({ file: '/bin/sh', args: ['sh', '-c', 'id'], envPairs: [], stdio: [{ type: 'ignore' }, { type: 'ignore' }, { type: 'ignore' }] }));
  found(spawn?.pid > 0 && spawn.status === 0 ? 'started' : 'none');`),
    expectation: ({ found, outcome, message }) => {
      assert.is(outcome.status, 'ok', message);
      assert.is(found.length, 29);
      for (const one of found) assert.match(String(one), /^(ENOENT|EACCES|none)$/);
    },
  },
  {
    type: 'multistep',
    title: 'a Node.js process that a script starts with other options is in the same sandbox as the script',
    script: inTest(`
  const run = (code, ...options) => real('child_process').spawnSync(process.execPath, [...options, '-e', code], { encoding: 'utf8', env: {} });
  found(run('process.stdout.write(String(require("fs").readdirSync("/proc").filter((name) => name > 0).length))', '--inspect=127.0.0.1:0').stdout);
  found(run('try { process.stdout.write(require("fs").readFileSync("/etc/shadow")) } catch (error) { process.stdout.write(error.code) }').stdout);`),
    expectation: ({ found }) => {
      assert.equal(found, ['3', 'ENOENT']);
    },
  },
  {
    type: 'multistep',
    title: 'detached processes that a script starts, and that ignore signals, do not outlive the script',
    script: inTest(`
  const spawn = (code) => real('child_process').spawn(process.execPath, ['-e', code], { detached: true, stdio: 'ignore', env: {} }).unref();
  for (let n = 0; n < 3; n++) spawn(${SLEEPER});
  spawn('require("child_process").spawn(process.execPath, ["-e", ' + ${JSON.stringify(SLEEPER)} + '], { detached: true, stdio: "ignore" }).unref()');
  await pause(1000);
  found(fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length > 3);`),
    expectation: ({ found, outcome }) => {
      assert.is(outcome.status, 'ok');
      assert.equal(found, [true]);
    },
  },
  {
    type: 'multistep',
    title: "a script can't end the service or a concurrent run with signals",
    beside: WAITING,
    script: inTest(`
  process.on('SIGTERM', () => undefined);
  await pause(500);
  for (const pid of [${process.pid}, ${process.ppid}, -${process.pid}]) found(await attempt(() => process.kill(pid, 'SIGKILL')));
  for (let pid = 3; pid < 100000; pid++) if (pid !== process.pid) try { process.kill(pid, 'SIGKILL'); } catch {}
  await attempt(() => process.kill(-1, 'SIGTERM'));
  await attempt(() => process.kill(1, 'SIGKILL'));
  await pause(100);
  found('still here');`),
    expectation: ({ found, beside }) => {
      assert.is(beside.status, 'ok', beside.error_message ?? '');
      assert.equal(found.slice(0, 3), ['ESRCH', 'ESRCH', 'ESRCH']);
    },
  },
  {
    type: 'multistep',
    title: "a script can't raise the priority of its process",
    script: inTest(`
  found(await attempt(() => require('node:os').setPriority(-20) ?? 'done'));
  found(await attempt(() => require('node:os').setPriority(1, -20) ?? 'done'));`),
    expectation: ({ found }) => {
      for (const one of found) assert.match(String(one), /ERR_SYSTEM_ERROR|EACCES|EPERM/);
    },
  },
  {
    type: 'multistep',
    title: 'a fork bomb of machine code in a script is ended when it has more than 64 processes and threads',
    script: inTest(`
  fs.writeFileSync('/tmp/bomb', Buffer.from('${forkBomb().toString('base64')}', 'base64'), { mode: 0o755 });
  real('child_process').spawn('/tmp/bomb', { stdio: 'ignore' });
  await new Promise(() => undefined);`),
    expectation: failedWith(/more than 64 processes and threads and was ended, in test "hostile"/),
  },
  {
    type: 'multistep',
    title:
      'a fork bomb of Node.js in a script never has more than 64 processes, or more than 256 processes and threads',
    script: inTest(`
  fs.writeFileSync('/tmp/bomb.js', 'for (let n = 0; n < 2; n++) require("child_process").spawn(process.execPath, [__filename], { detached: true, stdio: "ignore" }).on("error", () => undefined); setInterval(() => undefined, 1000)');
  real('child_process').spawn(process.execPath, ['/tmp/bomb.js'], { detached: true, stdio: 'ignore' });
  for (let n = 0; n < 10; n++) {
    await pause(500);
    const processes = fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name));
    found([processes.length, processes.flatMap((pid) => { try { return fs.readdirSync('/proc/' + pid + '/task'); } catch { return []; } }).length]);
  }`),
    expectation: ({ found, outcome, message }) => {
      if (outcome.status === 'error') assert.match(message, /was ended/);
      for (const [processes, tasks] of found as [number, number][]) {
        assert.ok(processes <= 64, processes.toString());
        assert.ok(tasks <= 256, tasks.toString());
      }
    },
  },
  {
    type: 'multistep',
    title: 'a script that starts threads endlessly is ended',
    script: inTest(`
  const { Worker } = real('worker_threads');
  for (;;) { new Worker('setInterval(() => undefined, 1000)', { eval: true }).on('error', () => undefined); await pause(1); }`),
    expectation: failedWith(/ended/),
  },
  {
    type: 'multistep',
    title: 'a script that loops endlessly in a test is ended at its time limit',
    timeout: 3,
    script: inTest(`for (;;);`),
    expectation: failedWith(/not done within 3 s/),
  },
  {
    type: 'multistep',
    title: 'a script that loops endlessly while it is loaded is ended at its time limit',
    timeout: 3,
    script: `console.log('found "loading"'); for (;;);`,
    expectation: failedWith(/not (done within|loaded in)/),
  },
  {
    type: 'multistep',
    title: 'a script whose test never settles fails with a timeout',
    timeout: 3,
    script: inTest(`await new Promise(() => undefined);`),
    expectation: (ran) => {
      failedWith(/hostile/)(ran);
      assert.is(ran.outcome.reason, 'timeout');
    },
  },
  {
    type: 'multistep',
    title: 'a script whose tests have passed succeeds, although it leaves timers, servers and an endless exit handler',
    script: inTest(`
  setInterval(() => undefined, 10);
  real('net').createServer().listen(0);
  process.on('SIGTERM', () => undefined).on('exit', () => { for (;;); });`),
    expectation: ({ outcome, message }) => {
      assert.is(outcome.status, 'ok', message);
    },
  },
  {
    type: 'multistep',
    title: 'a script that exits with code 0 during a test fails',
    script: inTest(`process.exit(0);`),
    expectation: failedWith(/The script ended before it was done, in test "hostile".*code 0/),
  },
  {
    type: 'multistep',
    title: 'a script that aborts its process fails',
    script: inTest(`process.abort();`),
    expectation: failedWith(/SIGABRT/),
  },
  {
    type: 'multistep',
    title: 'a script that kills its process fails',
    script: inTest(`process.kill(process.pid, 'SIGKILL'); await pause(5000);`),
    expectation: failedWith(/SIGKILL/),
  },
  {
    type: 'multistep',
    title: 'a script that exits with code 0 before it declares a test fails',
    script: `process.exit(0);`,
    expectation: failedWith(/ended before it was done.*code 0/),
  },
  {
    type: 'multistep',
    title: 'a script that throws an error outside of its tests fails',
    script: `const { test } = require('@playwright/test');\ntest('passes', () => undefined);\nthrow new Error('outside');`,
    expectation: failedWith(/outside of its tests: .*outside/),
  },
  {
    type: 'multistep',
    title: 'a script with an uncaught error and an unhandled rejection fails',
    script: inTest(`
  setImmediate(() => { throw new Error('later'); });
  void Promise.reject(new Error('unheard'));
  await pause(200);`),
    expectation: failedWith(/later|unheard/),
  },
  {
    type: 'multistep',
    title: 'a script that only prints a text fails because it has no test',
    script: `console.log('nothing to do');`,
    expectation: failedWith(/^The script has no test\.$/),
  },
  {
    type: 'multistep',
    title: 'an empty script fails because it has no test',
    script: ``,
    expectation: failedWith(/^The script has no test\.$/),
  },
  {
    type: 'multistep',
    title: 'a script that does not compile fails with the line and the column of the error',
    script: `const { test } = require('@playwright/test');\ntest('x', async () => { const = 1; });`,
    expectation: failedWith(/does not compile.*line 2, column \d+/),
  },
];
