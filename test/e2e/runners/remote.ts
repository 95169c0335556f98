import * as assert from 'uvu/assert';
import { httpServer, type Opened } from '../../probes/web/servers.ts';
import { eventually } from '../../waiting.ts';
import { answered, startOne, uptrail, type Program } from '../program.ts';

export const ADMIN_API_KEY = 'the-admin-key-of-this-test';

/** What of a runner `/v1/runners` shows here. */
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

/** A remote runner as the API creates it. */
export interface CreatedRunner extends ShownRunner {
  token: string;
}

export const createRunner = (
  program: Pick<Program, 'address'>,
  body: { name: string; region?: string },
  key = ADMIN_API_KEY,
): Promise<CreatedRunner> => answered(program, key, 201, 'POST', '/v1/runners', body);

export const runnersOf = async (program: Pick<Program, 'address'>, key = ADMIN_API_KEY): Promise<ShownRunner[]> =>
  (await answered<{ runners: ShownRunner[] }>(program, key, 200, 'GET', '/v1/runners')).runners;

/** What a command that has to succeed prints. */
export const commandLine = async (environment: Record<string, string>, ...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await uptrail(environment, ...words);
  assert.is(code, 0, stderr);
  return stdout.trim();
};

/** Makes another organization. @returns the key of an admin of it */
export const otherOrganization = async (environment: Record<string, string>): Promise<string> => {
  const made = await commandLine(environment, 'organization', 'create', '--name', 'Other');
  const [, id = ''] = /has the id (\w+)/.exec(made) ?? [];
  const of = ['--organization', id, '--role', 'admin', '--name', 'Key', '--json'];
  return (JSON.parse(await commandLine(environment, 'api-key', 'create', ...of)) as { token: string }).token;
};

export interface RunnerSettings {
  token: string;
  /** for its unsent results */
  folder: string;
  /** where the service is reached; its own address if absent */
  server?: string;
  /** options of the command besides */
  options?: readonly string[];
  environment?: Record<string, string>;
}

/** Starts `uptrail run --server`, whose requests for its health are answered at the address. */
export const startRunner = (
  service: Pick<Program, 'address'>,
  { token, folder, server = service.address, options = [], environment = {} }: RunnerSettings,
  place?: Parameters<typeof startOne>[2],
): Promise<Program> =>
  startOne(
    ['run', '--server', server, ...options],
    { UPTRAIL_RUNNER_TOKEN: token, DATA_DIR: folder, PORT: '', ...environment },
    place,
  );

/** Waits until a runner has so many connected processes. */
export const connected = (program: Pick<Program, 'address'>, id: string, instances = 1): Promise<ShownRunner> =>
  eventually(async () => {
    const found = (await runnersOf(program)).find((runner) => runner.id === id);
    assert.is(found?.instances, instances, `processes of ${id}`);
    return found;
  });

/** A check of a site from a region; it runs once by itself. */
export const shopIn = (region: string, url: string): object => ({
  name: 'Shop',
  type: 'web',
  interval: 86_400,
  timeout: 30,
  url,
  parameters: { regions: [region] },
});

/** A result as far as these tests look at it. */
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

/** Whether the log of a runner says that its token was refused. */
export const saysRevoked = ({ said }: Pick<Program, 'said'>): boolean =>
  `${said.stdout}${said.stderr}`.includes('the token is no longer valid');

/** All stored results that match a query, newest first. */
export const storedResults = async (
  program: Pick<Program, 'address'>,
  query: string,
  key = ADMIN_API_KEY,
): Promise<StoredResult[]> =>
  (
    await answered<{ results: StoredResult[] }>(
      program,
      key,
      200,
      'GET',
      `/v1/checks/all-results?page_size=100&${query}`,
    )
  ).results;

/** A site whose answers can be held back, so that runs are under way for as long as a test wants. */
export interface HeldSite extends Opened {
  url: string;
  /** requests so far */
  asked: () => number;
  hold: () => void;
  /** Answers all that wait, and the next at once. */
  release: () => void;
  /** Answers so many of the next requests with an error. */
  fail: (requests: number) => void;
}

export const heldSite = async (): Promise<HeldSite> => {
  let asked = 0;
  let isHeld = false;
  let failing = 0;
  let waiting: (() => void)[] = [];
  const site = await httpServer((_request, response) => {
    asked += 1;
    if (failing > 0) {
      failing -= 1;
      response.statusCode = 500;
    }
    const answer = (): void => void response.end('All is well.');
    if (isHeld) waiting.push(answer);
    else answer();
  });
  return {
    ...site,
    url: `http://127.0.0.1:${site.port.toString()}/`,
    asked: () => asked,
    hold: () => (isHeld = true),
    release: () => {
      isHeld = false;
      for (const answer of waiting) answer();
      waiting = [];
    },
    fail: (requests) => (failing = requests),
  };
};
