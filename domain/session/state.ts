import type { Decider } from '../decider.ts';
import type { SessionEvent, SignInEvent } from './events.ts';

/** A session of a user: whether it goes on is for `Coordination` to say, unless it was ended. */
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

/** Failed sign-ins of a user; nothing is decided by earlier ones. */
export const signInDecider: Decider<null, SignInEvent> = {
  category: 'sign_in',
  initialState: null,
  evolve: () => null,
};
