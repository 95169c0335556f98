import * as decide from '../../domain/organization/decide.ts';
import { changeCreditLimit as decideCreditLimit, type CreditUsage } from '../../domain/organization/credits.ts';
import { hashOfApiKey } from '../../domain/organization/api-key.ts';
import { wasRevoked } from '../../domain/organization/api-keys.ts';
import { organizationDecider } from '../../domain/organization/state.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

/** Creates the context's organization. @throws Conflict, Invalid */
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
  /** Credits per month. Null for as many as the plan allows. */
  limit: number | null;
  /** the usage of the current month */
  usage: CreditUsage;
}

/** Sets the monthly credit limit of the context's organization. @throws NotFound, Invalid */
export const changeCreditLimit =
  ({ handle, plans }: Pick<CommandDependencies, 'handle' | 'plans'>) =>
  async ({ limit, usage }: CreditLimitInput, context: CommandContext): Promise<void> => {
    const { organizationId } = context;
    await handle(
      organizationId,
      organizationDecider,
      (state) => decideCreditLimit(state, limit, usage, plans),
      context,
    );
  };

/**
 * Outcome of {@link bootstrapOrganization}: `made` if the key was created, `kept` if nothing changed, `revoked` if
 * `ADMIN_API_KEY` is a revoked key.
 */
export type Bootstrap = 'made' | 'kept' | 'revoked';

/** Ensures that the context's organization exists and has its admin key. Called at every start. */
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
    return state.status === 'active' && wasRevoked(state, hashOfApiKey(input.key)) ? 'revoked' : 'kept';
  };
