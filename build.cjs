/**
 * Compiles changed sources, each file by itself, in about a second: `dist/` is the product, and with `--tests`
 * `build/` has the tests and benchmarks, which import the product from `dist/`. `npm start` and `npm test` begin with
 * it. Types are checked elsewhere (`npm run typecheck`), which takes longer than a start should.
 *
 * `--clean` compiles everything again.
 */
const { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync } = require('node:fs');
const { renameSync, rmSync, statSync, utimesSync, writeFileSync } = require('node:fs');
const { dirname, join, relative, sep } = require('node:path');

/** What a file is compiled with; when it changes, everything is compiled again. */
const SETTINGS = {
  bundle: false,
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'silent',
  tsconfigRaw: { compilerOptions: { target: 'ES2023', verbatimModuleSyntax: true } },
};

/** Folders of the product, by tsconfig.build.json. */
const productFolders = (root) => JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')).include;
const TEST_FOLDERS = ['test', 'bench'];

/** Of drills: sources that are part of the product only in their copies of it. */
const LEFT_OUT = /(?:^|\/)drills\/[^/]+\/added$/;

const isSource = (name) => /\.c?ts$/.test(name) && !/\.d\.c?ts$/.test(name);
const compiledName = (source) => source.replace(/\.(c?)ts$/, '.$1js');
/** When a file was changed, in whole milliseconds; 0 if there is none. */
const changedAt = (path) => Math.floor(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);

/** Files below a folder, by their paths from `root`. */
const filesBelow = (root, folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.test(path) ? [] : filesBelow(root, path);
    return entry.isFile() ? [path] : [];
  });

/**
 * Imports name sources (`./x.ts`); compiled files import compiled ones. esbuild prints each import on lines of its own,
 * so what tests have in texts is not touched.
 *
 * @param compiled the compiled file's specifier, by that of the source
 */
const withImports = (text, compiled) =>
  text
    .replace(
      /^((?:import|export)\b[^"'\n]*|\} from )"(\.{1,2}\/[^"\n]+\.c?ts)"/gm,
      (_, before, name) => `${before}"${compiled(name)}"`,
    )
    .replace(/\b(import|require)\("(\.{1,2}\/[^"\n]+\.c?ts)"\)/g, (_, word, name) => `${word}("${compiled(name)}")`);

const writeWhole = (path, contents) => {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.new`;
  writeFileSync(beside, contents);
  renameSync(beside, path);
};

/**
 * Compiles what has changed below folders of `root` into a folder there, and removes what has lost its source.
 *
 * @returns how many files were compiled; nothing is written if one does not compile
 */
const compile = (root, { from, to, clean = false, rewrite = (text) => withImports(text, compiledName) }) => {
  const esbuild = require(join(root, 'node_modules/esbuild'));
  const out = join(root, to);
  const stamp = join(out, '.compiled-with');
  const settings = JSON.stringify([SETTINGS, esbuild.version, changedAt(__filename)]);
  const all = clean || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== settings;
  const sources = from.flatMap((folder) => filesBelow(root, folder)).filter(isSource);
  const stale = sources.filter(
    (source) => all || changedAt(join(out, compiledName(source))) !== changedAt(join(root, source)),
  );
  const outputs = ['.ts', '.cts'].flatMap((extension) => {
    const entryPoints = stale.filter((source) => source.endsWith(extension));
    if (entryPoints.length === 0) return [];
    const isCommonJs = extension === '.cts';
    return esbuild.buildSync({
      ...SETTINGS,
      absWorkingDir: root,
      entryPoints,
      outdir: out,
      outbase: root,
      write: false,
      format: isCommonJs ? 'cjs' : 'esm',
      outExtension: { '.js': isCommonJs ? '.cjs' : '.js' },
    }).outputFiles;
  });
  if (clean) rmSync(out, { recursive: true, force: true });
  for (const { path, text } of outputs) writeWhole(path, path.endsWith('.map') ? text : rewrite(text, path));
  // The time of the source marks what is up to date, whichever way a checkout has changed it.
  for (const source of stale) {
    const { mtimeMs } = statSync(join(root, source));
    utimesSync(join(out, compiledName(source)), mtimeMs / 1000, mtimeMs / 1000);
  }

  if (existsSync(out)) {
    const expected = new Set(sources.flatMap((source) => [compiledName(source), `${compiledName(source)}.map`]));
    for (const folder of from.filter((name) => existsSync(join(out, name))))
      for (const file of filesBelow(out, folder)) if (!expected.has(file)) rmSync(join(out, file));
    writeFileSync(stamp, settings);
  }
  return stale.length;
};

/** Compiles the product to `dist/` of a checkout. @returns how many files were compiled */
const compileProduct = (root, options = {}) => {
  const count = compile(root, { ...options, from: productFolders(root), to: 'dist' });
  // `npx uptrail` runs it as a program.
  chmodSync(join(root, 'dist/cli/uptrail.cjs'), 0o755);
  return count;
};

/**
 * Compiles the tests to `build/` of a checkout. What they import as `../domain/x.ts` is the product in `dist/`. `uvu` is
 * `test/runner/uvu.ts`, which knows the titles that were asked for.
 */
const compileTests = (root, options = {}) => {
  const product = new Set(productFolders(root));
  const harness = join(root, 'build/test/runner/uvu.js');
  const specifier = (from, to) => relative(dirname(from), to).replace(/^(?!\.)/, './');
  const rewrite = (text, path) => {
    const imported = withImports(text, (name) => {
      const target = relative(join(root, 'build'), join(dirname(path), compiledName(name)));
      return product.has(target.split(sep)[0]) ? specifier(path, join(root, 'dist', target)) : compiledName(name);
    });
    if (path === harness) return imported;
    return imported.replace(/^(import [^"\n]* from )"uvu";$/gm, `$1"${specifier(path, harness)}";`);
  };
  const from = TEST_FOLDERS.filter((folder) => existsSync(join(root, folder)));
  return compile(root, { ...options, from, to: 'build', rewrite });
};

module.exports = { compileProduct, compileTests };

if (require.main === module || require.main?.filename === join(__dirname, 'start.cjs')) {
  if (existsSync(join(__dirname, 'node_modules/esbuild'))) {
    const options = { clean: process.argv.includes('--clean') };
    try {
      const compiled =
        compileProduct(__dirname, options) + (process.argv.includes('--tests') ? compileTests(__dirname, options) : 0);
      if (compiled > 0) console.error(`Compiled ${compiled} files.`);
    } catch (error) {
      for (const { text, location } of error.errors ?? [{ text: error.message }])
        console.error(location ? `${location.file}:${location.line}:${location.column}: ${text}` : text);
      process.exit(1);
    }
  } else if (!existsSync(join(__dirname, 'dist/cli/uptrail.cjs'))) {
    console.error('There is no dist/, and nothing to build it with. Run npm ci first.');
    process.exit(1);
  }
}
