import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inProject, PROJECT } from '../project.ts';

/** Folders of the root whose files are generated, installed or local, and so not part of the project. */
const NOT_OURS = ['.git', 'build', 'coverage', 'data', 'dist', 'node_modules'];

const filesBelow = (folder: string): string[] =>
  readdirSync(join(PROJECT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return [path];
    return entry.isDirectory() && !NOT_OURS.includes(path) ? filesBelow(path) : [];
  });

/** Paths of all files of the project, such as `domain/errors.ts`. */
export const FILES: readonly string[] = filesBelow('');

/** The Markdown documents for readers: those of the root and of `docs/`. */
export const DOCUMENTS: readonly string[] = FILES.filter((path) => /^(?:docs\/.+|[^/]+)\.md$/.test(path));

/** Names of the folders in the root, such as `domain`. Code and documents refer to files in them by path. */
export const FOLDERS: ReadonlySet<string> = new Set(
  FILES.filter((path) => /^\w/.test(path) && path.includes('/')).map((path) => path.slice(0, path.indexOf('/'))),
);

export const textOf = (path: string): string => readFileSync(inProject(path), 'utf8');

/** Returns whether the path of a file or folder exists in the project. A path that ends in a slash must be a folder. */
export const exists = (path: string): boolean => {
  const found = inProject(path);
  return existsSync(found) && (!path.endsWith('/') || statSync(found).isDirectory());
};
