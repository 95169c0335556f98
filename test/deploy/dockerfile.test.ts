import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { PROGRAM } from '../e2e/program.ts';
import { allowedBy, builtFrom, copiesOf, environmentOf, stagesOf, wordsOf, type Stage } from './dockerfile.ts';
import { inProject, isInstalled, PROJECT, run, testWith } from './project.ts';
import { freePort } from '../servers/ports.ts';

const stages = stagesOf(inProject('Dockerfile'));
const [build, image, scripts] = [builtFrom(stages, 'build'), builtFrom(stages), builtFrom(stages, 'scripts')];

const test = suite('the Dockerfile');

const lint = testWith(test, await isInstalled('hadolint'));

lint('the Dockerfile passes hadolint', async () => {
  const { code, output } = await run('hadolint', ['--failure-threshold', 'style', 'Dockerfile']);
  assert.is(output, '');
  assert.is(code, 0);
});

test('the Dockerfile copies only existing files that .dockerignore lets through', () => {
  const allowed = allowedBy(inProject('.dockerignore'));
  for (const { from, sources } of [...copiesOf(build), ...copiesOf(image)]) {
    for (const source of sources.map((path) => path.replace('/app/', ''))) {
      if (source === '.') continue;
      const made = from !== null && (source === 'dist' || source === 'node_modules');
      assert.ok(made || (existsSync(join(PROJECT, source)) && allowed(source)), source);
    }
  }
  const { include } = JSON.parse(inProject('tsconfig.build.json')) as { include: string[] };
  for (const folder of include) assert.ok(allowed(folder), folder);
  for (const secret of ['.env', 'data/secrets-key', 'deploy/secrets.sh', '.git/config']) assert.not.ok(allowed(secret));
});

test('the image runs as its own user, under an init, and stores its data in /data', () => {
  const { instructions } = image;
  assert.match(instructions.findLast(({ name }) => name === 'USER')?.text ?? '', /^[1-9]\d*:[1-9]\d*$/);
  assert.is(wordsOf(image, 'ENTRYPOINT')[0], 'tini');
  assert.is(environmentOf(image)['DATA_DIR'], '/data');
});

const packagesOf = ({ instructions }: Stage): string[] =>
  instructions.flatMap(({ name, text }) =>
    name === 'RUN'
      ? (/ apt-get install -y --no-install-recommends ([^&]*)/.exec(text)?.[1] ?? '').trim().split(' ')
      : [],
  );

test('the Dockerfile has a second target that adds what scripts need, and otherwise equals the first target', () => {
  const named = packagesOf(scripts).map((text) => text.split('=')[0] ?? '');
  for (const needed of ['bubblewrap', 'chromium', 'ffmpeg', 'ca-certificates'])
    assert.ok(named.includes(needed), needed);
  assert.ok(named.some((name) => name.startsWith('fonts-')));
  assert.not.ok(packagesOf(image).some((text) => /chromium|bubblewrap|ffmpeg/.test(text)));
  for (const name of ['USER', 'ENTRYPOINT', 'CMD', 'HEALTHCHECK']) {
    const last = ({ instructions }: Stage): string | undefined =>
      instructions.findLast((instruction) => instruction.name === name)?.text;
    assert.is(last(scripts), last(image), name);
  }
  assert.equal(environmentOf(scripts), environmentOf(image));
});

test('the Dockerfile pins the version of every package except those that get security updates', () => {
  const loose = packagesOf(scripts).filter((text) => !text.includes('='));
  assert.equal(loose, ['ca-certificates', 'chromium']);
});

test(
  'the entry point of the image serves requests, and its health check detects whether it does',
  inTemporaryFolder(async (folder) => {
    const [, separator, node, file, ...rest] = [...wordsOf(image, 'ENTRYPOINT'), ...wordsOf(image, 'CMD')];
    assert.equal([separator, node, file], ['--', 'node', '/app/dist/cli/uptrail.cjs']);
    const port = (await freePort()).toString();
    // The environment of the image, except that the server listens only on this machine.
    const environment = { ...environmentOf(image), HOST: '127.0.0.1', PORT: port, DATA_DIR: folder, LOG_LEVEL: 'warn' };
    const health = wordsOf(image, 'HEALTHCHECK');
    const check = () => run(health[0] ?? '', health.slice(1), { environment });

    assert.is((await check()).code, 1);
    const child = spawn(process.execPath, [...PROGRAM, ...rest], {
      cwd: PROJECT,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(child.stdout, 'data');
      while ((await check()).code !== 0) assert.is(child.exitCode, null);
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      assert.equal(await ended, [0, null]);
      assert.is((await check()).code, 1);
    } finally {
      child.kill('SIGKILL');
    }
  }),
);

test.run();
