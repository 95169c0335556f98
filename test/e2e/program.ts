import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { REGIONS } from '../../domain/check/regions.ts';
import { PROJECT } from '../project.ts';
import { startClusterServers, type ClusterServers } from './cluster-servers.ts';
import { eventually } from '../waiting.ts';

/**
 * Arguments with which Node.js starts the program: by default the file that build.cjs compiled in this checkout, or the
 * file that `UPTRAIL_PROGRAM` names.
 */
export const PROGRAM: readonly string[] = [process.env['UPTRAIL_PROGRAM'] ?? 'dist/cli/uptrail.cjs'];

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

type Environment = Record<string, string>;

/** Whether the program runs as a cluster with a process for each duty, instead of as one embedded process. */
export const IS_CLUSTER = process.env['UPTRAIL_DEPLOYMENT'] === 'cluster';

/** Values of the option `--region` for a worker that serves every region. */
export const ALL_REGIONS: readonly string[] = REGIONS.map(({ aliases }) => aliases[0]);

/** The servers of a cluster, by the data directory that they replace. */
const servers = new Map<string, Promise<ClusterServers>>();

/** Returns the environment with the variables of the storage. Starts the servers of a cluster if necessary. */
export const storageEnvironment = async (environment: Environment): Promise<Environment> => {
  const { DATA_DIR } = environment;
  if (!IS_CLUSTER || DATA_DIR === undefined) return environment;
  const started = servers.get(DATA_DIR) ?? startClusterServers();
  servers.set(DATA_DIR, started);
  return { ...environment, ...(await started).environment };
};

/** The folder in which the program starts, and the program itself. */
export interface ProgramPlace {
  root: string;
  program: readonly string[];
  /** a command that runs the program in another network, such as `ip netns exec …`; placed before the command line */
  there?: readonly string[];
  /** file descriptors of this process that the program gets as 3, 4, … */
  inherits?: readonly number[];
}
export const HERE: ProgramPlace = { root: PROJECT, program: PROGRAM };

/** Returns the program of this checkout, to be started in another network. @param there see {@link ProgramPlace} */
export const programIn = (there: readonly string[]): ProgramPlace => ({ ...HERE, there });

/** Compiles the program in a copy of the project. */
export const programBuiltIn = (root: string): ProgramPlace => {
  const { status, stderr } = spawnSync(process.execPath, ['build.cjs'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The copy could not be built: ${stderr}`);
  return { root, program: PROGRAM };
};

const start = (
  parameters: readonly string[],
  environment: Environment,
  { root, program, there = [], inherits = [] }: ProgramPlace = HERE,
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess => {
  const inherited = Object.entries(process.env).filter(([name]) => name === 'PATH' || name === 'HOME');
  const [file = '', ...words] = [...there, process.execPath, ...program, ...parameters];
  return spawn(file, words, {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: [input, 'pipe', 'pipe', ...inherits],
  });
};

const collected = (child: ChildProcess) => {
  const text = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  return text;
};

/** Runs a command of a program until it ends. */
export const uptrailIn =
  (place: ProgramPlace) =>
  async (environment: Environment, ...parameters: string[]): Promise<CommandResult> => {
    const child = start(parameters, await storageEnvironment(environment), place);
    const text = collected(child);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, ...text };
  };

/** Runs a command of the program of this checkout until it ends. */
export const uptrail = uptrailIn(HERE);

/** Runs a command with `input` as its standard input, and waits until the command ends. */
export const uptrailReading = async (
  input: string,
  environment: Environment,
  ...parameters: string[]
): Promise<CommandResult> => {
  const child = start(parameters, await storageEnvironment(environment), HERE, 'pipe');
  const text = collected(child);
  child.stdin?.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...text };
};

/** A running service. */
export interface RunningProgram {
  address: string;
  /** the output up to now */
  output: { stdout: string; stderr: string };
  /** Sends a signal and waits until the process has ended. */
  end: (signal: NodeJS.Signals) => Promise<CommandResult>;
  pid: number;
}

const running = new Set<ChildProcess>();

/** Kills the processes that a test has left running, and stops the servers. Must be called after each test. */
export const endPrograms = async (): Promise<void> => {
  for (const child of running) child.kill('SIGKILL');
  for (const started of servers.values()) await (await started).stop();
  servers.clear();
};

/**
 * Returns the admin key, and stores it in the file in which an embedded service would store it. A cluster creates no
 * such file.
 */
const adminKeyOf = ({ ADMIN_API_KEY, DATA_DIR = '' }: Environment): string => {
  mkdirSync(DATA_DIR, { recursive: true });
  const file = join(DATA_DIR, 'admin-api-key');
  const key = ADMIN_API_KEY ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : `upt_${randomUUID()}`);
  writeFileSync(file, `${key}\n`);
  return key;
};

/** Starts `uptrail serve`, or in a cluster a process for each duty, on free ports. Waits until the service is ready. */
export const serve = async (environment: Environment): Promise<RunningProgram> => {
  if (!IS_CLUSTER) return startOne(['serve'], environment);
  const placed = { ...(await storageEnvironment(environment)), ADMIN_API_KEY: adminKeyOf(environment) };
  const regions = environment['REGIONS']?.split(',') ?? ALL_REGIONS;
  const programs = await Promise.all(
    [['api'], ['project'], ['schedule'], ['run', '--region', ...regions]].map((duty) =>
      startOne(duty, duty[0] === 'api' ? placed : { ...placed, PORT: '0' }),
    ),
  );
  const [api] = programs;
  if (!api) throw new Error('A cluster has programs.');
  await eventually(async () => (await fetch(`${api.address}/health/ready`)).ok, { within: 60_000 });
  return {
    ...api,
    end: async (signal) => {
      const [ended = null, ...others] = await Promise.all(programs.map((program) => program.end(signal)));
      if (!ended) throw new Error('A cluster has programs.');
      return { ...ended, code: others.find(({ code }) => code !== ended.code)?.code ?? ended.code };
    },
  };
};

/** Starts one process of the service and waits until it prints its address. */
export const startOne = async (
  parameters: readonly string[],
  environment: Environment,
  place: ProgramPlace = HERE,
): Promise<RunningProgram> => {
  const child = start(parameters, { PORT: '0', LOG_LEVEL: 'warn', ...environment }, place);
  running.add(child);
  const output = collected(child);
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code: code as number | null, ...output };
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = /https?:\/\/\S+/.exec(output.stdout);
      if (found) resolve(found[0]);
    });
    void ended.then(({ code, stderr }) => {
      reject(new Error(`uptrail ${parameters.join(' ')} ended with ${String(code)}: ${stderr}`));
    });
  });
  return {
    address,
    output: output,
    pid: child.pid ?? 0,
    end: async (signal) => {
      child.kill(signal);
      return ended;
    },
  };
};

/** Sends a request with a JSON body to the API. */
export const callApi = async (
  { address }: Pick<RunningProgram, 'address'>,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(address + path, {
    method,
    headers: { authorization: key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
};

/** Sends a request to the API, and asserts the status of the response. @returns the body */
export const callApiExpecting = async <T>(
  program: Pick<RunningProgram, 'address'>,
  key: string,
  status: number,
  method: string,
  path: string,
  body?: object,
): Promise<T> => {
  const answer = await callApi(program, key, method, path, body);
  assert.is(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body as T;
};
