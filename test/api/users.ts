import { randomUUID } from 'node:crypto';
import { activeUser } from '../../commands/sign-in/account.ts';
import { startSession } from '../../commands/sign-in/session-start.ts';
import { createUser } from '../../commands/organizations/users.ts';
import { organizationDecider } from '../../domain/organization/state.ts';
import { hashOfApiKey } from '../../domain/organization/api-key.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { CommandContext } from '../../commands/engine/context.ts';
import type { Service } from './service.ts';

/** A signed-in user. */
export interface SignedIn {
  userId: string;
  sessionId: string;
  /** access token, used in place of an API key */
  token: string;
  refreshToken: string;
}

/** Creates a user with a role in an organization, and a session of the user. */
export const signInAs = async (service: Service, organizationId: string, role: string): Promise<SignedIn> => {
  const { commands } = service;
  const context = service.context(organizationId, randomUUID());
  const email = `${randomUUID()}@example.com`;
  const password = `${randomUUID()} is long`;
  const userId = await commands.bind(createUser)(
    { email, role, password, first_name: 'Ann', last_name: 'Lee' },
    context,
  );
  await service.readers.waitFor(['organizations'], context);
  return storeSession(service, organizationId, userId);
};

/** Starts a further session of a user. */
export const storeSession = async (service: Service, organizationId: string, userId: string): Promise<SignedIn> => {
  const user = await service.commands.bind(activeUser)({ userId, organizationId });
  if (!user) throw new Error('There is no such user.');
  const context = service.context(organizationId, randomUUID());
  const { sessionId, access, refresh } = await service.commands.bind(startSession)(user, ['password'], context);
  return { userId, sessionId, token: access, refreshToken: refresh };
};

/** The properties of a key. */
export interface KeyInput {
  role: string;
  createdBy?: string;
  expiresAt?: string;
  allowedIps?: readonly string[];
}

const appendKey =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  (organizationId: string, key: string, made: KeyInput, context: CommandContext) =>
    handle(
      organizationId,
      organizationDecider,
      () => ({
        type: 'ApiKeyCreated' as const,
        data: {
          organization_id: organizationId,
          api_key_id: context.newId(),
          name: key,
          prefix: '',
          hash: hashOfApiKey(key),
          role: made.role,
          expires_at: made.expiresAt ?? null,
          origin: 'request' as const,
          created_by: made.createdBy ?? null,
          created_by_key: null,
          allowed_ips: [...(made.allowedIps ?? [])],
        },
      }),
      context,
    );

/** Stores a key of an organization in the log. */
export const storeKey = async (service: Service, organizationId: string, made: KeyInput): Promise<string> => {
  const context = service.context(organizationId, randomUUID());
  const key = `key ${randomUUID()}`;
  await service.commands.bind(appendKey)(organizationId, key, made, context);
  await service.readers.waitFor(['organizations'], context);
  return key;
};
