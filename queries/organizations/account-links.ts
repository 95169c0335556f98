import type { InvitationLink, ResetLink } from '../../domain/organization/user-links.ts';
import type { Scope } from '../engine/scope.ts';
import { findLinkedUser, type LinkedUser } from './users.ts';

type LinkScope = Pick<Scope, 'read' | 'organizationId' | 'keys'>;

/**
 * The state of an invitation: `open`; `accepted` by its user; `superseded` by a newer one; `gone`, because its user was
 * removed.
 */
export type InvitationStatus = 'open' | 'accepted' | 'superseded' | 'gone';

/** The user and state of an invitation in the scope's organization. */
export const findInvitation = async (
  scope: LinkScope,
  { userId, invitation }: Pick<InvitationLink, 'userId' | 'invitation'>,
): Promise<{ linked: LinkedUser | null; standing: InvitationStatus }> => {
  const linked = await findLinkedUser(scope, 'invitation', userId);
  return { linked, standing: linked ? standingOf(linked, invitation) : 'gone' };
};

const standingOf = ({ user, newest }: LinkedUser, invitation: number): InvitationStatus => {
  if (user.status === 'active') return 'accepted';
  // A read model that lags may not contain a newer invitation; the command checks again.
  return newest !== null && newest > invitation ? 'superseded' : 'open';
};

/** The user whose password a reset link of the scope's organization resets; null: the link is not valid. */
export const findReset = async (
  scope: LinkScope,
  { userId, reset }: Pick<ResetLink, 'userId' | 'reset'>,
): Promise<LinkedUser | null> => {
  const linked = await findLinkedUser(scope, 'reset', userId);
  // A read model that lags may contain only an older reset; the command checks again.
  return linked?.user.status === 'active' && linked.newest !== null && linked.newest <= reset ? linked : null;
};
