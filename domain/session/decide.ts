import { Conflict } from '../errors.ts';
import type { Instant } from '../time.ts';
import type { SessionEvent } from './events.ts';
import type { Session } from './state.ts';

export interface NewSession {
  id: string;
  organizationId: string;
  userId: string;
  /** methods with which the user authenticated, in order */
  methods: readonly string[];
  expiresAt: Instant;
}

/** @throws Conflict the session already exists */
export const startSession = (session: Session, input: NewSession): SessionEvent => {
  if (session.status !== 'absent') throw new Conflict('The session already exists.');
  const { id, organizationId, userId, methods, expiresAt } = input;
  return {
    type: 'SessionStarted',
    data: {
      session_id: id,
      organization_id: organizationId,
      user_id: userId,
      methods: [...methods],
      expires_at: expiresAt,
    },
  };
};

/** The reasons why a session is ended before it expires. */
export type EndReason =
  'signed_out' | 'ended' | 'token_reused' | 'password_changed' | 'password_reset' | 'user_removed';

/** Ends a session. Returns no event if the session has already ended. */
export const endSession = (session: Session, reason: EndReason): SessionEvent[] =>
  session.status === 'started'
    ? [
        {
          type: 'SessionEnded',
          data: {
            session_id: session.id,
            organization_id: session.organizationId,
            user_id: session.userId,
            reason,
          },
        },
      ]
    : [];
