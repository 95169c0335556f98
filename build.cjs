/**
 * Compiles changed sources, file by file, in about a second. The product is written to `dist/`. With `--tests`, the
 * tests and benchmarks are also compiled, to `build/`; they import the product from `dist/`. `npm start` and `npm test`
 * run this script first. It does not check types, because that would make every start slow: `npm run typecheck` does.
 *
 * With `--clean`, compiles all sources, even unchanged ones.
 */
const { execFileSync } = require('node:child_process');
const { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } = require('node:fs');
const { renameSync, rmSync, statSync, utimesSync, writeFileSync } = require('node:fs');
const { dirname, join, relative, sep } = require('node:path');
const { brotliCompressSync, gzipSync } = require('node:zlib');

/** Compiler settings; when they change, everything is compiled again. */
const SETTINGS = {
  bundle: false,
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'silent',
  tsconfigRaw: {
    compilerOptions: { target: 'ES2023', verbatimModuleSyntax: true, jsx: 'react-jsx', jsxImportSource: 'preact' },
  },
};

/** Returns the folders of the product, which tsconfig.build.json lists. */
const productFolders = (root) => JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')).include;
/**
 * Folders that are compiled for tests only. Of the console, that covers the modules that run without a browser; the
 * console itself is bundled.
 */
const TEST_FOLDERS = ['test', 'bench', 'console'];

/**
 * Folders whose sources are not modules of the product: browser code, and files that a drill adds to its copy of the
 * product.
 */
const LEFT_OUT = /(?:^|\/)(?:drills\/[^/]+\/added|browser)$/;

const isSource = (name) => /\.(?:c?ts|tsx)$/.test(name) && !/\.d\.c?ts$/.test(name);
const compiledName = (source) => source.replace(/\.(?:(c?)ts|tsx)$/, '.$1js');
/** Returns the modification time of a file in whole milliseconds, or 0 if the file does not exist. */
const changedAt = (path) => Math.floor(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);

/** Lists the files below a folder, as paths relative to `root`. */
const filesBelow = (root, folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.test(path) ? [] : filesBelow(root, path);
    return entry.isFile() ? [path] : [];
  });

/**
 * Rewrites the imports of a compiled file. Sources import sources (`./x.ts`), so compiled files have to import compiled
 * files (`./x.js`). Only whole import statements match, because esbuild prints each on lines of its own: an import that
 * a test quotes in a string stays unchanged.
 *
 * @param compiled maps the specifier of a source to the specifier of its compiled file
 */
const withImports = (text, compiled) =>
  text
    .replace(
      /^((?:import|export)\b[^"'\n]*|\} from )"(\.{1,2}\/[^"\n]+\.(?:c?ts|tsx))"/gm,
      (_, before, name) => `${before}"${compiled(name)}"`,
    )
    .replace(
      /\b(import|require)\("(\.{1,2}\/[^"\n]+\.(?:c?ts|tsx))"\)/g,
      (_, word, name) => `${word}("${compiled(name)}")`,
    );

const writeWhole = (path, contents) => {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.new`;
  writeFileSync(beside, contents);
  renameSync(beside, path);
};

/**
 * Compiles the changed sources below the folders `from` of `root` into the folder `to`, and removes compiled files
 * whose source no longer exists. Writes nothing if a source fails to compile.
 *
 * @returns the number of compiled files
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
  const outputs = [false, true].flatMap((isCommonJs) => {
    const entryPoints = stale.filter((source) => source.endsWith('.cts') === isCommonJs);
    if (entryPoints.length === 0) return [];
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
  // A compiled file gets the modification time of its source. Equal times mean "up to date", so a checkout that
  // restores an earlier source with its earlier time is still noticed.
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

/** Folders with the stylesheets and scripts of status pages. Each file is bundled with its imports. */
const ASSETS = ['site/styles', 'site/browser'];
const isAsset = (path) => /\.css$|(?:^|\/)browser\/[^/]+\.ts$/.test(path) && !/\/_[^/]+$/.test(path);
/** Sources of the console: its stylesheet, the script that bundles its modules, and the folders of these modules. */
const CONSOLE_STYLES = 'console/styles/console.css';
const CONSOLE_BUNDLE = 'console-bundle.mjs';
const CONSOLE_FOLDERS = ['console', 'views', 'messages', 'domain'];

const BUNDLING = {
  entryNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'silent',
  write: false,
};

/**
 * Bundles the scripts of the console into `console.js`, a file of shared code, and one file for each screen and each
 * language.
 */
const bundleConsole = (root) => {
  const json = execFileSync(process.execPath, [join(root, CONSOLE_BUNDLE), root], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(json).map(({ name, code }) => ({ name, contents: Buffer.from(code) }));
};

/**
 * Bundles the assets of status pages and of the console into `dist/assets/`. Each file name contains a hash of the
 * content (`status-1f3c5a7b.css`), and Brotli and gzip versions are stored beside each file. `manifest.json` maps plain
 * names to these file names. Sources whose names begin with `_` are only imported, so they get no file of their own.
 *
 * @returns the number of assets
 */
const compileAssets = (root, { clean = false } = {}) => {
  const sources = ASSETS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) => {
    const files = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
    return files.filter((path) => /\.(?:css|ts)$/.test(path));
  });
  const hasConsole = existsSync(join(root, 'console'));
  const ofConsole = (hasConsole ? CONSOLE_FOLDERS : [])
    .flatMap((folder) => filesBelow(root, folder))
    .filter((path) => isSource(path) || path.endsWith('.css'));
  const out = join(root, 'dist/assets');
  const manifest = join(out, 'manifest.json');
  const esbuild = require(join(root, 'node_modules/esbuild'));
  const from = JSON.stringify([
    esbuild.version,
    changedAt(__filename),
    changedAt(join(root, CONSOLE_BUNDLE)),
    [...sources, ...ofConsole].map((path) => [path, changedAt(join(root, path))]),
  ]);
  if (!clean && existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).from === from) return 0;
  const bundle = (entryPoints, target) =>
    esbuild
      .buildSync({ ...BUNDLING, absWorkingDir: root, outdir: out, entryPoints, format: 'iife', target })
      .outputFiles.map(({ path, contents }) => ({ name: relative(out, path), contents }));
  const outputs = [
    ...bundle(sources.filter(isAsset), ['chrome109', 'firefox115', 'safari15.4']),
    ...(hasConsole ? bundle([CONSOLE_STYLES], ['chrome125', 'firefox125', 'safari17']) : []),
    ...(hasConsole ? bundleConsole(root) : []),
  ];
  rmSync(out, { recursive: true, force: true });
  const files = {};
  for (const { name, contents } of outputs) {
    const path = join(out, name);
    writeWhole(path, contents);
    writeWhole(`${path}.br`, brotliCompressSync(contents));
    writeWhole(`${path}.gz`, gzipSync(contents, { level: 9 }));
    const plain = name.replace(/-[^-]+(?=\.\w+$)/, '');
    // If two files of the console have the same plain name, the second one is listed under its whole name.
    files[plain in files ? name : plain] = name;
  }
  writeWhole(manifest, JSON.stringify({ from, files }));
  return outputs.length;
};

/**
 * Matches a reference to the module that a thread or process runs: `startThread('./list-thread', import.meta.url, …)`.
 */
const BEGINS = /"(\.{1,2}\/[^"\n]+)", (?:base: )?import\.meta\.url/g;
/** Matches the comment with which esbuild names the source file of the lines below it. */
const ORIGIN = /^\s*\/\/ (dist\/\S+\.js)$/;

/**
 * Bundles the program into `dist/bundled/`, because loading a thousand small modules would double the duration of a
 * start and take 20 MiB of memory. Tests import the separate modules instead. In the bundle, `import.meta.url` is
 * replaced by the address of the original module, so that each module finds the files beside it. Where a thread is
 * started, it is replaced by an address in `dist/bundled/`, so that the thread also runs from the bundle.
 *
 * @returns the number of bundled entry points
 */
const bundleProduct = (root, { clean = false } = {}) => {
  const out = join(root, 'dist/bundled');
  const stamp = join(out, '.bundled-from');
  const esbuild = require(join(root, 'node_modules/esbuild'));
  const modules = productFolders(root)
    .filter((folder) => existsSync(join(root, 'dist', folder)))
    .flatMap((folder) => filesBelow(root, `dist/${folder}`))
    .filter((path) => path.endsWith('.js'));
  const from = JSON.stringify([
    esbuild.version,
    changedAt(__filename),
    modules.map((path) => [path, changedAt(join(root, path))]),
  ]);
  if (!clean && existsSync(stamp) && readFileSync(stamp, 'utf8') === from) return 0;
  const begun = modules.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(BEGINS)]
      .map(([, name]) => `${join(dirname(path), name).split(sep).join('/')}.js`)
      .filter((entry) => existsSync(join(root, entry))),
  );
  const entryPoints = [...new Set(['dist/cli/main.js', ...begun])];
  const { outputFiles } = esbuild.buildSync({
    ...SETTINGS,
    absWorkingDir: root,
    entryPoints,
    outbase: join(root, 'dist'),
    outdir: out,
    chunkNames: 'parts/[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    write: false,
  });
  rmSync(out, { recursive: true, force: true });
  for (const { path, text } of outputFiles)
    writeWhole(path, path.endsWith('.map') ? text : withOwnAddresses(root, path, text));
  writeWhole(stamp, from);
  return entryPoints.length;
};

/**
 * Replaces `import.meta.url` in a bundled file (see `bundleProduct`).
 *
 * @param path the bundled file
 */
const withOwnAddresses = (root, path, text) => {
  const addressOf = (file) =>
    `new URL(${JSON.stringify(relative(dirname(path), file).split(sep).join('/'))}, import.meta.url).href`;
  let origin = '';
  return text
    .split('\n')
    .map((line) => {
      origin = ORIGIN.exec(line)?.[1] ?? origin;
      if (!line.includes('import.meta.url')) return line;
      const module = join(root, origin);
      const name = [...line.matchAll(BEGINS)][0]?.[1];
      const begins = name !== undefined && existsSync(join(dirname(module), `${name}.js`));
      const from = begins ? join(root, 'dist/bundled', relative(join(root, 'dist'), module)) : module;
      return line.replaceAll('import.meta.url', addressOf(from));
    })
    .join('\n');
};

/**
 * Copies the documents and their pictures to `dist/docs/`. The service serves that folder under `/docs`.
 *
 * @returns the number of copied files
 */
const copyDocuments = (root) => {
  const paths = existsSync(join(root, 'docs'))
    ? filesBelow(root, 'docs').filter((path) => /\.(?:md|png)$/.test(path))
    : [];
  const stale = paths.filter((path) => changedAt(join(root, 'dist', path)) !== changedAt(join(root, path)));
  for (const path of stale) {
    const target = join(root, 'dist', path);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(root, path), target);
    const { mtimeMs } = statSync(join(root, path));
    utimesSync(target, mtimeMs / 1000, mtimeMs / 1000);
  }
  if (existsSync(join(root, 'dist/docs')))
    for (const path of filesBelow(join(root, 'dist'), 'docs'))
      if (!paths.includes(path)) rmSync(join(root, 'dist', path));
  return stale.length;
};

/**
 * Compiles the product into `dist/` of a checkout.
 *
 * @returns the number of compiled files
 */
const compileProduct = (root, options = {}) => {
  const count =
    compile(root, { ...options, from: productFolders(root), to: 'dist' }) +
    compileAssets(root, options) +
    bundleProduct(root, options) +
    copyDocuments(root);
  // `npx uptrail` executes this file, so the file needs the permission to be executed.
  chmodSync(join(root, 'dist/cli/uptrail.cjs'), 0o755);
  return count;
};

/**
 * Compiles the tests into `build/` of a checkout. Imports of the product (`../domain/x.ts`) are rewritten to point into
 * `dist/`. Imports of `uvu` are replaced by `test/runner/uvu.ts`, which can select tests by title.
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
    console.error('dist/ is missing and cannot be built without dependencies. Run npm ci first.');
    process.exit(1);
  }
}
