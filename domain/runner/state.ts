import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../lifecycle.ts';
import type { Instant } from '../time.ts';
import type { RunnerEvent } from './events.ts';

/** A token that a rotation has replaced. */
export interface FormerToken {
  /** SHA-256, hexadecimal */
  hash: string;
  /** from this moment on it is refused */
  until: Instant;
}

/** What a process said when it connected. */
export interface Connection {
  release: string;
  types: readonly string[];
}

interface Known {
  id: string;
  name: string;
  /** id of its region */
  region: string;
  private: boolean;
  /** connections that are not known to have ended, by instance */
  connections: ReadonlyMap<string, Connection>;
}

export interface LiveRunner extends Known {
  status: 'live';
  /** SHA-256 of the current token, hexadecimal */
  tokenHash: string;
  /** null: the current token is the only one */
  former: FormerToken | null;
}

export interface RevokedRunner extends Known {
  status: 'revoked';
  /** whether its region went back to the built-in runner, as far as it depends on this runner */
  released: boolean;
}

export type Runner = { status: 'absent' } | LiveRunner | RevokedRunner;

export const { existing, requireAbsent, onExisting } = lifecycleOf<Runner>('runner');

/** Connections that are kept; the end of one that failed unseen was never recorded. */
const MOST_CONNECTIONS = 100;

const connected = (connections: Known['connections'], instance: string, connection: Connection): Known['connections'] =>
  new Map(
    [...[...connections].filter(([other]) => other !== instance), [instance, connection] as const].slice(
      -MOST_CONNECTIONS,
    ),
  );

const disconnected = (connections: Known['connections'], instance: string): Known['connections'] =>
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

/** A program elsewhere that runs the checks of a region, and proves by its token that it may. */
export const runnerDecider: Decider<Runner, RunnerEvent> = {
  category: 'runner',
  initialState: { status: 'absent' },
  evolve,
};
