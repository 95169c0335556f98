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

/** The command that starts the program in a checkout, as build.cjs compiled it, or another named one. */
export const PROGRAM: readonly string[] = [process.env['UPTRAIL_PROGRAM'] ?? 'dist/cli/uptrail.cjs'];

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

type Environment = Record<string, string>;

/** Whether the program runs as a cluster, with each duty a process of its own, instead of embedded. */
export const IS_CLUSTER = process.env['UPTRAIL_DEPLOYMENT'] === 'cluster';

/** The options of a worker that serves every region. */
export const ALL_REGIONS: readonly string[] = REGIONS.map(({ aliases }) => aliases[0]);

/** The servers that a cluster uses in place of each data directory. */
const servers = new Map<string, Promise<ClusterServers>>();

/** The environment of the program, with the variables of its storage. */
export const storageEnvironment = async (environment: Environment): Promise<Environment> => {
  const { DATA_DIR } = environment;
  if (!IS_CLUSTER || DATA_DIR === undefined) return environment;
  const started = servers.get(DATA_DIR) ?? startClusterServers();
  servers.set(DATA_DIR, started);
  return { ...environment, ...(await started).environment };
};

/** Where the program is, and what starts it there. */
interface ProgramPlace {
  root: string;
  program: readonly string[];
  /** the words before its command, if it runs in another network */
  there?: readonly string[];
}
const HERE: ProgramPlace = { root: PROJECT, program: PROGRAM };

/** The program of this checkout, in another network. @param there see {@link ProgramPlace} */
export const programIn = (there: readonly string[]): ProgramPlace => ({ ...HERE, there });

/** The program, compiled from the sources in a copy of the project. */
export const programBuiltIn = (root: string): ProgramPlace => {
  const { status, stderr } = spawnSync(process.execPath, ['build.cjs'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The copy could not be built: ${stderr}`);
  return { root, program: PROGRAM };
};

const start = (
  parameters: readonly string[],
  environment: Environment,
  { root, program, there = [] }: ProgramPlace = HERE,
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess => {
  const inherited = Object.entries(process.env).filter(([name]) => name === 'PATH' || name === 'HOME');
  const [file = '', ...words] = [...there, process.execPath, ...program, ...parameters];
  return spawn(file, words, {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: [input, 'pipe', 'pipe'],
  });
};

const collected = (child: ChildProcess) => {
  const text = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  return text;
};

/** Runs a command of the program at a place to its end. */
export const uptrailIn =
  (place: ProgramPlace) =>
  async (environment: Environment, ...parameters: string[]): Promise<CommandResult> => {
    const child = start(parameters, await storageEnvironment(environment), place);
    const text = collected(child);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, ...text };
  };

/** Runs a command of the program to its end. */
export const uptrail = uptrailIn(HERE);

/** Runs a command of the program that reads an input, to its end. */
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

/** The running service. */
export interface RunningProgram {
  address: string;
  /** its output so far */
  output: { stdout: string; stderr: string };
  /** Sends a signal and waits for the end. */
  end: (signal: NodeJS.Signals) => Promise<CommandResult>;
  pid: number;
}

const running = new Set<ChildProcess>();

/** Ends what a test has left running; to be called after each test. */
export const endPrograms = async (): Promise<void> => {
  for (const child of running) child.kill('SIGKILL');
  for (const started of servers.values()) await (await started).stop();
  servers.clear();
};

/** A cluster creates no admin key, so it is created here, and stored where an embedded service stores its own. */
const adminKeyOf = ({ ADMIN_API_KEY, DATA_DIR = '' }: Environment): string => {
  mkdirSync(DATA_DIR, { recursive: true });
  const file = join(DATA_DIR, 'admin-api-key');
  const key = ADMIN_API_KEY ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : `upt_${randomUUID()}`);
  writeFileSync(file, `${key}\n`);
  return key;
};

/** Starts `uptrail serve`, or a process of each duty, on free ports and waits until it prints its address. */
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

/** Sends a request to the API; the body is JSON. */
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

/** The API's response, which must have this status. */
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
