import { revisionOf } from '../../domain/revision.ts';
import type { Connection, FormerToken } from '../../domain/runner/state.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/** The most recent connection of a process of a runner: its time, and the data that the process reported. */
export interface LastConnection extends Connection {
  at: Instant;
  instance: string;
}

/** A remote runner. The documents of revoked runners remain. */
export interface RunnerDocument {
  id: string;
  /** Id of the organization. For a runner of a public region, this is the operator's organization. */
  organization_id: string;
  name: string;
  /** id of its region */
  region: string;
  /** whether the region is a private location of the organization */
  private: boolean;
  created_at: Instant;
  revoked_at: Instant | null;
  /** Whether the region was returned to the built-in runner. Until then, a revoked runner still reserves its region. */
  released: boolean;
  /** SHA-256 of the current token in hexadecimal. */
  token_hash: string;
  former_token: FormerToken | null;
  last_connected: LastConnection | null;
  /** see domain/revision.ts */
  revision: number;
}

/** The runner of a current or earlier token. The document of the runner shows whether the token is still valid. */
export interface RunnerTokenDocument {
  /** SHA-256 of the token in hexadecimal. */
  id: string;
  runner_id: string;
}

const change = (
  runners: Model<RunnerDocument>,
  id: string,
  changes: (runner: RunnerDocument) => Partial<RunnerDocument>,
): void => {
  const runner = runners.get(id);
  if (runner) runners.put({ ...runner, ...changes(runner) });
};

/** Remote runners, and an index of their tokens. */
export const runners = defineProjection({
  name: 'runners',
  version: 1,
  log: 'main',
  collections: {
    runners: collection<RunnerDocument>({ indexes: [{ organization_id: 1, created_at: -1 }] }),
    runner_tokens: collection<RunnerTokenDocument>({ indexes: [] }),
  },
  documents: ({ type, data }) => ({
    runners: [data.runner_id],
    ...((type === 'RunnerCreated' || type === 'RunnerTokenRotated') && { runner_tokens: [data.token_hash] }),
  }),
  on: {
    RunnerCreated: (event, { runners, runner_tokens }) => {
      const { runner_id: id, name, region, private: isPrivate, token_hash } = event.data;
      runners.put({
        id,
        organization_id: event.metadata.organization_id ?? '',
        name,
        region,
        private: isPrivate,
        created_at: event.metadata.recorded_at,
        revoked_at: null,
        released: false,
        token_hash,
        former_token: null,
        last_connected: null,
        revision: revisionOf(event),
      });
      runner_tokens.put({ id: token_hash, runner_id: id });
    },
    RunnerRenamed: (event, { runners }) => {
      const { runner_id, name } = event.data;
      change(runners, runner_id, () => ({ name, revision: revisionOf(event) }));
    },
    RunnerTokenRotated: ({ data: { runner_id, token_hash, former } }, { runners, runner_tokens }) => {
      const former_token = { hash: former.token_hash, until: former.until };
      change(runners, runner_id, () => ({ token_hash, former_token }));
      runner_tokens.put({ id: token_hash, runner_id });
    },
    RunnerTokenConfirmed: ({ data: { runner_id } }, { runners }) => {
      change(runners, runner_id, () => ({ former_token: null }));
    },
    RunnerConnected: ({ data: { runner_id, instance, release, types }, metadata }, { runners }) => {
      const last_connected = { at: metadata.recorded_at, instance, release, types };
      change(runners, runner_id, () => ({ last_connected }));
    },
    RunnerRevoked: ({ data: { runner_id }, metadata }, { runners }) => {
      change(runners, runner_id, () => ({ revoked_at: metadata.recorded_at, former_token: null }));
    },
    RunnerReleased: ({ data: { runner_id } }, { runners }) => {
      change(runners, runner_id, () => ({ released: true }));
    },
  },
});
