import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EMPTY, linked, mirrored, realFile, mergeTrees, type Tree } from './tree.ts';

/** Folders that may be links, such as `/lib` to `/usr/lib`. Libraries are searched under both names. */
const LINKED = ['/lib', '/lib64', '/usr/lib64'];

/** The loader's cache of the paths of libraries. Without it, the loader searches only a few folders. */
const CACHE = '/etc/ld.so.cache';

/** Names of library folders by architecture, on distributions that have such folders (otherwise OF_ALL is used). */
const OF_MACHINE: Partial<Record<NodeJS.Architecture, string>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
};
const OF_ALL = ['/usr/lib64', '/usr/lib', '/lib64', '/lib'];

/** Returns the libraries that this process has loaded, except those of npm packages. */
const loaded = (): string[] => {
  const files = readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .map((line) => /\s(\/.*)$/.exec(line)?.[1] ?? '')
    .filter((file) => /\.so(\.[\d.]+)?$/.test(file) && !file.includes('/node_modules/'));
  return [...new Set(files)];
};

/** Returns a library with all links to it in its folder: programs need `libx.so.1`, a link to `libx.so.1.2`. */
const byAllNames = (file: string): Tree => {
  const folder = dirname(file);
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isSymbolicLink() && realFile(join(folder, entry.name)) === file,
  );
  return {
    binds: [{ from: file, to: file }],
    links: names.map(({ name }) => ({ target: readlinkSync(join(folder, name)), at: join(folder, name) })),
  };
};

const PT_INTERP = 3;

/** Returns the path of the loader of an ELF program; null if it needs none. */
export const loaderOf = (program: string): string | null => {
  const bytes = Buffer.alloc(8_192);
  const file = openSync(program, 'r');
  try {
    readSync(file, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(file);
  }
  if (bytes.readUInt32BE(0) !== 0x7f454c46) return null;
  const headers = Number(bytes.readBigUInt64LE(32));
  const size = bytes.readUInt16LE(54);
  for (let index = 0; index < bytes.readUInt16LE(56); index++) {
    const at = headers + index * size;
    if (at + 40 > bytes.length || bytes.readUInt32LE(at) !== PT_INTERP) continue;
    const start = Number(bytes.readBigUInt64LE(at + 8));
    const length = Number(bytes.readBigUInt64LE(at + 32));
    return bytes.toString('latin1', start, start + length - 1);
  }
  return null;
};

const loader = (program: string): Tree => {
  const path = loaderOf(program);
  return path === null ? EMPTY : mirrored(path);
};

/** Returns the files that the loader needs to find libraries. */
const looking = (): Tree => mergeTrees([...LINKED.map(linked), mirrored(CACHE)]);

/** Returns only the libraries that Node.js needs. This process, which runs on Node.js, has loaded them. */
export const ownLibraries = (node: string): Tree => mergeTrees([loader(node), looking(), ...loaded().map(byAllNames)]);

/** Returns all library folders of this machine, because a browser loads a hundred libraries, some only on demand. */
export const allLibraries = (program: string): Tree => {
  const triplet = OF_MACHINE[process.arch];
  const folders = triplet === undefined ? [] : [`/usr/lib/${triplet}`, `/lib/${triplet}`];
  const there = folders.filter((folder) => realFile(folder) !== null);
  const all = there.length > 0 ? there : OF_ALL;
  return mergeTrees([loader(program), looking(), ...all.map(mirrored), ...all.flatMap(chosen)]);
};

/** Folder of links by which Debian selects one of several alternative libraries, for example for linear algebra. */
const CHOICES = '/etc/alternatives/';

/**
 * Returns the links in CHOICES that a folder of libraries uses, such as the target of the folder's link `libblas.so.3`.
 */
const chosen = (folder: string): Tree[] =>
  realFile(folder) === null
    ? []
    : readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const target = entry.isSymbolicLink() ? readlinkSync(join(folder, entry.name)) : '';
        return target.startsWith(CHOICES) ? [linked(target)] : [];
      });
