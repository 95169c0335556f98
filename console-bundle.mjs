/**
 * Bundles the console for browsers: `node console-bundle.mjs <root>` writes `[{ name, code }]` as JSON to the standard
 * output. It is a separate process because rolldown has no synchronous API (build.cjs).
 */
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const [root] = process.argv.slice(2);

/** Large, and loaded only with the chart that needs it, so not part of the shared code. */
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
  // Code shared by several screens is one file: a file for each combination of screens would make a hundred small ones,
  // and a browser requests six at a time.
  codeSplitting: { groups: [{ name: 'shared', minShareCount: 2, test: (id) => !isChartLibrary(id) }] },
});
await bundle.close();
process.stdout.write(JSON.stringify(output.map(({ fileName, code }) => ({ name: fileName, code }))));
