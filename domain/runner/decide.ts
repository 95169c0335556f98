import { IllegalState, NotFound } from '../errors.ts';
import { requireOrganizationName } from '../organization/name.ts';
import { DAY_MS, later, type Instant } from '../time.ts';
import type { RunnerEvent } from './events.ts';
import { existing, requireAbsent, type LiveRunner, type Runner } from './state.ts';

/**
 * Maximum time for which the previous token remains valid after a rotation, in milliseconds. It becomes invalid earlier
 * if the new token is used.
 */
export const ROTATION_MS = DAY_MS;
/** Maximum number of active runners per organization. */
export const MAX_RUNNERS = 50;

export interface NewRunner {
  id: string;
  name: string;
  /** id of the runner's region */
  region: string;
  /** whether the region is a private location */
  private: boolean;
  /** SHA-256 of the runner's token, hexadecimal */
  tokenHash: string;
}

/** The ways in which a connection can end. */
export type ConnectionEnd = Extract<RunnerEvent, { type: 'RunnerDisconnected' }>['data']['reason'];

/** @throws Conflict, Invalid */
export const createRunner = (
  runner: Runner,
  { id, name, region, private: isPrivate, tokenHash }: NewRunner,
): RunnerEvent => {
  requireAbsent(runner);
  return {
    type: 'RunnerCreated',
    data: { runner_id: id, name: requireOrganizationName(name), region, private: isPrivate, token_hash: tokenHash },
  };
};

/** Returns a runner that is not revoked. Commands treat a revoked runner as not found. @throws NotFound */
const live = (runner: Runner): LiveRunner => {
  const there = existing(runner);
  if (there.status === 'revoked') throw new NotFound('This runner is revoked. Create another one.');
  return there;
};

/** @throws NotFound, Invalid */
export const renameRunner = (runner: Runner, to: string): RunnerEvent[] => {
  const { id, name: former } = live(runner);
  const name = requireOrganizationName(to);
  return name === former ? [] : [{ type: 'RunnerRenamed', data: { runner_id: id, name, previous: { name: former } } }];
};

/**
 * Issues a new token for a runner. The token in use remains valid until the new token is used, for at most {@link
 * ROTATION_MS}. If the token from the previous rotation was never used, the new token replaces it, and the token in use
 * does not change.
 *
 * @throws NotFound the runner does not exist, or is revoked
 */
export const rotateToken = (runner: Runner, tokenHash: string, now: Instant): RunnerEvent => {
  const { id, tokenHash: current, former } = live(runner);
  const used = former !== null && now < former.until ? former.hash : current;
  const until = later(now, ROTATION_MS);
  return {
    type: 'RunnerTokenRotated',
    data: { runner_id: id, token_hash: tokenHash, former: { token_hash: used, until } },
  };
};

/** Records the first use of the current token. From then on, the previous token is invalid. @throws NotFound */
export const confirmToken = (runner: Runner, tokenHash: string): RunnerEvent[] => {
  const there = existing(runner);
  const confirms = there.status === 'live' && there.former !== null && there.tokenHash === tokenHash;
  return confirms ? [{ type: 'RunnerTokenConfirmed', data: { runner_id: there.id } }] : [];
};

/** The data that a process sends when it connects. */
export interface ConnectingProcess {
  instance: string;
  release: string;
  types: readonly string[];
}

/**
 * Records that a process is connected. Returns no event if this is already recorded.
 *
 * @throws NotFound the runner does not exist, or is revoked
 */
export const connect = (runner: Runner, { instance, release, types }: ConnectingProcess): RunnerEvent[] => {
  const { id, connections } = live(runner);
  const known = connections.get(instance);
  const sorted = [...new Set(types)].sort();
  if (known?.release === release && known.types.join() === sorted.join()) return [];
  return [{ type: 'RunnerConnected', data: { runner_id: id, instance, release, types: sorted } }];
};

/** Records that a process is no longer connected. Returns no event if this is already recorded. @throws NotFound */
export const disconnect = (runner: Runner, instance: string, reason: ConnectionEnd): RunnerEvent[] => {
  const { id, connections } = existing(runner);
  return connections.has(instance) ? [{ type: 'RunnerDisconnected', data: { runner_id: id, instance, reason } }] : [];
};

/** Revokes a runner and its tokens permanently. @throws NotFound the runner does not exist, or is already revoked */
export const revokeRunner = (runner: Runner): RunnerEvent => ({
  type: 'RunnerRevoked',
  data: { runner_id: live(runner).id },
});

/**
 * Releases the region of a revoked runner. When all runners of the region are released, the built-in runner serves the
 * region.
 *
 * @throws NotFound
 * @throws IllegalState the runner is not revoked
 */
export const releaseRunner = (runner: Runner): RunnerEvent[] => {
  const there = existing(runner);
  if (there.status === 'live') {
    throw new IllegalState(
      `The runner "${there.name}" (${there.id}) is not revoked and serves ${there.region}. Revoke it first.`,
    );
  }
  return there.released ? [] : [{ type: 'RunnerReleased', data: { runner_id: there.id } }];
};
