import { checkDecider, isLive } from '../domain/check/state.ts';
import { NotFound } from '../domain/errors.ts';
import type { CommandContext } from './context.ts';
import type { CommandDependencies } from './dependencies.ts';

/** Whether the caller's organization has a check, as its stream says now: only such a one can be named. */
export const isOwnCheck = async (
  { handle }: Pick<CommandDependencies, 'handle'>,
  checkId: string,
  context: Pick<CommandContext, 'organizationId'>,
): Promise<boolean> => {
  try {
    return isLive(await handle.load(checkId, checkDecider, context));
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
};
