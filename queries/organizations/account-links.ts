import type { InvitationLink, ResetLink } from '../../domain/organization/user-links.ts';
import type { Scope } from '../engine/scope.ts';
import { linkedUser, type LinkedUser } from './users.ts';

type Looking = Pick<Scope, 'read' | 'organizationId' | 'keys'>;

/**
 * How an invitation stands: `open`; `accepted` by its user; `superseded` by a later one; `gone`, since its user was
 * removed.
 */
export type InvitationStanding = 'open' | 'accepted' | 'superseded' | 'gone';

/** Whom an invitation of the scope's organization is for, and how it stands. */
export const findInvitation = async (
  scope: Looking,
  { userId, invitation }: Pick<InvitationLink, 'userId' | 'invitation'>,
): Promise<{ linked: LinkedUser | null; standing: InvitationStanding }> => {
  const linked = await linkedUser(scope, 'invitation', userId);
  return { linked, standing: linked ? standingOf(linked, invitation) : 'gone' };
};

const standingOf = ({ user, newest }: LinkedUser, invitation: number): InvitationStanding => {
  if (user.status === 'active') return 'accepted';
  // A read model that is late knows of no newer one: the command knows.
  return newest !== null && newest > invitation ? 'superseded' : 'open';
};

/** Whose password a link of the scope's organization resets; null: it opens nothing any more. */
export const findReset = async (
  scope: Looking,
  { userId, reset }: Pick<ResetLink, 'userId' | 'reset'>,
): Promise<LinkedUser | null> => {
  const linked = await linkedUser(scope, 'reset', userId);
  // A read model that is late knows of an older one: the command knows.
  return linked?.user.status === 'active' && linked.newest !== null && linked.newest <= reset ? linked : null;
};
