import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PATIENCE = 120_000;

/** Programs from a package registry in a temporary folder, or why they are missing. */
export type Installed = { folder: string; remove: () => Promise<void> } | { missing: string };

const installing = async (what: string, install: (folder: string) => Promise<unknown>): Promise<Installed> => {
  const folder = await mkdtemp(join(tmpdir(), 'uptrail-client-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await install(folder);
    return { folder, remove };
  } catch {
    await remove();
    return { missing: `${what} can not be installed` };
  }
};

/** Packages of npm, `name@version`. They are tools of a test, whatever their licence, and no dependency. */
export const installFromNpm = (...packages: readonly string[]): Promise<Installed> =>
  installing(packages.join(', '), (folder) =>
    run('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
      cwd: folder,
      timeout: PATIENCE,
    }),
  );

/** Packages of PyPI, `name==version`, for the `bin/python` of the folder. */
export const installFromPyPi = (...packages: readonly string[]): Promise<Installed> =>
  installing(packages.join(', '), async (folder) => {
    await run('python3', ['-m', 'venv', folder], { timeout: PATIENCE });
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
    await run(join(folder, 'bin', 'python'), pip, { timeout: PATIENCE });
  });
