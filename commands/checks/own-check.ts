import { checkDecider, isLive } from '../../domain/check/state.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { findOwn } from '../engine/organization-stream.ts';

/** Tests whether a check belongs to the caller's organization, according to the check's stream. */
export const isCheckOfOrganization = async (
  dependencies: Pick<CommandDependencies, 'handle'>,
  checkId: string,
  context: Pick<CommandContext, 'organizationId'>,
): Promise<boolean> => {
  const check = await findOwn(dependencies, checkId, checkDecider, context);
  return check !== null && isLive(check);
};
