import { createHash } from 'node:crypto';
import { NotSignedIn } from '../../domain/errors.ts';
import type { Actor } from '../../domain/event.ts';
import { organizationDecider } from '../../domain/organization/state.ts';
import type { User } from '../../domain/organization/user.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { readableText } from '../../stores/keys/port.ts';
import { commandContext, type CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

/** The client that sends a request to sign in. */
export interface Origin {
  /** the client's IPv4 address, or the network of an IPv6 address */
  network: string;
  /** Seals the client address and the user agent for the organization of the user. */
  client: (who: { actor: Actor; organizationId: string }) => Promise<{ clientAddress?: Sealed; userAgent?: Sealed }>;
}

/** A user who can sign in, according to the organization's stream. */
export interface ActiveUser extends User {
  status: 'active';
  password: Sealed;
  organizationId: string;
}

/** An account according to a read model, which can lag behind. */
export interface Account {
  userId: string;
  organizationId: string;
}

/** Loads the user of an account. Returns null if the user can't sign in. */
export const activeUser =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async ({ userId, organizationId }: Account): Promise<ActiveUser | null> => {
    const organization = await handle.load(organizationId, organizationDecider, { organizationId });
    const user = organization.status === 'active' ? organization.users.find(({ id }) => id === userId) : undefined;
    if (user?.status !== 'active' || user.password === null) return null;
    return { ...user, status: 'active', password: user.password, organizationId };
  };

/** Decrypts the PHC string of a user's password. Returns null if it can no longer be decrypted. */
export const phcOf =
  ({ keys }: Pick<CommandDependencies, 'keys'>) =>
  async ({ password, organizationId }: ActiveUser): Promise<string | null> =>
    (await readableText(password, { organizationId, field: 'password' }, keys)) ?? null;

/** Decrypts the e-mail address of a user. Returns null if it can no longer be decrypted. */
export const emailOf =
  ({ keys }: Pick<CommandDependencies, 'keys'>) =>
  async ({ email, organizationId }: ActiveUser): Promise<string | null> =>
    (email && (await readableText(email, { organizationId, field: 'email' }, keys))) ?? null;

/**
 * Derives a short hash that identifies the current password of a user. Sessions and challenges store this hash, so that
 * they become invalid when the password changes.
 */
export const passwordMark = ({ password }: Pick<ActiveUser, 'password'>): string =>
  createHash('sha256').update(password.sealed).digest('hex').slice(0, 16);

export const actorOf = ({ id, role }: Pick<User, 'id' | 'role'>): Actor => ({ kind: 'user', id, role });

/** Creates the context of a command by a visitor who has just authenticated as a user. */
export const asUser = async (
  user: Pick<ActiveUser, 'id' | 'role' | 'organizationId'>,
  { client }: Pick<Origin, 'client'>,
  context: CommandContext,
): Promise<CommandContext> => {
  const { organizationId } = user;
  const actor = actorOf(user);
  return commandContext({ ...context, actor, organizationId, ...(await client({ actor, organizationId })) });
};

/** Creates the error of a refused sign-in. It does not reveal which of the values was wrong. */
export const signInRefused = (what: 'sign-in' | 'code' | 'token'): NotSignedIn =>
  new NotSignedIn(
    {
      'sign-in': 'The e-mail or the password is wrong.',
      code: 'The code is wrong or has expired. If this happens again, sign in again.',
      token: 'The token is unknown or has expired. Please sign in again.',
    }[what],
  );
