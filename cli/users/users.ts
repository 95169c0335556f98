import { highestPosition } from '../../commands/engine/appended-positions.ts';
import type { CommandContext } from '../../commands/engine/context.ts';
import { disableSecondFactor } from '../../domain/organization/second-factor.ts';
import { organizationDecider } from '../../domain/organization/state.ts';
import { invitationPath, resetPath } from '../../domain/organization/user-links.ts';
import { requestReset, setPassword } from '../../domain/organization/user-passwords.ts';
import { userKey } from '../../domain/organization/user.ts';
import { requireGoodPassword } from '../../commands/passwords.ts';
import { endSessionsOf } from '../../commands/sign-in/sessions.ts';
import { changeRole, createUser, forgetUser, inviteUser, removeUser } from '../../commands/organizations/users.ts';
import { decryptUser, type DecryptedUser } from '../../queries/organizations/users.ts';
import type { Config } from '../../service/config/config.ts';
import { commandLineContext } from '../../service/command-line.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { printable, table, type Output } from '../../service/output.ts';
import { waitUntilApplied } from '../api-keys/revocation.ts';
import { withOptionNames, noSuchOrganization, orNoSuchOrganization } from '../option-errors.ts';
import { findUserByName, withUsers, type UserCommands } from './user-commands.ts';
import { waitUntilUserIsVisible } from './visible-user.ts';

/** Returns a user as displayed. */
export const presentUser = (user: DecryptedUser) => ({
  id: user.id,
  organization_id: user.organization_id,
  email: user.email,
  email_verified: user.email_verified,
  first_name: user.first_name,
  last_name: user.last_name,
  role: user.role,
  status: user.status,
  has_second_factor: user.has_second_factor,
  last_login: user.last_login,
  created_at: user.created_at,
});

const OPTIONS = {
  email: '--email',
  role: '--role',
  first_name: '--first-name',
  last_name: '--last-name',
  password: 'The password',
};

export interface CreateOptions {
  organization: string;
  email: string;
  role: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
  json: boolean;
}

/** Returns a link with the public address. If `PUBLIC_URL` is not set, returns only the path. */
const linkOf = ({ publicUrl }: Config, path: string): string => `${publicUrl ?? ''}${path}`;

const whereLinksLead = ({ publicUrl }: Config): string =>
  publicUrl === null ? ' PUBLIC_URL is not set, so the link is only a path on this service.' : '';

/** `uptrail user create`: creates a user, who can sign in when the command has ended. */
export const runCreateUser = async (
  config: Config,
  options: CreateOptions & { password: string },
  output: Output,
): Promise<void> => {
  const { organization, email, role, firstName, lastName, password, json } = options;
  const input = { email, role, password, first_name: firstName ?? null, last_name: lastName ?? null };
  const id = await withOptionNames(OPTIONS, () =>
    withUsers(config, (here) =>
      createUser(here)(input, commandLineContext(organization)).catch(orNoSuchOrganization(organization)),
    ),
  );
  await waitUntilUserIsVisible(config, id);
  await output.line(
    json
      ? JSON.stringify({ id, organization_id: organization, email: email.trim(), role })
      : `The user ${printable(email.trim())} has the id ${id} and the role ${role}.`,
  );
};

/**
 * `uptrail user create --invite`: invites a user and prints the invitation link. If e-mail is configured, the link is
 * also sent by e-mail.
 */
export const runInviteUser = async (config: Config, options: CreateOptions, output: Output): Promise<void> => {
  const { organization, email, role, json } = options;
  const context = commandLineContext(organization);
  const { userId, path } = await withOptionNames(OPTIONS, () =>
    withUsers(config, async (here) => {
      const invitation = await inviteUser(here)({ email, role }, context).catch(orNoSuchOrganization(organization));
      const link = { organizationId: organization, ...invitation, way: 'shown' } as const;
      const mac = (kind: string, text: string) => here.keys.fingerprint(kind, text);
      return { userId: invitation.userId, path: await invitationPath(link, context.now, mac) };
    }),
  );
  const invitation_url = linkOf(config, path);
  if (json) {
    await output.line(JSON.stringify({ id: userId, organization_id: organization, role, invitation_url }));
    return;
  }
  await output.line(`The user ${printable(email.trim())} has the id ${userId}. Invitation link, valid for 7 days:`);
  await output.line(invitation_url);
  if (config.publicUrl === null) await output.line(whereLinksLead(config).trim());
};

/**
 * `uptrail user list`: lists the users of one organization, or of all organizations. The oldest user comes first.
 * Removed users are listed only with `--status`.
 */
export const runListUsers = async (
  config: Config,
  { organization, status, json }: { organization?: string | undefined; status?: string | undefined; json: boolean },
  output: Output,
): Promise<void> => {
  const users = await withUsers(config, async (here) => {
    if (organization !== undefined && !(await here.read.organizations.get(organization))) {
      throw noSuchOrganization(organization);
    }
    const where = {
      ...(organization !== undefined && { organization_id: organization }),
      status: status ?? { $in: ['invited', 'active'] },
    };
    const found = await here.read.users.find({ where, sort: { created_at: 1 } });
    return Promise.all(found.map((user) => decryptUser(here, user)));
  });
  if (json) {
    for (const user of users) await output.line(JSON.stringify(presentUser(user)));
    return;
  }
  const rows = users.map((user) => [
    user.id,
    printable(user.email),
    printable([user.first_name, user.last_name].filter((name) => name !== null).join(' ')),
    user.role,
    user.status,
    user.organization_id,
    user.has_second_factor ? 'yes' : 'no',
    user.last_login?.slice(0, 19) ?? 'never',
  ]);
  const headings = ['ID', 'E-MAIL', 'NAME', 'ROLE', 'STATUS', 'ORGANIZATION', '2ND FACTOR', 'SIGNED IN (UTC)'];
  for (const line of table(headings, rows)) await output.line(line);
};

/**
 * Changes a user, and waits until every process has applied the change.
 *
 * @throws OperatorError a process may not have applied the change
 */
const changingUser = async (
  config: Config,
  name: string,
  output: Output,
  does: (here: UserCommands, user: DecryptedUser, context: CommandContext) => Promise<string>,
): Promise<void> => {
  const { said, context } = await withUsers(config, async (here) => {
    const user = await findUserByName(here, name);
    const context = commandLineContext(user.organization_id);
    return { said: await does(here, user, context), context };
  });
  const where = await waitUntilApplied(config, highestPosition(context.appended, 'main'));
  if (where !== null) {
    throw new OperatorError(
      `${said} It may not be in effect yet: ${where}. To be sure, restart the process named here.`,
    );
  }
  await output.line(said);
};

const nameOf = (user: DecryptedUser): string => `${printable(user.email)} (${user.id})`;

/** `uptrail user set-role`: changes the role of a user. */
export const runSetRole = (config: Config, name: string, role: string, output: Output): Promise<void> =>
  withOptionNames({ role: 'The role' }, () =>
    changingUser(config, name, output, async (here, user, context) => {
      await changeRole(here)(user.id, role, context);
      return `The user ${nameOf(user)} now has the role ${role}.`;
    }),
  );

/**
 * `uptrail user remove`: removes a user, and ends the user's sessions and API keys. The name remains in the audit log.
 */
export const runRemoveUser = (config: Config, name: string, output: Output): Promise<void> =>
  changingUser(config, name, output, async (here, user, context) => {
    await removeUser(here)(user.id, context);
    return `The user ${nameOf(user)} was removed, with the API keys that the user created.`;
  });

/** `uptrail user forget`: removes a user, and makes the names and the e-mail address permanently unreadable. */
export const runForgetUser = (config: Config, name: string, output: Output): Promise<void> =>
  changingUser(config, name, output, async (here, user, context) => {
    await forgetUser(here)(user.id, context);
    return `The user ${user.id} was forgotten: names and e-mail show as [forgotten] everywhere.`;
  });

/** `uptrail user disable-second-factor`: removes the second factor of a user who has lost their device. */
export const runDisableSecondFactor = (config: Config, name: string, output: Output): Promise<void> =>
  changingUser(config, name, output, async ({ handle }, user, context) => {
    await handle(
      user.organization_id,
      organizationDecider,
      (organization) => disableSecondFactor(organization, user.id, 'operator'),
      context,
    );
    return `The user ${nameOf(user)} now signs in without a second factor.`;
  });

/** `uptrail user reset-password --password-stdin`: sets a password, and ends all sessions of the user. */
export const runSetPassword = (config: Config, name: string, password: string, output: Output): Promise<void> =>
  withOptionNames({ password: 'The password' }, () =>
    changingUser(config, name, output, async (here, user, context) => {
      const { handle, keys, passwords } = here;
      const { id, organization_id: organizationId } = user;
      await requireGoodPassword(password, 'password', user.email);
      const hashed = await passwords.hash(password);
      await handle(
        organizationId,
        organizationDecider,
        async (organization) => {
          const sealed = await keys.seal(userKey(id), hashed, { organizationId, field: 'password' });
          return setPassword(organization, id, sealed);
        },
        context,
      );
      await endSessionsOf(here)(id, organizationId, 'password_reset', context);
      return `The user ${nameOf(user)} has the new password. All sessions have ended.`;
    }),
  );

/**
 * `uptrail user reset-password`: prints a link to set a new password. The current password remains valid until the link
 * is used.
 */
export const runResetPassword = async (
  config: Config,
  name: string,
  { json }: { json: boolean },
  output: Output,
): Promise<void> => {
  const { user, path } = await withUsers(config, async (here) => {
    const user = await findUserByName(here, name);
    const { id: userId, organization_id: organizationId } = user;
    const context = commandLineContext(organizationId);
    const { events } = await here.handle(
      organizationId,
      organizationDecider,
      (organization) => requestReset(organization, userId),
      context,
    );
    const { reset } = events[0]?.data as { reset: number };
    const mac = (kind: string, text: string) => here.keys.fingerprint(kind, text);
    return { user, path: await resetPath({ organizationId, userId, reset, way: 'shown' }, context.now, mac) };
  });
  const reset_url = linkOf(config, path);
  if (json) {
    await output.line(JSON.stringify({ id: user.id, reset_url }));
    return;
  }
  await output.line(`${nameOf(user)} can set a new password with this link within an hour.${whereLinksLead(config)}`);
  await output.line(reset_url);
};
