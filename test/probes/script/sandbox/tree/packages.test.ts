import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packagesFrom } from '../../../../../probes/script/sandbox/tree/packages.ts';
import { MAIN, openTestSandboxes, returned, run, suiteOfSandboxes } from '../open-sandboxes.ts';

const folders: string[] = [];
const folder = (parent = tmpdir()): string => {
  const made = mkdtempSync(join(parent, 'uptrail-packages-'));
  folders.push(made);
  return made;
};

/** Writes a package that exports its name and version, and the exports of its dependencies. */
const install = (at: string, version: string, needs: readonly string[] = []): void => {
  mkdirSync(at, { recursive: true });
  const name = at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const dependencies = Object.fromEntries(needs.map((needed) => [needed, '*']));
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name, version, dependencies }));
  writeFileSync(
    join(at, 'index.js'),
    `module.exports = [${JSON.stringify(`${name}@${version}`)}, ${needs.map((needed) => `require('${needed}')`).join()}];`,
  );
};

const link = (at: string, target: string): void => {
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(target, at);
};

const EXPECTED = [['one@1', ['two@2', ['@scope/three@3']]], ['two@1'], ['four@4', ['@scope/three@3']]];
const NAMES = ['one', 'two', 'four'];

/** Layouts of the same packages. Each function returns the folder from which the packages are resolved. */
const arrangements: [string, (root: string) => string][] = [
  [
    'a project with a version of a package inside another package',
    (root) => {
      const at = join(root, 'node_modules');
      install(join(at, 'one'), '1', ['two']);
      install(join(at, 'one/node_modules/two'), '2', ['@scope/three']);
      install(join(at, '@scope/three'), '3');
      install(join(at, 'two'), '1');
      install(join(at, 'four'), '4', ['@scope/three']);
      return root;
    },
  ],
  [
    'a global npm installation with some packages beside the program',
    (root) => {
      const at = join(root, 'lib/node_modules');
      const own = join(at, 'uptrail/node_modules');
      install(join(own, 'one'), '1', ['two']);
      install(join(own, 'one/node_modules/two'), '2', ['@scope/three']);
      install(join(own, '@scope/three'), '3');
      install(join(own, 'two'), '1');
      install(join(at, 'four'), '4', ['@scope/three']);
      install(join(at, '@scope/three'), '3');
      return join(at, 'uptrail');
    },
  ],
  [
    'a store with links, as pnpm creates them',
    (root) => {
      const at = join(root, 'node_modules');
      const store = join(at, '.pnpm');
      const stored = (name: string, version: string): string =>
        join(store, `${name.replace('/', '+')}@${version}/node_modules`, name);
      install(stored('one', '1'), '1', ['two']);
      install(stored('two', '2'), '2', ['@scope/three']);
      install(stored('two', '1'), '1');
      install(stored('@scope/three', '3'), '3');
      install(stored('four', '4'), '4', ['@scope/three']);
      link(join(store, 'one@1/node_modules/two'), '../../two@2/node_modules/two');
      link(join(store, 'two@2/node_modules/@scope/three'), '../../../@scope+three@3/node_modules/@scope/three');
      link(join(store, 'four@4/node_modules/@scope/three'), stored('@scope/three', '3'));
      for (const [name, version] of [
        ['one', '1'],
        ['two', '1'],
        ['four', '4'],
      ] as const)
        link(join(at, name), stored(name, version));
      return root;
    },
  ],
];

const resolving = suite('packages that scripts may import');

resolving('if a package that scripts may import is not installed, the error names the package', () => {
  const root = folder();
  install(join(root, 'node_modules/one'), '1', ['absent']);
  assert.throws(
    () => packagesFrom(root, '/opt/modules', ['one']),
    /absent, which scripts may import, is not installed/,
  );
});

resolving('packages for scripts are visible in a sandbox without the other packages in the same folder', () => {
  const root = folder();
  install(join(root, 'node_modules/one'), '1');
  install(join(root, 'node_modules/other'), '1');
  const { tree, folder: inside } = packagesFrom(root, '/opt/modules', ['one']);
  assert.is(inside, '/opt/modules');
  assert.equal(tree.binds, [{ from: join(root, 'node_modules/one'), to: '/opt/modules/node_modules/one' }]);
});

resolving.run();

const { tests, test } = await suiteOfSandboxes('the packages that scripts may import');
tests.after(() => {
  for (const made of folders) rmSync(made, { recursive: true });
});

/** Runs a script that requires the packages. @returns their exports */
const required = async (modules: string): Promise<unknown> => {
  const sandboxes = await openTestSandboxes({
    sources: { main: MAIN, modules, packages: NAMES, chromium: null, ffmpeg: null, extraCertificates: null },
  });
  try {
    return returned(
      await run(
        sandboxes,
        `const from = require('node:module').createRequire(boot.modules + '/x.js');
         return ${JSON.stringify(NAMES)}.map((name) => from(name));`,
      ),
    );
  } finally {
    await sandboxes.stop();
  }
};

for (const [what, arrange] of arrangements) {
  test(`scripts find their packages in ${what}`, async () => {
    assert.equal(await required(arrange(folder())), EXPECTED);
  });

  test(`scripts find their packages in ${what}, below a folder that is closed to other users`, async () => {
    const closed = folder(process.getuid?.() === 0 ? homedir() : tmpdir());
    const root = join(closed, 'project');
    mkdirSync(root);
    const modules = arrange(root);
    chmodSync(closed, 0o700);
    assert.equal(await required(modules), EXPECTED);
  });
}

test('scripts can read packages that were installed for their owner only', async () => {
  const umask = process.umask(0o077);
  try {
    const root = folder();
    install(join(root, 'node_modules/one'), '1', ['two']);
    install(join(root, 'node_modules/two'), '2', ['@scope/three']);
    install(join(root, 'node_modules/@scope/three'), '3');
    install(join(root, 'node_modules/four'), '4');
    assert.equal(await required(root), [
      ['one@1', ['two@2', ['@scope/three@3']]],
      ['two@2', ['@scope/three@3']],
      ['four@4'],
    ]);
  } finally {
    process.umask(umask);
  }
});

tests.run();
