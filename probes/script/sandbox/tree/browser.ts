import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { allLibraries } from './libraries.ts';
import { mirrored, realFile, mergeTrees, type Tree } from './tree.ts';

/** Executables that the `chromium` scripts of distributions start. */
const REAL = [
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium-browser',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/usr/lib/chromium/chrome',
  '/opt/google/chrome/chrome',
];

/** Folders that contain other programs too, so that they must not be visible as a whole. */
const SHARED = ['/', '/bin', '/usr/bin', '/usr/local/bin', '/opt', '/usr/lib', '/usr/local/lib'];

/** Files that affect rendering: fonts, and the configuration and caches of fonts. */
const LOOKS = [
  '/etc/fonts',
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  '/usr/share/fontconfig',
  '/var/cache/fontconfig',
];

/** Certificates that this machine trusts. */
const CERTIFICATES = [
  '/etc/ssl/certs',
  '/usr/share/ca-certificates',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
];

const isProgram = (file: string): boolean => {
  const start = Buffer.alloc(4);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, start, 0, 4, 0);
  } finally {
    closeSync(opened);
  }
  return start.toString('latin1') === '\x7fELF';
};

/**
 * Returns the executable that belongs to the path of a browser. Distributions often install a shell script at this
 * path, but a sandbox contains no shell.
 *
 * @returns null if no executable was found
 */
export const realBrowser = (path: string): string | null => {
  const file = realFile(path);
  if (file === null) return null;
  if (isProgram(file)) return file;
  const beside = [join(dirname(file), 'chrome'), join(dirname(file), 'chromium')];
  return [...beside, ...REAL].find((other) => existsSync(other) && isProgram(other)) ?? null;
};

/** The files of a browser in a sandbox. */
export interface Browser {
  tree: Tree;
  /** path of the executable inside the sandbox */
  program: string;
}

/**
 * Returns the files of a browser, with its libraries, fonts and certificates.
 *
 * @param program result of {@link realBrowser}
 * @param inside folder of the browser inside the sandbox
 */
export const browserIn = (program: string, inside: string): Browser => {
  const folder = dirname(program);
  const own = SHARED.includes(folder)
    ? { from: program, to: join(inside, basename(program)) }
    : { from: folder, to: inside };
  return {
    tree: mergeTrees([
      { binds: [own], links: [] },
      allLibraries(program),
      ...[...LOOKS, ...CERTIFICATES].map(mirrored),
    ]),
    program: join(inside, basename(program)),
  };
};
