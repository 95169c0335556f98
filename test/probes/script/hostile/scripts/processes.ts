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
    tries: 'gets child_process, net and worker_threads past the list of modules, in seven ways',
    doesNotGet: 'a program of this machine, since there is none',
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
    tries: 'starts Node.js anew with an inspector, a preload and no list of modules',
    doesNotGet: 'more than it had',
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
    tries: 'starts processes that are detached, ignore signals and start others',
    doesNotGet: 'one that outlives it',
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
    tries: 'signals every process that there may be',
    doesNotGet: 'to end the service, nor another run',
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
    tries: 'asks to be more important than others, and for other limits',
    doesNotGet: 'a priority above that of others',
    script: inTest(`
  found(await attempt(() => require('node:os').setPriority(-20) ?? 'done'));
  found(await attempt(() => require('node:os').setPriority(1, -20) ?? 'done'));`),
    expectation: ({ found }) => {
      for (const one of found) assert.match(String(one), /ERR_SYSTEM_ERROR|EACCES|EPERM/);
    },
  },
  {
    type: 'multistep',
    tries: 'is a fork bomb of machine code',
    doesNotGet: 'more than 64 processes',
    script: inTest(`
  fs.writeFileSync('/tmp/bomb', Buffer.from('${forkBomb().toString('base64')}', 'base64'), { mode: 0o755 });
  real('child_process').spawn('/tmp/bomb', { stdio: 'ignore' });
  await new Promise(() => undefined);`),
    expectation: failedWith(/more than 64 processes and threads and was ended, in test "hostile"/),
  },
  {
    type: 'multistep',
    tries: 'is a fork bomb of Node.js, each of which starts two others',
    doesNotGet: 'more than 64 processes, and 256 processes and threads together',
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
    tries: 'is a bomb of threads',
    doesNotGet: 'more than its threads and memory',
    script: inTest(`
  const { Worker } = real('worker_threads');
  for (;;) { new Worker('setInterval(() => undefined, 1000)', { eval: true }).on('error', () => undefined); await pause(1); }`),
    expectation: failedWith(/ended/),
  },
  {
    type: 'multistep',
    tries: 'loops for ever without a pause',
    doesNotGet: 'more than its time',
    timeout: 3,
    script: inTest(`for (;;);`),
    expectation: failedWith(/not done within 3 s/),
  },
  {
    type: 'multistep',
    tries: 'loops for ever while it is loaded',
    doesNotGet: 'more than its time',
    timeout: 3,
    script: `console.log('found "loading"'); for (;;);`,
    expectation: failedWith(/not (done within|loaded in)/),
  },
  {
    type: 'multistep',
    tries: 'never settles',
    doesNotGet: 'more than its time, nor a passed test',
    timeout: 3,
    script: inTest(`await new Promise(() => undefined);`),
    expectation: (ran) => {
      failedWith(/hostile/)(ran);
      assert.is(ran.outcome.reason, 'timeout');
    },
  },
  {
    type: 'multistep',
    tries: 'stays by timers, servers and handlers of signals after its tests',
    doesNotGet: 'to live on after its result',
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
    tries: 'ends in the middle with code 0',
    doesNotGet: 'a result that says all was well',
    script: inTest(`process.exit(0);`),
    expectation: failedWith(/The script ended before it was done, in test "hostile".*code 0/),
  },
  {
    type: 'multistep',
    tries: 'aborts',
    doesNotGet: 'to leave a core file, nor a good result',
    script: inTest(`process.abort();`),
    expectation: failedWith(/SIGABRT/),
  },
  {
    type: 'multistep',
    tries: 'kills itself',
    doesNotGet: 'a good result',
    script: inTest(`process.kill(process.pid, 'SIGKILL'); await pause(5000);`),
    expectation: failedWith(/SIGKILL/),
  },
  {
    type: 'multistep',
    tries: 'ends before it has a test',
    doesNotGet: 'a good result',
    script: `process.exit(0);`,
    expectation: failedWith(/ended before it was done.*code 0/),
  },
  {
    type: 'multistep',
    tries: 'throws outside of its tests',
    doesNotGet: 'a good result',
    script: `const { test } = require('@playwright/test');\ntest('passes', () => undefined);\nthrow new Error('outside');`,
    expectation: failedWith(/outside of its tests: .*outside/),
  },
  {
    type: 'multistep',
    tries: 'throws later, and rejects what nobody waits for',
    doesNotGet: 'a good result',
    script: inTest(`
  setImmediate(() => { throw new Error('later'); });
  void Promise.reject(new Error('unheard'));
  await pause(200);`),
    expectation: failedWith(/later|unheard/),
  },
  {
    type: 'multistep',
    tries: 'has no test at all',
    doesNotGet: 'a good result',
    script: `console.log('nothing to do');`,
    expectation: failedWith(/^The script has no test\.$/),
  },
  {
    type: 'multistep',
    tries: 'is empty',
    doesNotGet: 'a good result',
    script: ``,
    expectation: failedWith(/^The script has no test\.$/),
  },
  {
    type: 'multistep',
    tries: 'does not compile',
    doesNotGet: 'more than a sentence with line and column',
    script: `const { test } = require('@playwright/test');\ntest('x', async () => { const = 1; });`,
    expectation: failedWith(/does not compile.*line 2, column \d+/),
  },
];
