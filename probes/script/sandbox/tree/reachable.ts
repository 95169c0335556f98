import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bind, Tree } from './tree.ts';

/**
 * A tree whose sources every user can reach. Sources in folders that are closed to other users are mounted elsewhere.
 */
export interface Reachable {
  tree: Tree;
  /** mounts that make sources available outside of closed folders, in the order in which they must be made */
  stages: readonly Bind[];
}

const SEARCH = 0o001;

/** Returns the innermost parent folder of a path that other users can't search; null if there is none. */
const closed = (path: string): string | null => {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & SEARCH) === 0) return folder;
    if (folder === dirname(folder)) return null;
  }
};

/**
 * Makes the sources of a tree reachable for every user. If a source is below a folder that other users can't search,
 * such as root's home, the source is mounted elsewhere while the sandbox is created. The permissions of the files
 * themselves don't change.
 *
 * @param stage empty folder that other users can search
 */
export const makeReachable = (tree: Tree, stage: string): Reachable => {
  const stages = new Map<string, Bind>();
  const binds = tree.binds.map(({ from, to }) => {
    const folder = closed(from);
    if (folder === null) return { from, to };
    const [first = '', ...rest] = from.slice(folder.length).split('/').filter(Boolean);
    const source = join(folder, first);
    const staged = stages.get(source) ?? { from: source, to: join(stage, stages.size.toString()) };
    stages.set(source, staged);
    return { from: join(staged.to, ...rest), to };
  });
  return { tree: { binds, links: tree.links }, stages: [...stages.values()] };
};
