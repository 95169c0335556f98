import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../project.ts';

/** A test file. */
export interface TestFile {
  /** relative to the root of the checkout, such as `test/domain/concurrency/mutex.test.ts` */
  path: string;
  /** why the file needs its own process; null if it can share one with other files */
  own: string | null;
}

const OWN = /^\/\/ Own process: (.+)\n/;

/** Returns all test files, except those that a drill adds to a copy of the project. */
export const testFiles = (): TestFile[] =>
  readdirSync(join(PROJECT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !/^drills\/[^/]+\/added\//.test(file))
    .sort()
    .map((file) => {
      const path = `test/${file}`;
      return { path, own: OWN.exec(readFileSync(join(PROJECT, path), 'utf8'))?.[1] ?? null };
    });
