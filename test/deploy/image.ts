/**
 * Follows the Dockerfile on a machine without Docker. Copies the context as filtered by .dockerignore, runs the
 * commands of the build stage, and copies the files of the final stage, each in a temporary folder. Then starts the
 * result as a user who may write only to the data folder and /tmp, and checks its health. Installs packages from the
 * registry.
 *
 * Usage: `npm run test:long -- image`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { formatSize } from '../../cli/format-size.ts';
import { allowedBy, builtFrom, copiesOf, environmentOf, stagesOf, wordsOf, type Stage } from './dockerfile.ts';
import { inProject, PROJECT } from './project.ts';
import { freePort } from '../servers/ports.ts';

const USER = 1_000;

/** Copies one file or folder to the destination of COPY. */
const place = (source: string, root: string, to: string, single: boolean): void => {
  const isFolder = statSync(source).isDirectory();
  const target = join(
    root,
    to.endsWith('/') || to === '.' || !single ? join(to, isFolder ? '' : basename(source)) : to,
  );
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target, { recursive: true, verbatimSymlinks: true });
};

/** Copies the files that Docker would send: those that git tracks or could add, and that .dockerignore lets through. */
const contextIn = (folder: string): void => {
  const allowed = allowedBy(inProject('.dockerignore'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: PROJECT,
  });
  for (const path of listed.toString().split('\0')) {
    if (path === '' || !allowed(path) || !existsSync(join(PROJECT, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(PROJECT, path), join(folder, path));
  }
};

const buildStage = (stage: Stage, context: string, root: string): void => {
  for (const instruction of stage.instructions) {
    if (instruction.name === 'COPY') {
      const [copy] = copiesOf({ ...stage, instructions: [instruction] });
      for (const source of copy?.sources ?? []) {
        if (source === '.') cpSync(context, root, { recursive: true });
        else place(join(context, source), root, copy?.to ?? '.', copy?.sources.length === 1);
      }
    }
    if (instruction.name !== 'RUN') continue;
    console.log(`RUN ${instruction.text}`);
    execFileSync('sh', ['-c', instruction.text], { cwd: root, stdio: 'inherit' });
  }
};

const healthOf = (words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(words[0] ?? '', words.slice(1), { cwd, env, stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', (code) => {
      resolve(code ?? 1);
    });
  });

const folder = mkdtempSync(join(tmpdir(), 'uptrail-image-'));
try {
  const stages = stagesOf(inProject('Dockerfile'));
  const [build, image] = [builtFrom(stages, 'build'), builtFrom(stages)];
  const [context, built, app, data] = ['context', 'build', 'app', 'data'].map((name) => join(folder, name));
  if (!context || !built || !app || !data) throw new Error('There are no folders.');
  for (const path of [context, built, app, data]) mkdirSync(path);
  contextIn(context);
  buildStage(build, context, built);
  for (const { sources, to } of copiesOf(image)) {
    for (const source of sources) place(source.replace('/app', built), app, to, sources.length === 1);
  }

  const environment = {
    PATH: process.env['PATH'],
    ...environmentOf(image),
    HOST: '127.0.0.1',
    PORT: (await freePort()).toString(),
    DATA_DIR: data,
    ADMIN_API_KEY: 'the-admin-key-of-this-test',
    LOG_LEVEL: 'warn',
  };
  const isRoot = process.getuid?.() === 0;
  let node = process.execPath;
  if (isRoot) {
    // The unprivileged user can't enter the folder of this Node.js. So the program file of Node.js is copied.
    node = join(folder, 'node');
    cpSync(process.execPath, node);
    chownSync(data, USER, USER);
    chmodSync(folder, 0o755);
  }
  const [, , program = '', ...rest] = [...wordsOf(image, 'ENTRYPOINT'), ...wordsOf(image, 'CMD')];
  const child = spawn(
    program === 'node' ? node : program,
    rest.map((word) => word.replace('/app', app)),
    {
      cwd: app,
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit'],
      ...(isRoot && { uid: USER, gid: USER }),
    },
  );
  const ended = once(child, 'close');
  const health = wordsOf(image, 'HEALTHCHECK');
  try {
    for (let tries = 0; (await healthOf(health, app, environment)) !== 0; tries++) {
      if (child.exitCode !== null || tries > 200) throw new Error('The built service does not become healthy.');
    }
  } finally {
    child.kill('SIGTERM');
  }
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`The built service ended with ${String(code)}.`);
  const bytes = Number(execFileSync('du', ['-sb', app]).toString().split('\t')[0]);
  console.log(`The built image serves; it has ${formatSize(bytes)} besides Node.js.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
