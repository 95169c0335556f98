import type { Instant } from '../../domain/time.ts';
import type { CommandContext } from '../engine/context.ts';

/** The times at which statuses were last set, according to the read model. */
export interface StatusTimes {
  /**
   * When the status of any of these components was last set; null if never. Unknown ids are ignored.
   */
  setAt: (pageId: string, componentIds: readonly string[], context: CommandContext) => Promise<Instant | null>;
}

/**
 * The context of a command that may set component statuses. Its time is not before the last change of these statuses.
 * Since a component shows the status with the latest time, a write after the clock was set back would otherwise have
 * no effect.
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
