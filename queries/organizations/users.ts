import { notFound } from '../../domain/existence.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { accountMailId, accountMails } from '../../projections/account-mails/projection.ts';
import type { UserDocument } from '../../projections/organizations/documents.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import { openText, type Keys } from '../../stores/keys/port.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import type { ReadScope, Scope } from '../engine/scope.ts';

/** A user with decrypted personal data. If the user was forgotten, the e-mail is `[forgotten]`. */
export interface DecryptedUser extends Omit<UserDocument, 'email' | 'first_name' | 'last_name'> {
  email: string;
  first_name: string | null;
  last_name: string | null;
  /** whether the user has signed in at most once */
  is_first_login: boolean;
}

/** Decrypts the personal data of a user. */
export const decryptUser = async (
  { keys }: { keys: Pick<Keys, 'open'> },
  user: UserDocument,
): Promise<DecryptedUser> => {
  const { organization_id: organizationId } = user;
  const open = async (field: string, text: Sealed): Promise<string> => openText(text, { organizationId, field }, keys);
  const [email, first_name, last_name] = await Promise.all([
    open('email', user.email),
    user.first_name && open('first_name', user.first_name),
    user.last_name && open('last_name', user.last_name),
  ]);
  return { ...user, email, first_name, last_name, is_first_login: user.sign_ins <= 1 };
};

/**
 * Finds the user of any organization, invited or active, whose e-mail address has this fingerprint. Returns null if
 * there is no such user.
 */
export const findByEmail = async (
  users: Pick<CollectionReader<UserDocument>, 'find'>,
  emailKey: string,
): Promise<UserDocument | null> => {
  const found = await users.find({ where: { email_key: emailKey } });
  return found.find(({ status }) => status !== 'disabled') ?? null;
};

/** Tests whether any user can sign in. @param organizationId organization of the user, or null for any organization */
export const hasActiveUser = async (
  { read }: Pick<ReadScope, 'read'>,
  organizationId: string | null,
): Promise<boolean> => {
  const where = { status: 'active', ...(organizationId !== null && { organization_id: organizationId }) };
  return (await read(organizations).users.find({ where, limit: 1 })).length > 0;
};

/** Finds a user of the organization who was not removed. @throws NotFound */
export const findUser = async ({ read, organizationId }: ReadScope, id: string): Promise<UserDocument> => {
  const user = await read(organizations).users.get(id);
  if (user?.organization_id !== organizationId || user.status === 'disabled') throw notFound('user');
  return user;
};

/** Lists the users of the organization, newest first. By default, removed users are not included. */
export const listUsers = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'keys'>,
  { status = ['invited', 'active'] }: { status?: readonly UserDocument['status'][] },
): Promise<DecryptedUser[]> => {
  const { users } = scope.read(organizations);
  const found = await users.find({
    where: { organization_id: scope.organizationId, status: { $in: status } },
    sort: { created_at: -1 },
  });
  return Promise.all(found.map((user) => decryptUser(scope, user)));
};

/** The user of an account link, as shown to the visitor who follows the link. */
export interface LinkedUser {
  user: UserDocument;
  email: string;
  /** name of the organization */
  organization: string;
  /** Number of the newest invitation, or of the newest unused password reset. Null if the user has neither. */
  newest: number | null;
}

/** Finds the user of an account link. Returns null if the user was removed. */
export const findLinkedUser = async (
  { read, organizationId, keys }: Pick<Scope, 'read' | 'organizationId' | 'keys'>,
  what: 'invitation' | 'reset',
  userId: string,
): Promise<LinkedUser | null> => {
  const { users, organizations: all } = read(organizations);
  const [user, organization, mail] = await Promise.all([
    users.get(userId),
    all.get(organizationId),
    read(accountMails).account_mails.get(accountMailId(what, userId)),
  ]);
  if (!organization || user?.organization_id !== organizationId || user.status === 'disabled') return null;
  const email = await openText(user.email, { organizationId, field: 'email' }, keys);
  return { user, email, organization: organization.name, newest: mail?.number ?? null };
};
