import { invitationPath, resetPath, INVITATION_MS, PASSWORD_RESET_MS } from '../../domain/organization/user-links.ts';
import { instantOf, millisecondsOf } from '../../domain/time.ts';
import { accountMail } from '../../messages/account/mail.ts';
import { ACCOUNT_CAUSE, accountMails, type AccountMailDocument } from '../../projections/account-mails/projection.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import type { UserDocument } from '../../projections/organizations/documents.ts';
import { readableText } from '../../stores/keys/port.ts';
import { causesIn, type CauseContext, type CauseKind, type Composed, type CauseHandlers } from './cause.ts';

const WORKS_FOR = { invitation: INVITATION_MS, reset: PASSWORD_RESET_MS };

/** Sends users their invitation and password reset links. */
export const account: CauseKind<AccountMailDocument> = {
  kind: ACCOUNT_CAUSE,
  list: causesIn(accountMails, 'account_mails'),
  // A user who was invited before this reactor was first active is still waiting for the link.
  countsEarlier: true,
  bind: (context) => createAccountHandlers(context),
};

const createAccountHandlers = (context: CauseContext): CauseHandlers<AccountMailDocument> => {
  const { read, readAfter, keys } = context;
  /** Returns the recipient of the link. Null if the link is no longer valid. */
  const userOf = async (item: AccountMailDocument): Promise<UserDocument | null> => {
    const user = await readAfter(item.changed_position)(organizations).users.get(item.user_id);
    return user?.status === (item.what === 'invitation' ? 'invited' : 'active') ? user : null;
  };
  return {
    receivers: async (item, after) => {
      // If the service cannot send e-mails, the inviting user receives the link instead.
      if (after !== null || !context.mails || !(await userOf(item))) return [];
      // All e-mails share one target, because they go to the same relay, whose notifier has its own rate limit.
      const target = await keys.fingerprint('delivery target', 'accounts by e-mail');
      return [{ id: item.id, notifier: 'email', target }];
    },
    compose: async ({ cause, receiver_id }) => {
      const item = await read(accountMails).account_mails.get(receiver_id);
      // A newer invitation or reset was requested after this one, and has its own message.
      if (item?.cause.id !== cause.id) return null;
      const user = await userOf(item);
      return user && composed(item, user, context);
    },
  };
};

/**
 * Composes the message with its link. The link is created here and is not stored. Returns null if the link has expired,
 * or if the user or the organization no longer exists.
 */
const composed = async (
  { what, number, caused_at, organization_id: organizationId, user_id: userId }: AccountMailDocument,
  user: UserDocument,
  { read, keys, publicUrl, clock }: CauseContext,
): Promise<Composed | null> => {
  const until = millisecondsOf(caused_at) + WORKS_FOR[what];
  const organization = await read(organizations).organizations.get(organizationId);
  const address = await readableText(user.email, { organizationId, field: 'email' }, keys);
  if (publicUrl === null || !organization || address === undefined || until <= clock()) return null;
  const mac = (kind: string, text: string): Promise<string> => keys.fingerprint(kind, text);
  const link = { organizationId, userId, way: 'mailed' } as const;
  const path =
    what === 'invitation'
      ? await invitationPath({ ...link, invitation: number }, caused_at, mac)
      : await resetPath({ ...link, reset: number }, caused_at, mac);
  const { subject, text, html } = accountMail({
    what,
    organization: organization.name,
    role: user.role,
    link: `${publicUrl}${path}`,
    until: instantOf(until),
  });
  return {
    settings: { address },
    message: {
      event: what === 'invitation' ? 'user.invited' : 'user.password_reset',
      subject,
      text,
      data: {},
      mail: {
        html,
        thread: null,
        sender: { name: organization.name, from: null, replyTo: null },
        unsubscribeUrl: null,
      },
    },
  };
};
