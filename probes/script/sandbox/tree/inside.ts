import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ScriptKind } from '../../protocol.ts';
import { browserIn, realBrowser } from './browser.ts';
import { ownLibraries } from './libraries.ts';
import { PACKAGES, packagesFrom } from './packages.ts';
import { real, together, type Tree } from './tree.ts';

/** Where the things are that the program inside works with, as it sees them. */
export interface Places {
  node: string;
  /** the program that runs inside */
  main: string;
  modules: string;
  chromium: string | null;
  ffmpeg: string | null;
  extraCertificates: string | null;
}

/** What of this machine a kind of script gets. */
export interface Inside {
  tree: Tree;
  places: Places;
}

/** What there is on this machine, by its paths here. */
export interface Sources {
  /** the program that runs inside; its whole folder is seen */
  main: string;
  /** folder that finds the packages that scripts may import */
  modules: string;
  packages?: readonly string[];
  /** the browser; null: there is none, and no synthetic script runs */
  chromium: string | null;
  ffmpeg: string | null;
  /** file of certificates (PEM) */
  extraCertificates: string | null;
}

/** Our own things are below it. */
const OWN = '/opt/uptrail';

const present = (file: string | null): string | null => (file === null ? null : real(file));

const nodeHere = (): string => real(process.execPath) ?? process.execPath;

/** Folders of libraries that every program finds. */
const COMMON_PREFIXES = ['/', '/usr', '/usr/local'];

/**
 * Node.js with its libraries. Where it brings its own, beside itself, they stay beside it.
 */
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
 * What a kind of script sees of this machine: only that.
 *
 * @throws OwnTrouble something that it needs is missing
 */
export const insideOf = (kind: ScriptKind, sources: Sources): Inside => {
  const node = nodeInside();
  const packages = packagesFrom(sources.modules, join(OWN, 'modules'), sources.packages ?? PACKAGES);
  const main = real(sources.main) ?? sources.main;
  // The program inside finds the packages as it would without a sandbox.
  const found: Tree = {
    binds: [],
    links: [{ at: join(OWN, 'node_modules'), target: join(packages.folder, 'node_modules') }],
  };
  const trees: Tree[] = [node.tree, packages.tree, bound(dirname(main), join(OWN, 'inside')), found];
  const places: Places = {
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
  return { tree: together(trees), places };
};

/** Node.js and nothing else. */
export const nodeAlone = (): Inside => {
  const { tree, program } = nodeInside();
  const nothing = { modules: '', chromium: null, ffmpeg: null, extraCertificates: null };
  return { tree, places: { node: program, main: '', ...nothing } };
};

/** Where everything is without a sandbox. */
export const placesHere = (kind: ScriptKind, sources: Sources): Places => ({
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
