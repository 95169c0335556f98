import type { Decider } from '../decider.ts';
import type { SessionEvent, SignInEvent } from './events.ts';

/**
 * The state of a session of a user, as recorded by events. Only the port `Coordination` knows whether a session has
 * expired.
 */
export type Session =
  { status: 'absent' } | { status: 'started' | 'ended'; id: string; organizationId: string; userId: string };

export const sessionDecider: Decider<Session, SessionEvent> = {
  category: 'session',
  initialState: { status: 'absent' },
  evolve: (_, { type, data: { session_id: id, organization_id: organizationId, user_id: userId } }) => ({
    status: type === 'SessionStarted' ? 'started' : 'ended',
    id,
    organizationId,
    userId,
  }),
};

/** Failed sign-ins of a user. No decision depends on them, so there is no state. */
export const signInDecider: Decider<null, SignInEvent> = {
  category: 'sign_in',
  initialState: null,
  evolve: () => null,
};
