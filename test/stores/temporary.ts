import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a directory. Returns its path and a function that removes it. */
export const temporaryDirectory = (): { directory: string; remove: () => void } => {
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-'));
  return {
    directory,
    remove: () => {
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
