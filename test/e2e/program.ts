import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What starts the program: as it was built just before where `npm test` runs, else its sources. */
export const PROGRAM =
  process.env['npm_lifecycle_event'] === 'test' ? ['dist/cli/uptrail.cjs'] : ['--import', 'tsx', 'cli/main.ts'];

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

type Environment = Record<string, string>;

const start = (parameters: readonly string[], environment: Environment): ChildProcess => {
  const inherited = Object.entries(process.env).filter(([name]) => name === 'PATH' || name === 'HOME');
  return spawn(process.execPath, [...PROGRAM, ...parameters], {
    cwd: ROOT,
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

const collected = (child: ChildProcess) => {
  const text = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  return text;
};

/** Runs a command of the program to its end. */
export const uptrail = async (environment: Environment, ...parameters: string[]): Promise<Ended> => {
  const child = start(parameters, environment);
  const text = collected(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...text };
};

/** The running service. */
export interface Program {
  address: string;
  /** what it has said so far */
  said: { stdout: string; stderr: string };
  /** Sends a signal and waits for the end. */
  end: (signal: NodeJS.Signals) => Promise<Ended>;
  pid: number;
}

const running = new Set<ChildProcess>();

/** Ends what a test that failed has left behind; to be called after each. */
export const endPrograms = (): void => {
  for (const child of running) child.kill('SIGKILL');
};

/** Starts `uptrail serve` on a free port and waits until it says where it is. */
export const serve = async (environment: Environment): Promise<Program> => {
  const child = start(['serve'], { PORT: '0', LOG_LEVEL: 'warn', ...environment });
  running.add(child);
  const said = collected(child);
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code: code as number | null, ...said };
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = /http:\/\/\S+/.exec(said.stdout);
      if (found) resolve(found[0]);
    });
    void ended.then(({ code, stderr }) => {
      reject(new Error(`uptrail serve ended with ${String(code)}: ${stderr}`));
    });
  });
  return {
    address,
    said,
    pid: child.pid ?? 0,
    end: async (signal) => {
      child.kill(signal);
      return ended;
    },
  };
};

/** Asks the API; the body is JSON. */
export const ask = async (
  { address }: Pick<Program, 'address'>,
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
