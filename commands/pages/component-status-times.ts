import type { Instant } from '../../domain/time.ts';
import type { CommandContext } from '../engine/context.ts';

/** Reads when statuses were set, according to the read model. */
export interface StatusTimes {
  /** Returns the most recent time at which one of these components got a status, or null. Ignores unknown ids. */
  setAt: (pageId: string, componentIds: readonly string[], context: CommandContext) => Promise<Instant | null>;
}

/**
 * Adapts the context of a command that sets component statuses. The time of the command must not be before the previous
 * change of these statuses, because a component shows the status with the latest time. Otherwise a command would have
 * no visible effect after the clock was set back.
 */
export const afterStatuses = async (
  { statusTimes }: { statusTimes: StatusTimes },
  pageId: string,
  componentIds: readonly string[],
  context: CommandContext,
): Promise<CommandContext> => {
  if (componentIds.length === 0) return context;
  const setAt = await statusTimes.setAt(pageId, componentIds, context);
  return setAt === null || setAt <= context.now ? context : { ...context, now: setAt };
};
