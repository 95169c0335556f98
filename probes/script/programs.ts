import { access, constants, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Paths of the programs that script runs use. All lead to the executables themselves, not to wrapper scripts. */
export interface ScriptPrograms {
  /** the browser of synthetic checks; null if not installed */
  chromium: string | null;
  /** records videos; null if not installed */
  ffmpeg: string | null;
}

export interface ProgramSearch {
  /** configured path of the browser (`PLAYWRIGHT_CHROMIUM`), which takes precedence; null if not configured */
  chromium: string | null;
  environment?: Readonly<Record<string, string | undefined>>;
  home?: string;
}

/** The shell script by which Debian starts its browser. */
const DEBIAN_WRAPPER = '/usr/bin/chromium';
const DEBIAN = '/usr/lib/chromium/chromium';

/** Paths of programs that `npx playwright install` installs. The name of each folder continues with a revision. */
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

/**
 * Finds the browser (the configured one; otherwise that of Playwright or Debian) and ffmpeg (that of Playwright,
 * otherwise one on the PATH).
 */
export const findScriptPrograms = async ({
  chromium,
  environment = process.env,
  home = homedir(),
}: ProgramSearch): Promise<ScriptPrograms> => {
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
  // The newest revision comes first.
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
      // Continues, because the next file may exist.
    }
  }
  return null;
};
