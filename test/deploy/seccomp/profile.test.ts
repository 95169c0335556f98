import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CONDITIONAL_CALLS, REFUSED } from '../../../probes/script/sandbox/seccomp/system-calls.ts';
import { testWith } from '../project.ts';
import { needed, opened } from './calls.ts';
import { hasLibseccomp, unknownTo } from './libseccomp.ts';
import { seccompProfile } from './profile.ts';

const test = suite('the seccomp profile of the service that runs scripts');

const profile = seccompProfile();
const allowed = (call: string) => profile.syscalls.filter(({ names }) => names.includes(call));

test('the seccomp profile has the format that container engines read', () => {
  assert.equal([profile.defaultAction, profile.defaultErrnoRet], ['SCMP_ACT_ERRNO', 38]);
  for (const { names, action, args = [] } of profile.syscalls) {
    assert.is(action, 'SCMP_ACT_ALLOW');
    assert.ok(names.length > 0);
    for (const name of names) assert.match(name, /^_?[a-z][a-z0-9_]*$/);
    for (const { index, op, value, valueTwo } of args) {
      assert.ok(index >= 0 && index < 6 && Number.isSafeInteger(value));
      assert.is(valueTwo === undefined, op === 'SCMP_CMP_EQ');
    }
  }
});

test('the seccomp profile names each system call once, except calls whose first argument decides', () => {
  const names = profile.syscalls.flatMap((rule) => rule.names);
  assert.equal([...new Set(names.filter((name, index) => names.indexOf(name) !== index))], ['personality', 'socket']);
  for (const name of ['personality', 'socket', 'socketpair', 'unshare'])
    for (const { args = [] } of allowed(name)) assert.is(args.length, 1);
});

test('the seccomp profile denies the service what sandboxes deny to scripts, except the calls that create a sandbox', () => {
  const made = opened.flatMap(({ names }) => names);
  for (const name of made) assert.ok(name in REFUSED || name in CONDITIONAL_CALLS, name);
  assert.equal(
    Object.keys(REFUSED)
      .filter((name) => allowed(name).length > 0)
      .sort(),
    made.filter((name) => name in REFUSED).sort(),
  );
  for (const name of ['bpf', 'chroot', 'init_module', 'io_uring_setup', 'keyctl', 'ptrace', 'setns', 'userfaultfd'])
    assert.equal(allowed(name), [], name);
});

test('the seccomp profile makes clone3 fail as on an old kernel, because no filter can inspect its flags', () => {
  assert.equal(allowed('clone3'), []);
  assert.ok(needed.some(({ names }) => names.includes('clone')));
});

const compiledTest = testWith(test, hasLibseccomp());

for (const { architecture } of profile.archMap) {
  compiledTest(`libseccomp compiles the seccomp profile for ${architecture} and knows all its system calls`, () => {
    // Linux added `mseal` after the release of Debian 12.
    assert.equal(
      unknownTo(profile, architecture).filter((name) => name !== 'mseal'),
      [],
    );
  });
}

test.run();
