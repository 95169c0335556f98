import type { EventOf } from '../../../domain/event-types.ts';

/** Events of one runner, for tests. */
export const RUNNER = 'runner000001';
export const TOKEN_HASH = 'a'.repeat(64);
export const NEXT_HASH = 'b'.repeat(64);
export const THIRD_HASH = 'c'.repeat(64);

export const runnerCreated = (fields: Partial<EventOf<'RunnerCreated'>['data']> = {}): EventOf<'RunnerCreated'> => ({
  type: 'RunnerCreated',
  data: {
    runner_id: RUNNER,
    name: 'Office',
    region: `private-${RUNNER}`,
    private: true,
    token_hash: TOKEN_HASH,
    ...fields,
  },
});

export const runnerRenamed = (name: string, previous = 'Office'): EventOf<'RunnerRenamed'> => ({
  type: 'RunnerRenamed',
  data: { runner_id: RUNNER, name, previous: { name: previous } },
});

export const tokenRotated = (
  until: string,
  token_hash = NEXT_HASH,
  former = TOKEN_HASH,
): EventOf<'RunnerTokenRotated'> => ({
  type: 'RunnerTokenRotated',
  data: { runner_id: RUNNER, token_hash, former: { token_hash: former, until } },
});

export const tokenConfirmed: EventOf<'RunnerTokenConfirmed'> = {
  type: 'RunnerTokenConfirmed',
  data: { runner_id: RUNNER },
};

export const runnerConnected = (
  instance = 'one',
  fields: Partial<EventOf<'RunnerConnected'>['data']> = {},
): EventOf<'RunnerConnected'> => ({
  type: 'RunnerConnected',
  data: { runner_id: RUNNER, instance, release: '0.1.0', types: ['tcp', 'web'], ...fields },
});

export const runnerDisconnected = (
  instance = 'one',
  reason: EventOf<'RunnerDisconnected'>['data']['reason'] = 'stopped',
): EventOf<'RunnerDisconnected'> => ({ type: 'RunnerDisconnected', data: { runner_id: RUNNER, instance, reason } });

export const runnerRevoked: EventOf<'RunnerRevoked'> = { type: 'RunnerRevoked', data: { runner_id: RUNNER } };
export const runnerReleased: EventOf<'RunnerReleased'> = { type: 'RunnerReleased', data: { runner_id: RUNNER } };
