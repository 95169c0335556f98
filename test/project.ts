import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the checkout. The compiled form of this module is `build/test/project.js` in that folder. */
export const PROJECT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../' : '../../', import.meta.url));

/** @param path relative to the root folder of the checkout */
export const inProject = (path: string): string => join(PROJECT, path);

/**
 * Returns the path of the compiled form of a source file. build.cjs compiles tests to `build/`, the product to `dist/`.
 *
 * @param source path relative to the root of the checkout, such as
 * `test/stores/event-store/sqlite/appending-process.ts`
 */
export const compiled = (source: string): string => {
  const folder = /^(?:test|bench)\//.test(source) ? 'build' : 'dist';
  return inProject(`${folder}/${source.replace(/\.(c?)ts$/, '.$1js')}`);
};
