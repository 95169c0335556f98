import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ScriptKind } from '../../protocol.ts';
import { browserIn, realBrowser } from './browser.ts';
import { ownLibraries } from './libraries.ts';
import { PACKAGES, packagesFrom } from './packages.ts';
import { realFile, mergeTrees, type Tree } from './tree.ts';

/** Paths of what the program inside uses, as it sees them. */
export interface InsidePaths {
  node: string;
  /** the program to run inside */
  main: string;
  modules: string;
  chromium: string | null;
  ffmpeg: string | null;
  extraCertificates: string | null;
}

/** The files of this machine that a kind of script sees. */
export interface SandboxContent {
  tree: Tree;
  places: InsidePaths;
}

/** Paths on this machine. */
export interface SandboxSources {
  /** the program to run inside; its whole folder is visible */
  main: string;
  /** folder from which the packages that scripts may import resolve */
  modules: string;
  packages?: readonly string[];
  /** the browser; null: not installed, so synthetic scripts can't run */
  chromium: string | null;
  ffmpeg: string | null;
  /** file of certificates (PEM) */
  extraCertificates: string | null;
}

/** The folder inside for our own files. */
const OWN = '/opt/uptrail';

const present = (file: string | null): string | null => (file === null ? null : realFile(file));

const nodeHere = (): string => realFile(process.execPath) ?? process.execPath;

/** Folders of libraries that every program searches. */
const COMMON_PREFIXES = ['/', '/usr', '/usr/local'];

/** Node.js with its libraries. Libraries shipped beside it stay beside it. */
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
 * The files of this machine that a kind of script sees, and no others.
 *
 * @throws LocalFailure a required file is missing
 */
export const sandboxContentOf = (kind: ScriptKind, sources: SandboxSources): SandboxContent => {
  const node = nodeInside();
  const packages = packagesFrom(sources.modules, join(OWN, 'modules'), sources.packages ?? PACKAGES);
  const main = realFile(sources.main) ?? sources.main;
  // Lets the program inside resolve packages as it would without a sandbox.
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

/** Only Node.js. */
export const nodeOnlyContent = (): SandboxContent => {
  const { tree, program } = nodeInside();
  const nothing = { modules: '', chromium: null, ffmpeg: null, extraCertificates: null };
  return { tree, places: { node: program, main: '', ...nothing } };
};

/** The paths without a sandbox. */
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
