/**
 * Bundles the console for browsers: `node console-bundle.mjs <root>` writes `[{ name, code }]` as JSON to the standard
 * output. A process of its own, since rolldown has no synchronous interface (build.cjs).
 */
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const [root] = process.argv.slice(2);

/** Loaded with the chart that needs it, and large: no part of what screens share. */
const isChartLibrary = (id) => id.includes('/node_modules/uplot/');

const bundle = await rolldown({
  cwd: root,
  input: { console: join(root, 'console/console.tsx') },
  tsconfig: false,
  transform: { jsx: { runtime: 'automatic', importSource: 'preact' }, target: ['chrome125', 'firefox125', 'safari17'] },
});
const { output } = await bundle.generate({
  format: 'es',
  minify: true,
  comments: { legal: false },
  hashCharacters: 'base36',
  entryFileNames: '[name]-[hash].js',
  chunkFileNames: '[name]-[hash].js',
  // What several screens need is one file: a file for each combination of screens would be a hundred small ones, and
  // a browser asks for six at a time.
  codeSplitting: { groups: [{ name: 'shared', minShareCount: 2, test: (id) => !isChartLibrary(id) }] },
});
await bundle.close();
process.stdout.write(JSON.stringify(output.map(({ fileName, code }) => ({ name: fileName, code }))));
