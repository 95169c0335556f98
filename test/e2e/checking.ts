import * as assert from 'uvu/assert';
import { callApi, type RunningProgram } from './program.ts';
import { eventually } from '../waiting.ts';

/** A result as the API shows it. */
export interface ShownResult {
  id: string;
  status: string;
  response_time: number | null;
  error_message: string | null;
  check_metadata: Record<string, unknown>;
}

/** A check, as used by an API client. */
export interface CheckClient {
  id: string;
  path: string;
  /** the status in the response to the creation of the check */
  statusAtFirst: string;
  /** Waits until the check has a status, with a time limit. */
  reaches: (status: string, withinSeconds: number) => Promise<void>;
  results: () => Promise<ShownResult[]>;
}

/**
 * Extra time on a slow machine until the result of a run is folded and has changed the status of its check, in seconds.
 */
const SLACK = 30;

export const createCheck = async (program: RunningProgram, key: string, definition: object): Promise<CheckClient> => {
  const { status, body } = await callApi(program, key, 'POST', '/v1/checks', definition);
  // The status is 202 while the read model lags, such as during a takeover or on a busy machine.
  assert.ok(status === 201 || status === 202, `${JSON.stringify(body)} ${program.output.stderr}`);
  const check = body as { id: string; status: string; name: string };
  const path = `/v1/checks/${check.id}`;
  return {
    id: check.id,
    path,
    statusAtFirst: check.status,
    reaches: async (wanted, withinSeconds) => {
      await eventually(
        async () => {
          assert.is(((await callApi(program, key, 'GET', path)).body as { status: string }).status, wanted, check.name);
          return true;
        },
        { within: (withinSeconds + SLACK) * 1_000, what: `${check.name} is ${wanted}` },
      );
    },
    results: async () =>
      ((await callApi(program, key, 'GET', `${path}/results?page_size=100`)).body as { results: ShownResult[] })
        .results,
  };
};
