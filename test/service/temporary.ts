import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a test with a temporary folder, which is removed afterwards. */
export const inTemporaryFolder = (body: (folder: string) => Promise<void>) => async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-'));
  try {
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
