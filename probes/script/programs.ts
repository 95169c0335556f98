import { access, constants, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Programs that script runs use; all are paths of the executables themselves, not of wrappers. */
export interface ScriptPrograms {
  /** the browser of synthetic checks; null: not installed */
  chromium: string | null;
  /** records videos; null: not installed */
  ffmpeg: string | null;
}

export interface LookForPrograms {
  /** path of the browser, which takes precedence (`PLAYWRIGHT_CHROMIUM`) */
  chromium: string | null;
  environment?: Readonly<Record<string, string | undefined>>;
  home?: string;
}

/** Debian's wrapper: a shell script that starts the browser. */
const DEBIAN_WRAPPER = '/usr/bin/chromium';
const DEBIAN = '/usr/lib/chromium/chromium';

/** Where `npx playwright install` installs programs, in folders named by revision. */
const OWN_BROWSERS: readonly { folder: string; files: readonly string[] }[] = [
  {
    folder: 'chromium_headless_shell-',
    files: [
      'chrome-headless-shell-linux64/chrome-headless-shell',
      'chrome-headless-shell-linux/chrome-headless-shell',
      'chrome-linux/headless_shell',
    ],
  },
  { folder: 'chromium-', files: ['chrome-linux64/chrome', 'chrome-linux/chrome'] },
];
const OWN_FFMPEG = { folder: 'ffmpeg-', files: ['ffmpeg-linux'] } as const;

/** Finds the browser (configured, Playwright's own, or Debian's) and ffmpeg (Playwright's own, or on the PATH). */
export const findScriptPrograms = async ({
  chromium,
  environment = process.env,
  home = homedir(),
}: LookForPrograms): Promise<ScriptPrograms> => {
  const own =
    environment['PLAYWRIGHT_BROWSERS_PATH'] ??
    join(environment['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'ms-playwright');
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return {
    chromium:
      chromium === null
        ? ((await firstIn(own, OWN_BROWSERS)) ?? (await firstOf([DEBIAN])))
        : await firstOf(chromium === DEBIAN_WRAPPER ? [DEBIAN, chromium] : [chromium]),
    ffmpeg: (await firstIn(own, [OWN_FFMPEG])) ?? (await firstOf(folders.map((folder) => join(folder, 'ffmpeg')))),
  };
};

const firstIn = async (
  base: string,
  kinds: readonly { folder: string; files: readonly string[] }[],
): Promise<string | null> => {
  const entries = await readdir(base).catch(() => []);
  // The newest of several revisions.
  const named = (folder: string): string[] => entries.filter((entry) => entry.startsWith(folder)).sort(byRevision);
  return firstOf(
    kinds.flatMap(({ folder, files }) =>
      named(folder).flatMap((entry) => files.map((file) => join(base, entry, file))),
    ),
  );
};

const revisionIn = (entry: string): number => Number(entry.slice(entry.lastIndexOf('-') + 1));
const byRevision = (one: string, other: string): number => revisionIn(other) - revisionIn(one);

const firstOf = async (files: readonly string[]): Promise<string | null> => {
  for (const file of files) {
    try {
      await access(file, constants.X_OK);
      if ((await stat(file)).isFile()) return file;
    } catch {
      // The next folder may exist.
    }
  }
  return null;
};
