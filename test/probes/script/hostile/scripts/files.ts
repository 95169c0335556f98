import * as assert from 'uvu/assert';
import { inTest, OTHERS_SECRET, type HostileScript, type Ran } from '../hostile-script.ts';
import { SECRET_FILE, WAITING } from './second-script.ts';

const ROOT = process.cwd();

/** Returns a script that reads paths one after the other, and reports each result. */
const reading = (paths: readonly string[]): string =>
  inTest(`
  for (const path of ${JSON.stringify(paths)})
    found(await attempt(() => fs.statSync(path).isDirectory() ? fs.readdirSync(path) : fs.readFileSync(path, 'latin1').slice(0, 200)));`);

/** Asserts that everything the script tried failed with a system error. */
const refused = ({ found, outcome }: Ran): void => {
  assert.is(outcome.status, 'ok');
  assert.ok(found.length > 0);
  for (const one of found)
    assert.match(String(one), /^(ENOENT|EACCES|EPERM|EROFS|EXDEV|EINVAL|EIO|ENOTDIR|ENXIO|ETXTBSY)$/);
};

/** Scripts that try to read, find and change files of the machine. */
export const FILES: readonly HostileScript[] = [
  {
    type: 'multistep',
    title: "a script can't read /etc/shadow or /etc/ssh",
    script: reading(['/etc/shadow', '/etc/shadow-', '/etc/ssh', '/proc/1/root/etc/shadow', '/etc/../etc/shadow']),
    expectation: refused,
  },
  {
    type: 'multistep',
    title: 'a script that reads /etc/passwd sees only the user of its sandbox',
    script: reading(['/etc/passwd']),
    expectation: ({ found }) => {
      assert.equal(found, ['script:x:1000:1000::/tmp:/nonexistent\n']);
    },
  },
  {
    type: 'multistep',
    title: "a script can't find or read the data folder of the service",
    script: ({ data, socket }) =>
      reading([data, `${data}/events.db`, socket, `/proc/1/root${data}/events.db`, '/var/lib/uptrail']),
    expectation: refused,
  },
  {
    type: 'multistep',
    title: "a script can't read the source of the project, or packages that scripts may not import",
    script: reading(
      ['', '/package.json', '/.env', '/.git', '/node_modules/express/package.json', '/dist/service/main.js'].map(
        (path) => ROOT + path,
      ),
    ),
    expectation: refused,
  },
  {
    type: 'multistep',
    title: "a script can't read home folders, keys and secrets of the machine",
    script: reading(['/root', '/home', '/root/.ssh/id_rsa', '/run/secrets', '/var', '/boot', '/srv', '/sys']),
    expectation: refused,
  },
  {
    type: 'multistep',
    title: 'a script that reads /proc/1/environ finds no environment variable of the service',
    script: inTest(`
  const text = await attempt(() => fs.readFileSync('/proc/1/environ', 'latin1'));
  found(text.split('\\0').map((line) => line.split('=')[0]).filter((name) => name !== ''));`),
    expectation: ({ found: [names], outcome }) => {
      assert.is(outcome.status, 'ok');
      const known = ['EACCES', 'HOME', 'LANG', 'PATH', 'PWD', 'OLDPWD', 'TMPDIR', 'TZ', 'UPTRAIL_SANDBOX'];
      for (const name of names as string[]) assert.ok(known.includes(name), name);
    },
  },
  {
    type: 'multistep',
    title: 'a script sees only the processes of its own sandbox, not those of the service or of a concurrent run',
    beside: WAITING,
    script: inTest(`
  await pause(1000);
  const processes = fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name));
  for (const pid of processes)
    for (const file of ['environ', 'cmdline', 'maps', 'mem', 'cwd', 'root', 'exe', 'mountinfo'])
      await attempt(() => console.log(pid, file, fs.readFileSync('/proc/' + pid + '/' + file, 'latin1').slice(0, 4000)));
  found(processes.length);`),
    expectation: ({ found, text, beside }) => {
      assert.is(beside.status, 'ok', beside.error_message ?? '');
      // The script sees two processes: the first process of its sandbox, and Node.js.
      assert.equal(found, [2]);
      assert.not.ok(text.includes(OTHERS_SECRET));
    },
  },
  {
    type: 'multistep',
    title: 'the environment and the memory of a script contain no setting or secret of the service',
    script: inTest(`
  found(Object.keys(process.env));
  found(JSON.stringify(process.report.getReport()).includes('that-only-the-service'));`),
    expectation: ({ found: [names, ...has], outcome }) => {
      assert.is(outcome.status, 'ok', outcome.error_message ?? '');
      for (const name of names as string[]) assert.not.match(name, /SECRET|MONGO|EVENTSTORE|SMTP|UPTRAIL/);
      assert.not.ok(has[0]);
    },
  },
  {
    type: 'multistep',
    title: "a script can't find files that a concurrent run has written",
    beside: WAITING,
    script: inTest(`
  await pause(1000);
  found([fs.existsSync('${SECRET_FILE}'), fs.existsSync('/dev/shm/token'), fs.readdirSync('/run/uptrail')]);
  console.log(JSON.stringify(process.env), fs.readdirSync('/tmp').join());`),
    expectation: ({ found, beside }) => {
      assert.is(beside.status, 'ok', beside.error_message ?? '');
      assert.equal(found, [[false, false, ['proxy.sock']]]);
    },
  },
  {
    type: 'multistep',
    title: "a script can't change files or folders outside /tmp and /dev/shm",
    script: inTest(`
  const { join } = require('node:path');
  const changed = [];
  const visit = (folder, depth) => {
    try { fs.writeFileSync(join(folder, 'mine'), ''); changed.push(folder); } catch {}
    let entries = [];
    try { entries = fs.readdirSync(folder, { withFileTypes: true }); } catch {}
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (['/proc', '/tmp', '/dev/shm'].includes(path)) continue;
      if (entry.isDirectory() && depth < 5) visit(path, depth + 1);
      if (!entry.isFile() || fs.lstatSync(path).isCharacterDevice()) continue;
      for (const change of [() => fs.appendFileSync(path, ''), () => fs.chmodSync(path, 0o777), () => fs.unlinkSync(path)])
        try { change(); changed.push(path); } catch {}
    }
  };
  visit('/', 0);
  found(changed.slice(0, 5));`),
    expectation: ({ found, outcome, message }) => {
      assert.is(outcome.status, 'ok', message);
      assert.equal(found, [[]]);
    },
  },
  {
    type: 'multistep',
    title: "a script can't overwrite Node.js or the program that runs scripts",
    script: inTest(`
  for (const path of [process.argv[1], process.execPath])
    for (const change of [() => fs.writeFileSync(path, 'x'), () => fs.unlinkSync(path), () => fs.symlinkSync('/tmp', path + 'x')])
      found(await attempt(change));`),
    expectation: refused,
  },
  {
    type: 'multistep',
    title: "a script can't change settings of the kernel in /proc",
    script: inTest(`
  for (const path of ['sys/kernel/core_pattern', 'sys/kernel/hostname', 'sysrq-trigger', '1/oom_score_adj', 'self/uid_map', '1/mem', 'kcore'])
    found(await attempt(() => { fs.closeSync(fs.openSync('/proc/' + path, 'r+')); fs.writeFileSync('/proc/' + path, '-1'); return 'changed'; }));`),
    expectation: refused,
  },
  {
    type: 'multistep',
    title: 'the open files of a script reveal no path of the machine',
    script: inTest(`
  const links = fs.readdirSync('/proc/self/fd').flatMap((fd) => { try { return [fs.readlinkSync('/proc/self/fd/' + fd)]; } catch { return []; } });
  found(links.filter((link) => !/^(\\/dev\\/(null|urandom)|pipe:|socket:|anon_inode:|\\/proc\\/\\d+\\/fd$)/.test(link)));`),
    expectation: ({ found }) => {
      assert.equal(found, [[]]);
    },
  },
  {
    type: 'multistep',
    title: "a script can't leave its file system through symbolic or hard links, and can't become root",
    script: inTest(`
  fs.symlinkSync('/etc/shadow', '/tmp/link');
  found(await attempt(() => fs.readFileSync('/tmp/link', 'utf8')));
  found(await attempt(() => fs.linkSync(process.execPath, '/tmp/node')));
  found(await attempt(() => process.setuid(0) ?? 'done'));
  found(await attempt(() => fs.chownSync('/tmp/link', 0, 0)));`),
    expectation: refused,
  },
];
