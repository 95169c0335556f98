import { folderOf, type LibraryContents } from './library.ts';
import type { Resolve } from './markdown.ts';

/** Files that the service generates itself, with the path at which the service serves them. */
const SERVED: Readonly<Record<string, string>> = {
  'openapi.json': 'openapi.json',
  'reference/openapi.json': 'openapi.json',
};

/**
 * Returns a function that converts the links of a document for its page: `../<folder>/<name>.md#range` →
 * `../../docs/<folder>/<name>#range`. Links to other sites and within the document are not changed. The function
 * returns null for a link to a file that is not in the package.
 *
 * @param root URL of the service's root, relative to the document's page
 * @param from path of the document below the documents folder
 */
export const resolveFrom =
  ({ names, pictures }: LibraryContents, root: string, from: string): Resolve =>
  (address) => {
    if (/^(?:https?:|mailto:|#)/i.test(address)) return address;
    const [path = '', anchor] = address.split('#', 2);
    const target = normalized(`${folderOf(from)}/${decoded(path)}`);
    if (target === null) return null;
    const end = anchor === undefined ? '' : `#${anchor}`;
    const name = names.get(target) ?? names.get(`${target}/index.md`.replace(/^\//, ''));
    if (name !== undefined) return `${root}docs/${name}${end}`;
    if (pictures.has(target)) return `${root}docs/${target}`;
    const served = SERVED[target];
    return served === undefined ? null : `${root}${served}`;
  };

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Resolves `.` and `..` in a path. Returns the path, or null if it leaves the documents folder. */
const normalized = (path: string): string | null => {
  const segments: string[] = [];
  for (const segment of path.split('/').filter((one) => one !== '' && one !== '.')) {
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join('/');
};
