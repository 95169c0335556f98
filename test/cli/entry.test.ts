import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { PROJECT } from '../project.ts';

/** The source of a program that replaces Uptrail behind its entry points. It prints its number of threads. */
const MAIN = `
import { readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
await stat('.');
console.log(readdirSync('/proc/self/task').length);
`;

const threadsOf = (folder: string, file: string, environment: Record<string, string> = {}): number =>
  Number(execFileSync(process.execPath, [file], { cwd: folder, env: environment, encoding: 'utf8' }));

/** Installs the entry points in a folder, together with the program above. */
const installAround = (folder: string): void => {
  cpSync(join(PROJECT, 'start.cjs'), join(folder, 'start.cjs'));
  cpSync(join(PROJECT, 'build.cjs'), join(folder, 'build.cjs'));
  writeFileSync(join(folder, 'tsconfig.build.json'), '{ "include": [] }');
  mkdirSync(join(folder, 'dist/cli'), { recursive: true });
  writeFileSync(join(folder, 'dist/package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'dist/cli/main.js'), MAIN);
  mkdirSync(join(folder, 'dist/service/embedded'), { recursive: true });
  writeFileSync(join(folder, 'dist/service/embedded/descriptors.js'), 'export const tooFewToBegin = () => null;');
  const { config } = ts.readConfigFile(join(PROJECT, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, PROJECT);
  const { outputText } = ts.transpileModule(readFileSync(join(PROJECT, 'cli/uptrail.cts'), 'utf8'), {
    fileName: 'uptrail.cts',
    compilerOptions: { ...options, sourceMap: false },
  });
  writeFileSync(join(folder, 'dist/cli/uptrail.cjs'), outputText);
};

const test = suite('the entry of the program');

if (!existsSync('/proc/self/task')) {
  console.log('skipped: /proc is missing, so threads cannot be counted');
  test.skip('the entry point sets the size of the thread pool to 64', () => undefined);
} else {
  for (const file of ['dist/cli/uptrail.cjs', 'start.cjs']) {
    test(
      `the entry point ${file} sets the size of the thread pool to 64 before any code uses the pool`,
      inTemporaryFolder(async (folder) => {
        installAround(folder);
        const few = threadsOf(folder, file, { UV_THREADPOOL_SIZE: '1' });
        assert.is(threadsOf(folder, file) - few, 63);
        assert.is(threadsOf(folder, file, { UV_THREADPOOL_SIZE: '' }) - few, 63);
      }),
    );

    test(
      `the entry point ${file} does not override a configured size of the thread pool`,
      inTemporaryFolder(async (folder) => {
        installAround(folder);
        const few = threadsOf(folder, file, { UV_THREADPOOL_SIZE: '1' });
        assert.is(threadsOf(folder, file, { UV_THREADPOOL_SIZE: '9' }) - few, 8);
      }),
    );
  }
}

test.run();
