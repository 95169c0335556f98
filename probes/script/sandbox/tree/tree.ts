import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** A file or folder of this machine that is visible in a sandbox, read-only. */
export interface Bind {
  from: string;
  to: string;
}

/** A symbolic link in a sandbox. */
export interface Link {
  target: string;
  at: string;
}

/** The files of this machine that are visible in a sandbox. */
export interface Tree {
  binds: readonly Bind[];
  links: readonly Link[];
}

export const EMPTY: Tree = { binds: [], links: [] };

/** Maximum number of symbolic links in the path of a file, as in the kernel. */
const MOST_LINKS = 40;

/**
 * Returns a file or folder at the same path as on this machine, with the symbolic links in its path, such as `/lib` to
 * `/usr/lib`.
 *
 * @returns an empty tree if there is no such file
 */
export const mirrored = (path: string): Tree => {
  const links: Link[] = [];
  let at = '/';
  let rest = path.split('/').filter(Boolean);
  while (rest.length > 0) {
    const [next = '', ...after] = rest;
    const here = join(at, next);
    rest = after;
    const status = lstatSync(here, { throwIfNoEntry: false });
    if (!status) return EMPTY;
    if (!status.isSymbolicLink()) {
      at = here;
      continue;
    }
    if (links.length === MOST_LINKS) return EMPTY;
    const target = readlinkSync(here);
    links.push({ target, at: here });
    rest = [...resolve(dirname(here), target).split('/').filter(Boolean), ...rest];
    at = '/';
  }
  return { binds: [{ from: at, to: at }], links };
};

/** Returns the symbolic link at a path, without its target. */
export const linked = (path: string): Tree => {
  const status = lstatSync(path, { throwIfNoEntry: false });
  return status?.isSymbolicLink() ? { binds: [], links: [{ target: readlinkSync(path), at: path }] } : EMPTY;
};

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Merges trees. Omits duplicates, and files in a folder that is visible as a whole. */
export const mergeTrees = (trees: readonly Tree[]): Tree => {
  const all = new Map(trees.flatMap(({ binds }) => binds).map((bind) => [bind.to, bind]));
  const binds = [...all.values()]
    .filter(
      ({ from, to }) =>
        ![...all.values()].some(
          (other) => other.to !== to && isWithin(to, other.to) && from === other.from + to.slice(other.to.length),
        ),
    )
    // Sorts folders before the files that are mounted in them.
    .sort((one, other) => (one.to < other.to ? -1 : 1));
  const links = [...new Map(trees.flatMap((tree) => tree.links).map((link) => [link.at, link])).values()].filter(
    ({ at }) => !binds.some(({ to }) => isWithin(at, to)),
  );
  return { binds, links };
};

/** Returns the file to which a path leads, after all links; null if there is none. */
export const realFile = (path: string): string | null => {
  try {
    return isAbsolute(path) ? realpathSync(path) : null;
  } catch {
    return null;
  }
};
