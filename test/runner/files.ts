import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../project.ts';

/** A test file, by its path in the project: `test/domain/concurrency/mutex.test.ts`. */
export interface TestFile {
  path: string;
  /** why it needs its own process; null if it can share one */
  own: string | null;
}

const OWN = /^\/\/ Own process: (.+)\n/;

/** All test files, except those that a drill adds to a copy of the project. */
export const testFiles = (): TestFile[] =>
  readdirSync(join(PROJECT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !/^drills\/[^/]+\/added\//.test(file))
    .sort()
    .map((file) => {
      const path = `test/${file}`;
      return { path, own: OWN.exec(readFileSync(join(PROJECT, path), 'utf8'))?.[1] ?? null };
    });
