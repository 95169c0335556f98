import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ScriptKind } from '../../protocol.ts';
import { browserIn, realBrowser } from './browser.ts';
import { ownLibraries } from './libraries.ts';
import { PACKAGES, packagesFrom } from './packages.ts';
import { realFile, mergeTrees, type Tree } from './tree.ts';

/** Paths inside a sandbox, for the program that runs there. */
export interface InsidePaths {
  node: string;
  /** the program to run */
  main: string;
  modules: string;
  chromium: string | null;
  ffmpeg: string | null;
  extraCertificates: string | null;
}

/** The files of this machine that scripts of one kind see. */
export interface SandboxContent {
  tree: Tree;
  places: InsidePaths;
}

/** Paths on this machine. */
export interface SandboxSources {
  /** the program to run; its whole folder is visible inside the sandbox */
  main: string;
  /** folder from which the packages that scripts may import are resolved */
  modules: string;
  packages?: readonly string[];
  /** the browser; null if not installed, so that synthetic scripts can't run */
  chromium: string | null;
  ffmpeg: string | null;
  /** file of certificates (PEM) */
  extraCertificates: string | null;
}

/** The folder of Uptrail's files inside a sandbox. */
const OWN = '/opt/uptrail';

const present = (file: string | null): string | null => (file === null ? null : realFile(file));

const nodeHere = (): string => realFile(process.execPath) ?? process.execPath;

/** Prefixes whose library folders every program searches, so that libraries need not be moved with Node.js. */
const COMMON_PREFIXES = ['/', '/usr', '/usr/local'];

/** Returns Node.js with its libraries. Libraries in the folder of Node.js are moved together with it. */
const nodeInside = (): { tree: Tree; program: string } => {
  const program = nodeHere();
  const prefix = dirname(dirname(program));
  const inside = join(OWN, 'node');
  const libraries = ownLibraries(program);
  const moved = (path: string): string =>
    !COMMON_PREFIXES.includes(prefix) && path.startsWith(`${prefix}/`) ? inside + path.slice(prefix.length) : path;
  const at = join(inside, 'bin', 'node');
  return {
    tree: {
      binds: [...libraries.binds.map(({ from, to }) => ({ from, to: moved(to) })), { from: program, to: at }],
      links: libraries.links.map(({ target, at: link }) => ({ target: moved(target), at: moved(link) })),
    },
    program: at,
  };
};

/**
 * Returns the files of this machine that scripts of one kind see. Scripts see no other files of this machine.
 *
 * @throws LocalFailure if a required file is missing
 */
export const sandboxContentOf = (kind: ScriptKind, sources: SandboxSources): SandboxContent => {
  const node = nodeInside();
  const packages = packagesFrom(sources.modules, join(OWN, 'modules'), sources.packages ?? PACKAGES);
  const main = realFile(sources.main) ?? sources.main;
  // This link lets the program inside find packages in a parent folder, as without a sandbox.
  const found: Tree = {
    binds: [],
    links: [{ at: join(OWN, 'node_modules'), target: join(packages.folder, 'node_modules') }],
  };
  const trees: Tree[] = [node.tree, packages.tree, bound(dirname(main), join(OWN, 'inside')), found];
  const places: InsidePaths = {
    node: node.program,
    main: join(OWN, 'inside', basename(main)),
    modules: packages.folder,
    chromium: null,
    ffmpeg: null,
    extraCertificates: null,
  };
  const certificates = present(sources.extraCertificates);
  if (certificates !== null) {
    places.extraCertificates = join(OWN, 'certificates.pem');
    trees.push(bound(certificates, places.extraCertificates));
  }
  const program = kind === 'synthetic' && sources.chromium !== null ? realBrowser(sources.chromium) : null;
  if (program !== null) {
    const browser = browserIn(program, join(OWN, 'browser'));
    places.chromium = browser.program;
    trees.push(browser.tree);
    const ffmpeg = present(sources.ffmpeg);
    if (ffmpeg !== null) {
      places.ffmpeg = join(OWN, 'ffmpeg', 'ffmpeg');
      trees.push(bound(ffmpeg, places.ffmpeg));
    }
  }
  return { tree: mergeTrees(trees), places };
};

/** Returns the content of a sandbox that contains only Node.js. */
export const nodeOnlyContent = (): SandboxContent => {
  const { tree, program } = nodeInside();
  const nothing = { modules: '', chromium: null, ffmpeg: null, extraCertificates: null };
  return { tree, places: { node: program, main: '', ...nothing } };
};

/** Returns the paths for a program that runs without a sandbox. */
export const pathsWithoutSandbox = (kind: ScriptKind, sources: SandboxSources): InsidePaths => ({
  node: nodeHere(),
  main: sources.main,
  modules: sources.modules,
  chromium: kind === 'synthetic' && sources.chromium !== null ? realBrowser(sources.chromium) : null,
  ffmpeg: kind === 'synthetic' ? present(sources.ffmpeg) : null,
  extraCertificates: present(sources.extraCertificates),
});

const bound = (from: string, to: string): Tree => ({
  binds: existsSync(from) ? [{ from, to }] : [],
  links: [],
});
