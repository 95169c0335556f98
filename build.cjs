/**
 * Compiles changed sources, file by file, in about a second: the product to `dist/`, and with `--tests` the tests and
 * benchmarks, which import the product from `dist/`, to `build/`. `npm start` and `npm test` run it first. Types are
 * checked separately (`npm run typecheck`), since that would delay each start.
 *
 * `--clean` compiles everything again.
 */
const { execFileSync } = require('node:child_process');
const { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync } = require('node:fs');
const { renameSync, rmSync, statSync, utimesSync, writeFileSync } = require('node:fs');
const { dirname, join, relative, sep } = require('node:path');
const { brotliCompressSync, gzipSync } = require('node:zlib');

/** Options of esbuild; when they change, everything is compiled again. */
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

/** Folders of the product, from tsconfig.build.json. */
const productFolders = (root) => JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')).include;
/** The console is bundled for browsers, but its parts that need no browser are tested in Node.js. */
const TEST_FOLDERS = ['test', 'bench', 'console'];

/** Folders without modules of the product: files that drills add to their copies of it, and scripts for browsers. */
const LEFT_OUT = /(?:^|\/)(?:drills\/[^/]+\/added|browser)$/;

const isSource = (name) => /\.(?:c?ts|tsx)$/.test(name) && !/\.d\.c?ts$/.test(name);
const compiledName = (source) => source.replace(/\.(?:(c?)ts|tsx)$/, '.$1js');
/** Modification time of a file in whole milliseconds; 0 if it does not exist. */
const changedAt = (path) => Math.floor(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);

/** Files below a folder, as paths relative to `root`. */
const filesBelow = (root, folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return LEFT_OUT.test(path) ? [] : filesBelow(root, path);
    return entry.isFile() ? [path] : [];
  });

/**
 * Rewrites imports of sources (`./x.ts`) to imports of compiled files. esbuild prints each import on lines of its own,
 * so imports inside strings of tests are not changed.
 *
 * @param compiled returns the compiled file's specifier for that of the source
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
 * Compiles changed files below folders of `root` into a folder of `root`, and removes compiled files without a source.
 *
 * @returns how many files were compiled; if one does not compile, nothing is written
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
  // A compiled file gets the time of its source, so any other time, even an earlier one, means that it is outdated.
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

/** Stylesheets and scripts of pages; each is bundled with its imports. */
const ASSETS = ['site/styles', 'site/browser'];
const isAsset = (path) => /\.css$|(?:^|\/)browser\/[^/]+\.ts$/.test(path) && !/\/_[^/]+$/.test(path);
/** The console: its stylesheet, the module that bundles its scripts, and the folders of their sources. */
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

/** The scripts of the console: `console.js`, chunks that several screens share, and a file per screen and language. */
const bundleConsole = (root) => {
  const json = execFileSync(process.execPath, [join(root, CONSOLE_BUNDLE), root], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(json).map(({ name, code }) => ({ name, contents: Buffer.from(code) }));
};

/**
 * Bundles the assets of pages and the console to `dist/assets/`. Their names contain a hash (`status-1f3c5a7b.css`), each
 * has copies compressed with Brotli and gzip, and `manifest.json` lists them. Files whose names begin with `_` are only
 * imported.
 *
 * @returns how many assets were written
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
    // Parts of the console import each other by their final names.
    files[plain in files ? name : plain] = name;
  }
  writeWhole(manifest, JSON.stringify({ from, files }));
  return outputs.length;
};

/** Matches the start of a thread or process from a module: `startThread('./list-thread', import.meta.url, …)`. */
const BEGINS = /"(\.{1,2}\/[^"\n]+)", (?:base: )?import\.meta\.url/g;
/** Matches esbuild's comment that names the source file of the following lines. */
const ORIGIN = /^\s*\/\/ (dist\/\S+\.js)$/;

/**
 * Bundles the program's entry points to `dist/bundled/`: loading a thousand small modules takes 20 MiB and about as long
 * as all other work of a start. Tests import the modules themselves. In a bundle `import.meta.url` is still the URL of
 * the module, so that the module finds the files beside it; only where a thread is started it is that of the bundle.
 *
 * @returns the number of entry points
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

/** @param path of the bundle */
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

/** Compiles the product to `dist/` of a checkout. @returns how many files were compiled */
const compileProduct = (root, options = {}) => {
  const count =
    compile(root, { ...options, from: productFolders(root), to: 'dist' }) +
    compileAssets(root, options) +
    bundleProduct(root, options);
  // `npx uptrail` runs it as a program.
  chmodSync(join(root, 'dist/cli/uptrail.cjs'), 0o755);
  return count;
};

/**
 * Compiles the tests to `build/` of a checkout. Their imports of the product (`../domain/x.ts`) lead to `dist/`, and those
 * of `uvu` to `test/runner/uvu.ts`, which filters tests by title.
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
