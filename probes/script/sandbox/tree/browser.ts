import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { allLibraries } from './libraries.ts';
import { mirrored, realFile, mergeTrees, type Tree } from './tree.ts';

/** Executables that distributions' `chromium` scripts start. */
const REAL = [
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium-browser',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/usr/lib/chromium/chrome',
  '/opt/google/chrome/chrome',
];

/** Folders that contain more than a browser. */
const SHARED = ['/', '/bin', '/usr/bin', '/usr/local/bin', '/opt', '/usr/lib', '/usr/local/lib'];

/** Files that affect rendering: fonts, their configuration and caches. */
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
 * The executable behind a browser's path: distributions install a script there, which needs a shell.
 *
 * @returns null: not found
 */
export const realBrowser = (path: string): string | null => {
  const file = realFile(path);
  if (file === null) return null;
  if (isProgram(file)) return file;
  const beside = [join(dirname(file), 'chrome'), join(dirname(file), 'chromium')];
  return [...beside, ...REAL].find((other) => existsSync(other) && isProgram(other)) ?? null;
};

/** A browser in a sandbox. */
export interface Browser {
  tree: Tree;
  /** path of the executable inside */
  program: string;
}

/**
 * A browser with its libraries, fonts and certificates.
 *
 * @param program result of {@link realBrowser}
 * @param inside the folder for it inside
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
