import { readFile, readdir } from 'node:fs/promises';
import type { DocsFolder } from '../../../views/docs/model.ts';

/** A document of the package. */
export interface DocumentFile {
  /** name in URLs: `operate/install`. The index of a folder has the name of the folder: `operate` */
  name: string;
  title: string;
  /** path of the file below the documents folder; null: the document is a folder without an index */
  path: string | null;
}

/** The documents that the package contains. */
export interface LibraryContents {
  /** documents by name */
  documents: ReadonlyMap<string, DocumentFile>;
  /** the folders for the navigation */
  folders: readonly DocsFolder[];
  /** names of documents by path */
  names: ReadonlyMap<string, string>;
  /** paths of pictures: `pictures/checks.png` */
  pictures: ReadonlySet<string>;
}

/**
 * Reads the documents of this release. No file is read before the first request. Only files that `contents` lists can
 * be read.
 */
export interface Library {
  contents: () => Promise<LibraryContents>;
  /** @param path path of a document or a picture in `contents` */
  read: (path: string) => Promise<Buffer>;
}

/** The folder `dist/docs/`, relative to the compiled module. build.cjs creates it. */
const PACKAGED = new URL('../../../docs/', import.meta.url);

/** Order of folders in the navigation. Folders that are not listed come last. */
const ORDER = ['guide', 'operate', 'reference', 'develop', 'decisions'];

/** Opens a library. @param folder URL of the documents folder, with a trailing slash */
export const openLibrary = (folder: URL = PACKAGED): Library => {
  let contents: Promise<LibraryContents> | null = null;
  const read = (path: string): Promise<Buffer> => readFile(new URL(path, folder));
  return {
    contents: () => {
      contents ??= contentsOf(folder, async (path) => (await read(path)).toString());
      contents.catch(() => (contents = null));
      return contents;
    },
    read,
  };
};

/** A library without documents. */
export const EMPTY_LIBRARY: Library = {
  contents: () => Promise.resolve({ documents: new Map(), folders: [], names: new Map(), pictures: new Set<string>() }),
  read: (path) => Promise.reject(new Error(`There is no document ${path}.`)),
};

const contentsOf = async (folder: URL, read: (path: string) => Promise<string>): Promise<LibraryContents> => {
  const paths = await pathsBelow(folder);
  const files: (DocumentFile & { path: string; text: string })[] = [];
  // A document at the top level is included only if it is the index. Any other document at the top level could have the
  // same name as a topic.
  for (const path of paths.filter((one) => /^index\.md$|\/[^/]+\.md$/.test(one))) {
    const text = await read(path);
    files.push({ name: nameOf(path), title: /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? path, path, text });
  }
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const folders = foldersOf(files, texts);
  const documents = new Map<string, DocumentFile>();
  for (const one of everyFolder(folders)) documents.set(one.name, { name: one.name, title: one.title, path: null });
  for (const { name, title, path } of files) documents.set(name, { name, title, path });
  return {
    documents,
    folders,
    names: new Map(files.map(({ path, name }) => [path, name])),
    pictures: new Set(paths.filter((path) => path.endsWith('.png'))),
  };
};

/**
 * Returns the paths of all files in a folder, with slashes on every system. Returns an empty list if the folder does
 * not exist.
 */
const pathsBelow = async (folder: URL): Promise<string[]> => {
  try {
    const entries = await readdir(folder, { recursive: true });
    return entries.map((path) => path.replaceAll('\\', '/')).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

const nameOf = (path: string): string => path.replace(/(?<=.)\/index\.md$|\.md$/, '');

/** Returns the folder that contains a path: `operate/install` → `operate`. Returns an empty text for the top level. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const foldersOf = (
  files: readonly (DocumentFile & { path: string })[],
  texts: ReadonlyMap<string, string>,
): DocsFolder[] => {
  const names = new Set(files.map(({ path }) => folderOf(path)).filter((name) => name !== ''));
  const under = (parent: string): DocsFolder[] =>
    [...names]
      .filter((name) => folderOf(name) === parent)
      .sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
      .map((name) => ({
        name,
        title: titleOf(name),
        documents: files
          .filter(({ path, name: own }) => folderOf(path) === name && own !== name)
          .map(({ name: own, title }) => ({ name: own, title }))
          .sort(byLinks(texts.get(`${name}/index.md`) ?? '')),
        folders: under(name),
      }));
  return under('');
};

const rank = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

/** Returns a title for a name: `status-page` → `Status page`. */
const titleOf = (name: string): string => {
  const words = name.slice(name.lastIndexOf('/') + 1).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/**
 * Returns a comparison function for documents. Documents to which the index of their folder links come first, in the
 * order of the links. All other documents follow, sorted by title.
 */
const byLinks = (index: string) => {
  const links = [...index.matchAll(/\]\(([\w-]+)\.md/g)].map(([, name]) => name);
  const position = ({ name }: { name: string }): number => {
    const at = links.indexOf(name.slice(name.lastIndexOf('/') + 1));
    return at === -1 ? links.length : at;
  };
  return (one: { name: string; title: string }, other: { name: string; title: string }): number =>
    position(one) - position(other) || (one.title < other.title ? -1 : 1);
};

const everyFolder = (folders: readonly DocsFolder[]): DocsFolder[] =>
  folders.flatMap((folder) => [folder, ...everyFolder(folder.folders)]);
