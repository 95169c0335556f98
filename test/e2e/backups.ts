import * as assert from 'uvu/assert';
import type { Coordination } from '../../stores/coordination/port.ts';
import { openSqliteCoordination } from '../../stores/coordination/sqlite.ts';
import { callApi, serve, uptrail, type RunningProgram } from './program.ts';
import { eventually } from '../waiting.ts';

export const ADMIN_API_KEY = 'the-admin-key-of-this-test';
export const DATABASES = ['coordination.db', 'events.db', 'keys.db', 'results.db'];

export const runSuccessfully = async (
  environment: Record<string, string>,
  ...parameters: string[]
): Promise<string> => {
  const { code, stdout, stderr } = await uptrail(environment, ...parameters);
  assert.is(code, 0, stderr);
  return stdout;
};

export const runRefused = async (environment: Record<string, string>, ...parameters: string[]): Promise<string> => {
  const { code, stderr } = await uptrail(environment, ...parameters);
  assert.is(code, 1);
  return stderr;
};

export const create = (program: RunningProgram, name: string) =>
  callApi(program, ADMIN_API_KEY, 'POST', '/v1/pages', { name });

/** Repeats a GET request until its read model has been built. @returns the response */
export const readWhenBuilt = async (
  program: RunningProgram,
  path: string,
): Promise<{ status: number; body: unknown }> => {
  return eventually(async () => {
    const response = await callApi(program, ADMIN_API_KEY, 'GET', path);
    return response.status !== 503 && response;
  });
};

export const reactorsOf = async ({ address }: RunningProgram): Promise<{ state: string; message: string | null }> => {
  const { parts } = (await (await fetch(`${address}/health/ready`)).json()) as {
    parts: { name: string; state: string; message: string | null }[];
  };
  const part = parts.find(({ name }) => name === 'reactors');
  if (!part) throw new Error('There is no such part.');
  return part;
};

/** Starts a service, creates a page, makes a backup, and stops the service. */
export const createBackup = async (folder: string): Promise<{ environment: Record<string, string>; id: string }> => {
  const environment = { DATA_DIR: `${folder}/data`, ADMIN_API_KEY };
  const program = await serve(environment);
  const { body } = await create(program, 'Before');
  await runSuccessfully(environment, 'backup', `${folder}/copy`);
  await program.end('SIGTERM');
  return { environment, id: (body as { id: string }).id };
};

/** Opens the `coordination.db` of a data folder while a function runs. */
export const withCoordination = async <T>(
  { DATA_DIR }: { DATA_DIR: string },
  look: (from: Coordination) => Promise<T>,
) => {
  const coordination = openSqliteCoordination({ file: `${DATA_DIR}/coordination.db` });
  try {
    return await look(coordination);
  } finally {
    await coordination.close();
  }
};
