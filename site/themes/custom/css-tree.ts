import type * as Package from 'css-tree';
import { createRequire } from 'node:module';
import { lazy } from '../../../domain/concurrency/lazy.ts';

type CssTree = typeof Package;

/**
 * The CSS parser. It is loaded when the first page with custom rules is requested, because importing it takes about 200
 * ms.
 */
export const cssTree = lazy(() => createRequire(import.meta.url)('css-tree') as CssTree);
