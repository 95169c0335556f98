import type { InvitationLink, ResetLink } from '../../domain/organization/user-links.ts';
import type { Scope } from '../engine/scope.ts';
import { findLinkedUser, type LinkedUser } from './users.ts';

type LinkScope = Pick<Scope, 'read' | 'organizationId' | 'keys'>;

/**
 * The state of an invitation: `open`, `accepted` by its user, `superseded` by a newer invitation, or `gone` if its user
 * was removed.
 */
export type InvitationStatus = 'open' | 'accepted' | 'superseded' | 'gone';

/** Finds an invitation. Returns its user and its state. */
export const findInvitation = async (
  scope: LinkScope,
  { userId, invitation }: Pick<InvitationLink, 'userId' | 'invitation'>,
): Promise<{ linked: LinkedUser | null; standing: InvitationStatus }> => {
  const linked = await findLinkedUser(scope, 'invitation', userId);
  return { linked, standing: linked ? standingOf(linked, invitation) : 'gone' };
};

const standingOf = ({ user, newest }: LinkedUser, invitation: number): InvitationStatus => {
  if (user.status === 'active') return 'accepted';
  // The read model might not contain a newer invitation yet. The command that accepts the invitation checks this again.
  return newest !== null && newest > invitation ? 'superseded' : 'open';
};

/** Finds the user of a reset link. Returns null if the link is not valid. */
export const findReset = async (
  scope: LinkScope,
  { userId, reset }: Pick<ResetLink, 'userId' | 'reset'>,
): Promise<LinkedUser | null> => {
  const linked = await findLinkedUser(scope, 'reset', userId);
  // The read model might contain an earlier reset, but not this one yet. The command that sets the password checks this
  // again.
  return linked?.user.status === 'active' && linked.newest !== null && linked.newest <= reset ? linked : null;
};
