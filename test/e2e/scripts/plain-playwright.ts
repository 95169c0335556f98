import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { SILENT } from '../browser.ts';
import type { RunScript, ScriptRun, ScriptStep } from './script-run.ts';
import { inProject } from '../../project.ts';

const NODE_MODULES = inProject('node_modules');

/** The Chromium executable. The distribution's /usr/bin/chromium is a shell script. */
const CHROMIUM = ['/usr/lib/chromium/chromium', '/usr/bin/chromium'].find((path) => existsSync(path));

/**
 * The steps, results and suites in the report of Playwright's reporter `json`, with only the fields that are used here.
 */
interface ReportedStep {
  title: string;
  duration: number;
  error?: { message?: string };
  steps?: ReportedStep[];
}
interface ReportedResult {
  status: string;
  duration: number;
  errors: { message?: string }[];
  steps?: ReportedStep[];
  stdout: { text?: string }[];
}
interface ReportedSuite {
  suites?: ReportedSuite[];
  specs?: { title: string; tests: { results: ReportedResult[] }[] }[];
}
interface Report {
  suites: ReportedSuite[];
  errors: { message?: string }[];
}

const messageOf = (error: { message?: string } | undefined): string | null =>
  error === undefined ? null : stripVTControlCharacters(error.message ?? '');

const stepOf = ({ title, duration, error, steps = [] }: ReportedStep): ScriptStep => ({
  name: title,
  status: error === undefined ? 'passed' : 'failed',
  duration,
  error: messageOf(error),
  steps: steps.map(stepOf),
});

const testOf = (name: string, { status, duration, errors, steps = [] }: ReportedResult): ScriptStep => ({
  name,
  status: status === 'passed' ? 'passed' : 'failed',
  duration,
  error: messageOf(errors[0]),
  steps: steps.map(stepOf),
});

const resultsIn = ({ suites = [], specs = [] }: ReportedSuite): { name: string; result: ReportedResult }[] => [
  ...specs.flatMap(({ title, tests }) =>
    tests.flatMap(({ results }) => results.map((result) => ({ name: title, result }))),
  ),
  ...suites.flatMap(resultsIn),
];

/** Returns the innermost step of the first failure. */
const failedStep = (steps: readonly ScriptStep[]): ScriptStep | null => {
  const step = steps.find(({ status }) => status === 'failed');
  return step ? (failedStep(step.steps) ?? step) : null;
};

const sentenceOf = (tests: readonly ScriptStep[]): string | null => {
  const test = tests.find(({ status }) => status === 'failed');
  if (!test) return null;
  const step = failedStep(test.steps);
  return [test.name, ...(step ? [step.name] : []), test.error ?? ''].join(': ');
};

const read = ({ suites, errors }: Report): Omit<ScriptRun, 'pictures'> => {
  const results = suites.flatMap(resultsIn);
  const tests = results.map(({ name, result }) => testOf(name, result));
  const message = sentenceOf(tests) ?? messageOf(errors[0]);
  const failed = tests.filter(({ status }) => status === 'failed').length;
  return {
    status: message === null ? 'ok' : 'error',
    error_message: message,
    check_metadata: {
      logs: results.flatMap(({ result }) => result.stdout).map(({ text = '' }) => ({ message: text.trimEnd() })),
      test_results: tests,
      test_summary: { failed, passed: tests.length - failed, total: tests.length },
    },
  };
};

/** Creates the typical folder of a script author, with a script, a configuration and the packages of this project. */
const folderOf = (script: string, url: string, timeout: number): string => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-playwright-'));
  const config = {
    testMatch: '*.spec.ts',
    timeout,
    workers: 1,
    reporter: [['json', { outputFile: 'report.json' }]],
    use: { baseURL: url, launchOptions: { executablePath: CHROMIUM, args: SILENT } },
  };
  writeFileSync(join(folder, 'playwright.config.ts'), `export default ${JSON.stringify(config)};\n`);
  writeFileSync(join(folder, 'script.spec.ts'), script);
  symlinkSync(NODE_MODULES, join(folder, 'node_modules'));
  return folder;
};

const picturesIn = (folder: string): Map<string, Buffer> =>
  new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.png'))
      .map((name) => [name, readFileSync(join(folder, name))]),
  );

/**
 * Runs a script as its author would, with `npx playwright test`, outside the sandbox and the proxy that checks use.
 * Unlike in checks, both synthetic and multistep scripts may use a browser.
 */
export const runByPlaywright: RunScript = async (_kind, script, { env = {}, url, timeout = 30_000 }) => {
  const folder = folderOf(script, url, timeout);
  try {
    const child = spawn(process.execPath, [join(NODE_MODULES, '@playwright/test/cli.js'), 'test'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, CI: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await once(child, 'close');
    const report = join(folder, 'report.json');
    if (!existsSync(report)) throw new Error(`Playwright wrote no report: ${said}`);
    return { ...read(JSON.parse(readFileSync(report, 'utf8')) as Report), pictures: picturesIn(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
