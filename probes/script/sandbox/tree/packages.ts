import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LocalFailure } from '../../../../network/local-failure.ts';
import type { Link, Tree } from './tree.ts';

/** The packages that scripts may import, and those that Playwright needs. */
export const PACKAGES: readonly string[] = [
  '@playwright/test',
  'playwright',
  'playwright-core',
  '@faker-js/faker',
  'dayjs',
  'zod',
  'jsonwebtoken',
  'otpauth',
  'undici',
];

/** Packages with their dependencies, as they appear in a sandbox. */
export interface Packages {
  tree: Tree;
  /** folder inside the sandbox whose `node_modules` contains the packages */
  folder: string;
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** A package: the path at which it was found, and its real folder. */
interface Found {
  name: string;
  at: string;
  folder: string;
}

/** Finds a package as Node.js does: in `node_modules` of a folder and of all its parents. */
const found = (name: string, from: string): Found | null => {
  for (let folder = from; ; folder = dirname(folder)) {
    const at = join(folder, 'node_modules', name);
    if (existsSync(join(at, 'package.json'))) return { name, at, folder: realpathSync(at) };
    if (folder === dirname(folder)) return null;
  }
};

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Returns packages and their transitive dependencies, by path. Optional dependencies may be missing. */
const closure = (names: readonly string[], from: string): Map<string, Found> => {
  const all = new Map<string, Found>();
  const add = (name: string, of: string, optional: boolean): void => {
    const one = found(name, of);
    if (!one) {
      if (optional) return;
      throw new LocalFailure(`The package ${name}, which scripts may import, is not installed (looked from ${of}).`);
    }
    const known = [...all.values()].some(({ folder }) => folder === one.folder);
    all.set(one.at, one);
    if (known) return;
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(one.folder);
    for (const needed of Object.keys(dependencies)) add(needed, one.folder, needed in optionalDependencies);
    for (const needed of Object.keys(optionalDependencies)) add(needed, one.folder, true);
  };
  for (const name of names) add(name, from, false);
  return all;
};

/** Returns the innermost common parent folder of some paths. */
const commonFolder = (paths: readonly string[]): string => {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1));
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && first[same] === other[same]) same += 1;
    length = same;
  }
  return first.slice(0, length).join('/') || '/';
};

/**
 * Returns packages with their dependencies, in the same layout as on this machine, whether flat, nested, or linked to a
 * store. Nothing else in their folders is visible.
 *
 * @param from folder of this machine from which the packages are resolved
 * @param inside folder of the packages inside the sandbox
 * @throws LocalFailure if a package is not installed
 */
export const packagesFrom = (from: string, inside: string, names: readonly string[] = PACKAGES): Packages => {
  const all = [...closure(names, realpathSync(from)).values()];
  const roots = all.map(({ name, at }) => join(at, ...name.split('/').map(() => '..'), '..'));
  // Scripts must be able to import all these packages from one folder.
  const root = roots[0] ?? from;
  const base = commonFolder([
    ...all.map(({ folder }) => folder),
    ...roots.map((folder) => join(folder, 'node_modules')),
  ]);
  const placed = (path: string): string => join(inside, path.slice(base === '/' ? 0 : base.length));

  const folders = [...new Set(all.map(({ folder }) => folder))];
  const nested = (folder: string): boolean =>
    folders.some((other) => other !== folder && folder.startsWith(`${other}/`));
  const links: Link[] = all
    .filter(({ at, folder }) => at !== folder)
    .map(({ at, folder }) => ({ target: placed(folder), at: placed(at) }));
  for (const name of names) {
    const at = join(root, 'node_modules', name);
    const one = all.find((other) => other.name === name);
    // The package was found in a folder above `root`. In the sandbox, a link makes the package available in `root` too.
    if (one && !all.some((other) => other.at === at)) links.push({ target: placed(one.folder), at: placed(at) });
  }
  return {
    tree: {
      binds: folders.filter((folder) => !nested(folder)).map((folder) => ({ from: folder, to: placed(folder) })),
      links,
    },
    folder: placed(root),
  };
};
