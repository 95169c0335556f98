import * as assert from 'uvu/assert';
import { httpServer, type Opened } from '../../probes/web/servers.ts';
import { eventually } from '../../waiting.ts';
import { callApiExpecting, startOne, uptrail, type RunningProgram } from '../program.ts';

export const ADMIN_API_KEY = 'the-admin-key-of-this-test';

/** The fields of a runner in `/v1/runners` that these tests use. */
export interface ShownRunner {
  id: string;
  name: string;
  region: string;
  state: string;
  instances: number;
  alone: boolean;
  clock_offset_ms: number | null;
  load: { in_flight: number; capacity: number } | null;
}

/** A remote runner, as in the API's response to its creation. */
export interface CreatedRunner extends ShownRunner {
  token: string;
}

export const createRunner = (
  program: Pick<RunningProgram, 'address'>,
  body: { name: string; region?: string },
  key = ADMIN_API_KEY,
): Promise<CreatedRunner> => callApiExpecting(program, key, 201, 'POST', '/v1/runners', body);

export const runnersOf = async (
  program: Pick<RunningProgram, 'address'>,
  key = ADMIN_API_KEY,
): Promise<ShownRunner[]> =>
  (await callApiExpecting<{ runners: ShownRunner[] }>(program, key, 200, 'GET', '/v1/runners')).runners;

/** Runs a command that must succeed. @returns its output */
export const commandLine = async (environment: Record<string, string>, ...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await uptrail(environment, ...words);
  assert.is(code, 0, stderr);
  return stdout.trim();
};

/** Creates another organization. @returns an API key of an admin of this organization */
export const otherOrganization = async (environment: Record<string, string>): Promise<string> => {
  const made = await commandLine(environment, 'organization', 'create', '--name', 'Other');
  const [, id = ''] = /has the id (\w+)/.exec(made) ?? [];
  const of = ['--organization', id, '--role', 'admin', '--name', 'Key', '--json'];
  return (JSON.parse(await commandLine(environment, 'api-key', 'create', ...of)) as { token: string }).token;
};

export interface RunnerSettings {
  token: string;
  /** the folder in which the runner stores unsent results */
  folder: string;
  /** the service's address for the runner; by default the address of the running program */
  server?: string;
  /** further command-line options */
  options?: readonly string[];
  environment?: Record<string, string>;
}

/** Starts `uptrail run --server`. The address of the returned program serves its health endpoint. */
export const startRunner = (
  service: Pick<RunningProgram, 'address'>,
  { token, folder, server = service.address, options = [], environment = {} }: RunnerSettings,
  place?: Parameters<typeof startOne>[2],
): Promise<RunningProgram> =>
  startOne(
    ['run', '--server', server, ...options],
    { UPTRAIL_RUNNER_TOKEN: token, DATA_DIR: folder, PORT: '', ...environment },
    place,
  );

/** Waits until a runner has exactly this number of connected processes. */
export const waitForConnected = (
  program: Pick<RunningProgram, 'address'>,
  id: string,
  instances = 1,
): Promise<ShownRunner> =>
  eventually(async () => {
    const found = (await runnersOf(program)).find((runner) => runner.id === id);
    assert.is(found?.instances, instances, `processes of ${id}`);
    return found;
  });

/** Returns the definition of a check that requests a URL from a region. The service runs a new check immediately. */
export const createShopCheck = (region: string, url: string): object => ({
  name: 'Shop',
  type: 'web',
  interval: 86_400,
  timeout: 30,
  url,
  parameters: { regions: [region] },
});

/** The fields of a result that these tests use. */
export interface StoredResult {
  id: string;
  status: string;
  created_at: string;
  region: string;
  result_type: string;
  error_message: string | null;
  check_server: { region: string; server_metadata: { runner?: string; clock_offset_ms?: number } };
  check_metadata: Record<string, unknown>;
}

/** Returns whether a runner has logged that its token was refused. */
export const logsRevocation = ({ output }: Pick<RunningProgram, 'output'>): boolean =>
  `${output.stdout}${output.stderr}`.includes('the token is no longer valid');

/** Returns all stored results that match a query, newest first. */
export const storedResults = async (
  program: Pick<RunningProgram, 'address'>,
  query: string,
  key = ADMIN_API_KEY,
): Promise<StoredResult[]> =>
  (
    await callApiExpecting<{ results: StoredResult[] }>(
      program,
      key,
      200,
      'GET',
      `/v1/checks/all-results?page_size=100&${query}`,
    )
  ).results;

/** A site that can delay its responses, to keep runs in progress. */
export interface PausableSite extends Opened {
  url: string;
  /** Returns the number of requests up to now. */
  requestCount: () => number;
  pause: () => void;
  /** Responds to all waiting requests, and to later requests immediately. */
  release: () => void;
  /** Makes the next requests fail. */
  fail: (requests: number) => void;
}

export const openPausableSite = async (): Promise<PausableSite> => {
  let requested = 0;
  let isHeld = false;
  let failing = 0;
  let waiting: (() => void)[] = [];
  const site = await httpServer((_request, response) => {
    requested += 1;
    if (failing > 0) {
      failing -= 1;
      response.statusCode = 500;
    }
    const respond = (): void => void response.end('All is well.');
    if (isHeld) waiting.push(respond);
    else respond();
  });
  return {
    ...site,
    url: `http://127.0.0.1:${site.port}/`,
    requestCount: () => requested,
    pause: () => (isHeld = true),
    release: () => {
      isHeld = false;
      for (const respond of waiting) respond();
      waiting = [];
    },
    fail: (requests) => (failing = requests),
  };
};
