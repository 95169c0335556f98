import { checkDecider, isLive } from '../../domain/check/state.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { findOwn } from '../engine/find-own.ts';

/** Whether the caller's organization has a check, as its stream says now: only such a one can be named. */
export const isOwnCheck = async (
  dependencies: Pick<CommandDependencies, 'handle'>,
  checkId: string,
  context: Pick<CommandContext, 'organizationId'>,
): Promise<boolean> => {
  const check = await findOwn(dependencies, checkId, checkDecider, context);
  return check !== null && isLive(check);
};
