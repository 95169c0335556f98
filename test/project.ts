import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. Compiled, this module is `build/test/project.js` there. */
export const PROJECT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../' : '../../', import.meta.url));

/** @param path relative to the folder of the checkout */
export const inProject = (path: string): string => join(PROJECT, path);

/**
 * The compiled file of a source: build.cjs compiles tests to `build/` and the product to `dist/`.
 *
 * @param source path relative to the folder of the checkout, such as `test/stores/event-store/sqlite/appending-process.ts`
 */
export const compiled = (source: string): string => {
  const folder = /^(?:test|bench)\//.test(source) ? 'build' : 'dist';
  return inProject(`${folder}/${source.replace(/\.(c?)ts$/, '.$1js')}`);
};
