import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. Compiled, this module is `build/test/project.js` there. */
export const PROJECT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../' : '../../', import.meta.url));

/** @param path from the folder of the checkout */
export const inProject = (path: string): string => join(PROJECT, path);

/**
 * What Node.js runs of a source: build.cjs compiles tests to `build/` and the product to `dist/`.
 *
 * @param source path from the folder of the checkout, such as `test/run.ts`
 */
export const compiled = (source: string): string => {
  const folder = /^(?:test|bench)\//.test(source) ? 'build' : 'dist';
  return inProject(`${folder}/${source.replace(/\.(c?)ts$/, '.$1js')}`);
};
