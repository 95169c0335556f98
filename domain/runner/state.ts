import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import type { Instant } from '../time.ts';
import type { RunnerEvent } from './events.ts';

/** The previous token after a rotation. */
export interface FormerToken {
  /** SHA-256 of the token, hexadecimal */
  hash: string;
  /** when the token becomes invalid */
  until: Instant;
}

/** The data of a connected process. */
export interface Connection {
  release: string;
  types: readonly string[];
}

interface RunnerFields {
  id: string;
  name: string;
  /** id of the runner's region */
  region: string;
  private: boolean;
  /** open connections by instance; a connection is removed when its end is recorded */
  connections: ReadonlyMap<string, Connection>;
}

export interface LiveRunner extends RunnerFields {
  status: 'live';
  /** SHA-256 of the current token, hexadecimal */
  tokenHash: string;
  /** the previous token, if it is still valid besides the current one; otherwise null */
  former: FormerToken | null;
}

export interface RevokedRunner extends RunnerFields {
  status: 'revoked';
  /** whether the runner has released its region, so that the built-in runner can serve it */
  released: boolean;
}

export type Runner = { status: 'absent' } | LiveRunner | RevokedRunner;

export const { existing, requireAbsent, onExisting } = lifecycleOf<Runner>('runner');

/**
 * Maximum number of stored connections. There must be a limit, because the end of a connection is not always recorded.
 */
const MOST_CONNECTIONS = 100;

const connected = (
  connections: RunnerFields['connections'],
  instance: string,
  connection: Connection,
): RunnerFields['connections'] =>
  new Map(
    [...[...connections].filter(([other]) => other !== instance), [instance, connection] as const].slice(
      -MOST_CONNECTIONS,
    ),
  );

const disconnected = (connections: RunnerFields['connections'], instance: string): RunnerFields['connections'] =>
  new Map([...connections].filter(([other]) => other !== instance));

const onLive = (runner: Runner, change: (live: LiveRunner) => Runner): Runner =>
  runner.status === 'live' ? change(runner) : runner;

const evolve = (runner: Runner, event: RunnerEvent): Runner => {
  switch (event.type) {
    case 'RunnerCreated': {
      const { runner_id: id, name, region, private: isPrivate, token_hash: tokenHash } = event.data;
      return { status: 'live', id, name, region, private: isPrivate, connections: new Map(), tokenHash, former: null };
    }
    case 'RunnerRenamed':
      return onExisting(runner, (there) => ({ ...there, name: event.data.name }));
    case 'RunnerTokenRotated': {
      const { token_hash: tokenHash, former } = event.data;
      return onLive(runner, (live) => ({
        ...live,
        tokenHash,
        former: { hash: former.token_hash, until: former.until },
      }));
    }
    case 'RunnerTokenConfirmed':
      return onLive(runner, (live) => ({ ...live, former: null }));
    case 'RunnerConnected': {
      const { instance, release, types } = event.data;
      return onExisting(runner, (there) => ({
        ...there,
        connections: connected(there.connections, instance, { release, types }),
      }));
    }
    case 'RunnerDisconnected':
      return onExisting(runner, (there) => ({
        ...there,
        connections: disconnected(there.connections, event.data.instance),
      }));
    case 'RunnerRevoked':
      return onLive(runner, ({ id, name, region, private: isPrivate, connections }) => ({
        status: 'revoked',
        id,
        name,
        region,
        private: isPrivate,
        connections,
        released: false,
      }));
    case 'RunnerReleased':
      return runner.status === 'revoked' ? { ...runner, released: true } : runner;
    default:
      return unreachable(event);
  }
};

/**
 * The state of a remote runner. A remote runner is a program on another machine that runs the checks of a region, and
 * authenticates with a token.
 */
export const runnerDecider: Decider<Runner, RunnerEvent> = {
  category: 'runner',
  initialState: { status: 'absent' },
  evolve,
};
