import { IllegalState, NotFound } from '../errors.ts';
import { checkedName } from '../organization/name.ts';
import { instantOf, millisecondsOf, type Instant } from '../time.ts';
import type { RunnerEvent } from './events.ts';
import { existing, requireAbsent, type LiveRunner, type Runner } from './state.ts';

/** How long a former token works after a rotation if the new one is never used, milliseconds. */
export const ROTATION_MS = 24 * 3_600_000;

/** Runners of an organization that are not revoked. */
export const MOST_RUNNERS = 50;

export interface NewRunner {
  id: string;
  name: string;
  /** id of its region */
  region: string;
  /** whether the region is a private location */
  private: boolean;
  /** SHA-256 of its token, hexadecimal */
  tokenHash: string;
}

/** How a connection ended. */
export type Ending = Extract<RunnerEvent, { type: 'RunnerDisconnected' }>['data']['reason'];

/** @throws Conflict, Invalid */
export const createRunner = (
  runner: Runner,
  { id, name, region, private: isPrivate, tokenHash }: NewRunner,
): RunnerEvent => {
  requireAbsent(runner);
  return {
    type: 'RunnerCreated',
    data: { runner_id: id, name: checkedName(name), region, private: isPrivate, token_hash: tokenHash },
  };
};

/** For those who change a runner, one that is revoked no longer exists. @throws NotFound */
const live = (runner: Runner): LiveRunner => {
  const there = existing(runner);
  if (there.status === 'revoked') throw new NotFound('This runner is revoked. Create another one.');
  return there;
};

/** @throws NotFound, Invalid */
export const renameRunner = (runner: Runner, to: string): RunnerEvent[] => {
  const { id, name: former } = live(runner);
  const name = checkedName(to);
  return name === former ? [] : [{ type: 'RunnerRenamed', data: { runner_id: id, name, previous: { name: former } } }];
};

/**
 * Gives a runner a new token. The token that its processes use works until the new one is used, and no longer than
 * {@link ROTATION_MS}. That is not the token of a rotation before, if that was not used yet.
 *
 * @throws NotFound it does not exist, or is revoked
 */
export const rotateToken = (runner: Runner, tokenHash: string, now: Instant): RunnerEvent => {
  const { id, tokenHash: current, former } = live(runner);
  const used = former !== null && now < former.until ? former.hash : current;
  const until = instantOf(millisecondsOf(now) + ROTATION_MS);
  return {
    type: 'RunnerTokenRotated',
    data: { runner_id: id, token_hash: tokenHash, former: { token_hash: used, until } },
  };
};

/** Notes that a token is in use: if it is the current one, the one before is void from now on. @throws NotFound */
export const confirmToken = (runner: Runner, tokenHash: string): RunnerEvent[] => {
  const there = existing(runner);
  const confirms = there.status === 'live' && there.former !== null && there.tokenHash === tokenHash;
  return confirms ? [{ type: 'RunnerTokenConfirmed', data: { runner_id: there.id } }] : [];
};

/** What a process says when it connects. */
export interface Connecting {
  instance: string;
  release: string;
  types: readonly string[];
}

/** Notes that a process is connected; nothing if that is known. @throws NotFound it does not exist, or is revoked */
export const connect = (runner: Runner, { instance, release, types }: Connecting): RunnerEvent[] => {
  const { id, connections } = live(runner);
  const known = connections.get(instance);
  const sorted = [...new Set(types)].sort();
  if (known?.release === release && known.types.join() === sorted.join()) return [];
  return [{ type: 'RunnerConnected', data: { runner_id: id, instance, release, types: sorted } }];
};

/** Notes that a process is no longer connected; nothing if that is known. @throws NotFound */
export const disconnect = (runner: Runner, instance: string, reason: Ending): RunnerEvent[] => {
  const { id, connections } = existing(runner);
  return connections.has(instance) ? [{ type: 'RunnerDisconnected', data: { runner_id: id, instance, reason } }] : [];
};

/** Makes the tokens of a runner void, for good. @throws NotFound it does not exist, or is revoked */
export const revokeRunner = (runner: Runner): RunnerEvent => ({
  type: 'RunnerRevoked',
  data: { runner_id: live(runner).id },
});

/**
 * Lets the built-in runner have the region, as far as it depends on this runner.
 *
 * @throws NotFound
 * @throws IllegalState it is not revoked
 */
export const releaseRunner = (runner: Runner): RunnerEvent[] => {
  const there = existing(runner);
  if (there.status === 'live') {
    throw new IllegalState(`The runner "${there.name}" (${there.id}) is not revoked: it serves ${there.region}.`);
  }
  return there.released ? [] : [{ type: 'RunnerReleased', data: { runner_id: there.id } }];
};
