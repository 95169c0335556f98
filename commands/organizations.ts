import { randomBytes } from 'node:crypto';
import * as decide from '../domain/organization/decide.ts';
import { changeCreditLimit as decideCreditLimit, type Usage } from '../domain/organization/credits.ts';
import { hashOfApiKey } from '../domain/organization/api-key.ts';
import { organizationDecider, type Organization } from '../domain/organization/state.ts';
import type { Instant } from '../domain/time.ts';
import type { CommandContext } from './context.ts';
import type { CommandDependencies } from './dependencies.ts';

/** An API key that nobody can guess: `upt_` and 256 random bits, in characters that need no quoting. */
export const randomApiKey = (): string => `upt_${randomBytes(32).toString('base64url')}`;

/** Creates the organization that the context names. @throws Conflict, Invalid */
export const createOrganization =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (input: { name: string }, context: CommandContext): Promise<void> => {
    const id = context.organizationId;
    await handle(
      id,
      organizationDecider,
      (state) => decide.createOrganization(state, { id, name: input.name }),
      context,
    );
  };

export interface CreditLimitInput {
  /** credits in a month; null: no limit */
  limit: number | null;
  /** what has been used in the present month */
  usage: Usage;
}

/** Sets what the context's organization may use in a month. @throws NotFound, Invalid */
export const changeCreditLimit =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async ({ limit, usage }: CreditLimitInput, context: CommandContext): Promise<void> => {
    const { organizationId } = context;
    await handle(organizationId, organizationDecider, (state) => decideCreditLimit(state, limit, usage), context);
  };

export interface ApiKeyInput {
  name: string;
  role: string;
  expires_at: Instant | null;
  /** the key itself, as {@link randomApiKey} makes it or the operator chose it */
  key: string;
}

/** Adds an API key to the context's organization. @returns the key's id @throws NotFound, Conflict, Invalid */
export const createApiKey =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (input: ApiKeyInput, context: CommandContext): Promise<string> => {
    const id = context.newId();
    const { name, role, key, expires_at: expiresAt } = input;
    await handle(
      context.organizationId,
      organizationDecider,
      (state) => decide.createApiKey(state, { id, name, role, key, expiresAt, origin: 'request' }, context.now),
      context,
    );
    return id;
  };

/** Revokes an API key of the context's organization. @throws NotFound, Conflict */
export const revokeApiKey =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (keyId: string, context: CommandContext): Promise<void> => {
    await handle(
      context.organizationId,
      organizationDecider,
      (state) => decide.revokeApiKey(state, keyId, context.now),
      context,
    );
  };

/** `made`: the key is new; `kept`: nothing was to do; `revoked`: `ADMIN_API_KEY` was revoked before. */
export type Bootstrap = 'made' | 'kept' | 'revoked';

/** Makes sure, at every start, that the context's organization exists and has its admin key. */
export const bootstrapOrganization =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (
    input: { name: string; key: string; origin: decide.FirstKey['origin'] },
    context: CommandContext,
  ): Promise<Bootstrap> => {
    const key = { id: context.newId(), key: input.key, origin: input.origin };
    const first = { id: context.organizationId, name: input.name, key };
    const { state, events } = await handle(
      context.organizationId,
      organizationDecider,
      (organization) => decide.bootstrapOrganization(organization, first, context.now),
      context,
    );
    if (events.length > 0) return 'made';
    return wasRevoked(state, input.key) ? 'revoked' : 'kept';
  };

const wasRevoked = (organization: Organization, key: string): boolean => {
  const hash = hashOfApiKey(key);
  return organization.status === 'active' && organization.apiKeys.some((known) => known.hash === hash && known.revoked);
};
