import type * as Package from 'css-tree';
import { createRequire } from 'node:module';

type CssTree = typeof Package;

const require = createRequire(import.meta.url);
let loaded: CssTree | null = null;

/** The CSS parser, loaded for the first page with custom rules: importing it takes about 200 ms. */
export const cssTree = (): CssTree => (loaded ??= require('css-tree') as CssTree);
