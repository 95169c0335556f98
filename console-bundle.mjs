/**
 * Bundles the console for browsers: `node console-bundle.mjs <root>` writes `[{ name, code }]` as JSON to the standard
 * output. build.cjs runs this script as a separate process because rolldown has no synchronous API.
 */
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const [root] = process.argv.slice(2);

/**
 * The chart library is large and is loaded only with the chart that needs it, so it must not be part of the shared
 * code.
 */
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
  // Code that several screens share goes into one file. One file for each combination of screens would result in about
  // a hundred small files, and a browser requests only six at a time.
  codeSplitting: { groups: [{ name: 'shared', minShareCount: 2, test: (id) => !isChartLibrary(id) }] },
});
await bundle.close();
process.stdout.write(JSON.stringify(output.map(({ fileName, code }) => ({ name: fileName, code }))));
