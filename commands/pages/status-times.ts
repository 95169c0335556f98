import type { Instant } from '../../domain/time.ts';
import type { CommandContext } from '../engine/context.ts';

/** When statuses were last set, as readers see them. */
export interface StatusTimes {
  /**
   * When a status of one of these components of a page was last set; null: of none. Ids of no component there are
   * ignored.
   */
  setAt: (pageId: string, componentIds: readonly string[], context: CommandContext) => Promise<Instant | null>;
}

/**
 * The context of a command that may set statuses of components: its time is never before the last change of these
 * statuses. A component shows the status with the latest time, so a write after the clock was set back would
 * otherwise have no effect.
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
