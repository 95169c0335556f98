import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PATIENCE = 120_000;

/** The folder of programs that were installed from a package registry, or the reason why they are missing. */
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

/**
 * Installs packages of npm (`name@version`). These are only tools of a test and no dependencies, so any licence is
 * allowed.
 */
export const installFromNpm = (...packages: readonly string[]): Promise<Installed> =>
  installing(packages.join(', '), (folder) =>
    run('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
      cwd: folder,
      timeout: PATIENCE,
    }),
  );

/** Installs packages of PyPI (`name==version`) for `bin/python` in the folder. */
export const installFromPyPi = (...packages: readonly string[]): Promise<Installed> =>
  installing(packages.join(', '), async (folder) => {
    await run('python3', ['-m', 'venv', folder], { timeout: PATIENCE });
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
    await run(join(folder, 'bin', 'python'), pip, { timeout: PATIENCE });
  });
