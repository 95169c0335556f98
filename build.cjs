/**
 * Builds `dist/` when it is missing or older than the sources. `npm start` and `npm test` begin with
 * it; types are checked elsewhere (`npm run typecheck`), which takes longer than a start should.
 */
const { spawnSync } = require('node:child_process');
const { chmodSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '/');
const compiler = `${root}node_modules/typescript/bin/tsc`;
const { include } = JSON.parse(readFileSync(`${root}tsconfig.build.json`, 'utf8'));

/** When a file, or anything in a folder, was last changed. */
const changed = (path) => {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return 0;
  const inside = status.isDirectory() ? readdirSync(path).map((name) => changed(`${path}/${name}`)) : [];
  return Math.max(status.mtimeMs, ...inside);
};

const sources = [...include, 'package.json', 'tsconfig.json', 'tsconfig.build.json'];
const built = changed(`${root}dist/cli/uptrail.cjs`);
const stale = sources.some((source) => changed(root + source) > built);

if (stale && existsSync(compiler)) {
  console.error('Building…');
  // Beside the old one, so that a build that fails leaves that as it is.
  rmSync(`${root}dist.new`, { recursive: true, force: true });
  const options = ['-p', `${root}tsconfig.build.json`, '--noCheck', '--outDir', `${root}dist.new`];
  const { status } = spawnSync(process.execPath, [compiler, ...options], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  // `npx uptrail` runs it as a program.
  chmodSync(`${root}dist.new/cli/uptrail.cjs`, 0o755);
  rmSync(`${root}dist`, { recursive: true, force: true });
  renameSync(`${root}dist.new`, `${root}dist`);
} else if (built === 0) {
  console.error('There is no dist/, and nothing to build it with. Run npm ci first.');
  process.exit(1);
}
