// Own process: this file sets SECRETS_KEY, as in the environment of the service.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { answerOf, returned, ROOT, run, sandboxesOf, suiteOfSandboxes } from '../open-sandboxes.ts';

const suited = await suiteOfSandboxes('a script in a sandbox');
const { tests, test } = suited;

/** The home folder. It is replaced if it is the folder of temporary files, which also exists in each sandbox. */
const HOME = homedir() === tmpdir() ? '/home' : homedir();
const SECRET = 'a-key-that-only-the-service-has';
process.env['SECRETS_KEY'] = SECRET;
const data = mkdtempSync(join(tmpdir(), 'uptrail-data-'));
writeFileSync(join(data, 'events.db'), SECRET);
tests.after(() => {
  rmSync(data, { recursive: true });
});

const sandboxes = await sandboxesOf(suited, { kinds: { multistep: { warm: 1, most: 3 } } });

/** Returns the paths that a script can read or list. */
const seen = async (paths: readonly string[]): Promise<unknown> =>
  returned(
    await run(
      sandboxes,
      `const fs = require('node:fs');
       return ${JSON.stringify(paths)}.filter((path) => {
         try { fs.readFileSync(path); return true; } catch (error) { if (error.code === 'EISDIR') return true; }
         return false;
       });`,
    ),
  );

test("a script can't read the passwords of this machine", async () => {
  assert.equal(await seen(['/etc/shadow', '/etc/sudoers', '/etc/ssh', '/proc/1/root/etc/shadow']), []);
});

test('a script can’t see the data folder, home folders, or the program of the service', async () => {
  assert.equal(
    await seen([data, join(data, 'events.db'), HOME, '/root', '/home', '/var', '/srv', '/boot', '/sys', ROOT]),
    [],
  );
});

test('a script can’t run a shell, or any program of this machine except Node.js', async () => {
  assert.equal(await seen(['/bin/sh', '/bin', '/usr/bin', '/usr/sbin', '/sbin', '/usr/local', '/usr/local/etc']), []);
});

test('a script can’t read the environment of the service from any visible process', async () => {
  const value = returned(
    await run(
      sandboxes,
      `const fs = require('node:fs');
       const read = (file) => { try { return fs.readFileSync(file, 'latin1'); } catch { return ''; } };
       const processes = fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name));
       return processes.map((pid) => read('/proc/' + pid + '/environ') + read('/proc/' + pid + '/cmdline')).join() +
         Object.keys(process.env).sort();`,
    ),
  );
  assert.type(value, 'string');
  assert.not.match(String(value), SECRET);
  assert.match(String(value), /HOME,LANG,PATH,PWD,TMPDIR,TZ$/);
  assert.not.match(String(value), process.cwd());
});

test('a script inherits no open files of the service', async () => {
  const links = returned(
    await run(
      sandboxes,
      `const fs = require('node:fs');
       return fs.readdirSync('/proc/self/fd').flatMap((fd) => {
         try { return [fs.readlinkSync('/proc/self/fd/' + fd)]; } catch { return []; }
       });`,
    ),
  ) as string[];
  for (const link of links) assert.match(link, /^(\/dev\/null|pipe:|socket:|anon_inode:|\/proc\/\d+\/fd$)/);
  // These sockets belong to Node.js, or were passed to the script intentionally.
  assert.is(links.filter((link) => link.startsWith('socket:')).length, 3);
});

test("a script can't see files or processes of another run", async () => {
  const [one, other] = await Promise.all([
    sandboxes.take('multistep', AbortSignal.timeout(60_000)),
    sandboxes.take('multistep', AbortSignal.timeout(60_000)),
  ]);
  try {
    const written = await answerOf(
      one,
      `const fs = require('node:fs');
       fs.writeFileSync('/tmp/token', 'x'); fs.writeFileSync('/dev/shm/token', 'x');
       return fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length;`,
    );
    // The script sees two processes: the first process of its sandbox, and Node.js.
    assert.is(returned(written), 2);
    const found = await answerOf(
      other,
      `const fs = require('node:fs');
       return [fs.readdirSync('/tmp'), fs.readdirSync('/dev/shm'), fs.readdirSync('/run/uptrail'),
         fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length];`,
    );
    assert.equal(returned(found), [[], [], ['proxy.sock'], 2]);
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
});

test('a script can write only in its own folders', async () => {
  const writable = returned(
    await run(
      sandboxes,
      `const fs = require('node:fs');
       const { join } = require('node:path');
       const writable = [];
       const visit = (folder, depth) => {
         try {
           fs.writeFileSync(join(folder, 'mine'), '');
           writable.push(folder);
         } catch {}
         let entries = [];
         try { entries = fs.readdirSync(folder, { withFileTypes: true }); } catch {}
         for (const entry of entries) {
           const path = join(folder, entry.name);
           if (path === '/proc') continue;
           if (entry.isDirectory()) { if (depth < 6) visit(path, depth + 1); }
           else if (entry.isFile()) {
             for (const attempt of [() => { if (!fs.lstatSync(path).isCharacterDevice()) fs.appendFileSync(path, ''); else throw new Error(); }, () => fs.chmodSync(path, 0o777), () => fs.unlinkSync(path)])
               try { attempt(); if (!path.startsWith('/tmp/') && !path.startsWith('/dev/shm/')) writable.push(path); } catch {}
           }
         }
       };
       visit('/', 0);
       return writable;`,
    ),
  );
  assert.equal(writable, ['/dev/shm', '/tmp']);
});

test("a script can't change the kernel through files in /proc", async () => {
  const changed = returned(
    await run(
      sandboxes,
      `const fs = require('node:fs');
       return ['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/hostname', '/proc/sysrq-trigger', '/proc/1/oom_score_adj',
         '/proc/sys/user/max_user_namespaces', '/proc/self/uid_map', '/proc/1/mem', '/proc/kcore'].filter((file) => {
         try { fs.closeSync(fs.openSync(file, 'r+')); fs.writeFileSync(file, '-1'); return true; } catch { return false; }
       });`,
    ),
  );
  assert.equal(changed, []);
});

test('a script can’t create hard links to visible files, or gain rights through a file that it creates', async () => {
  const value = returned(
    await run(
      sandboxes,
      `const fs = require('node:fs');
       const codeOf = (attempt) => { try { attempt(); return 'done'; } catch (error) { return error.code; } };
       return [
         codeOf(() => fs.linkSync(boot.modules + '/node_modules/zod/package.json', '/tmp/linked')),
         codeOf(() => fs.linkSync('/etc/passwd', '/tmp/passwd')),
         codeOf(() => fs.linkSync('/proc/self/exe', '/tmp/exe')),
         codeOf(() => fs.chownSync('/tmp', 0, 0)),
         codeOf(() => process.setuid(0)),
       ];`,
    ),
  ) as string[];
  for (const code of value) assert.ok(['EXDEV', 'EPERM', 'EINVAL', 'EROFS'].includes(code), JSON.stringify(value));
});

test('no mount of a script honours setuid files, and a script can write only to its own mounts', async () => {
  const lines = String(
    returned(await run(sandboxes, `return require('node:fs').readFileSync('/proc/self/mountinfo', 'utf8');`)),
  );
  const mounts = lines
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([, , , , point = '', options = '']) => ({ point, options: options.split(',') }));
  assert.ok(mounts.length > 10);
  for (const { point, options } of mounts) {
    assert.ok(options.includes('nosuid'), point);
    if (!options.includes('ro')) assert.match(point, /^\/(tmp|proc|dev\/(shm|pts|null|zero|full|random|urandom|tty))$/);
  }
});

test("a script can't access devices", async () => {
  const value = returned(
    await run(
      sandboxes,
      `const fs = require('node:fs');
       return fs.readdirSync('/dev').filter((name) => {
         const status = fs.lstatSync('/dev/' + name);
         return status.isCharacterDevice() || status.isBlockDevice();
       }).sort();`,
    ),
  );
  assert.equal(value, ['full', 'null', 'random', 'tty', 'urandom', 'zero']);
});

test("a script can't see the name of this machine", async () => {
  assert.equal(returned(await run(sandboxes, `return require('node:os').hostname();`)), 'script');
});

test('a script sees only the packages that it may import', async () => {
  const value = returned(
    await run(
      sandboxes,
      `const { createRequire } = require('node:module');
       const from = createRequire(boot.modules + '/x.js');
       const found = (name) => { try { from(name); return true; } catch { return false; } };
       return ['@playwright/test', 'playwright-core', '@faker-js/faker', 'dayjs', 'zod', 'jsonwebtoken', 'otpauth', 'undici',
         'express', 'better-sqlite3', 'mongodb', 'nodemailer', 'pino'].filter(found);`,
    ),
  );
  assert.equal(value, [
    ...['@playwright/test', 'playwright-core', '@faker-js/faker', 'dayjs', 'zod', 'jsonwebtoken', 'otpauth', 'undici'],
  ]);
});

tests.run();
