import type { CommandContext } from '../../../commands/engine/context.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { namedComponents, statusesSetAt } from '../../../queries/pages/components.ts';
import type { Scope } from '../../../queries/engine/scope.ts';

/**
 * The context of a request that may set statuses of components: its time is never before the last change of these
 * statuses. A component shows the status with the latest time, so a write after the clock was set back would
 * otherwise have no effect.
 */
export const afterStatusOf = (
  found: readonly Pick<ComponentDocument, 'status_set'>[],
  context: CommandContext,
): CommandContext => {
  const setAt = statusesSetAt(found);
  return setAt === null || setAt <= context.now ? context : { ...context, now: setAt };
};

/** The same for components of a page by their ids; ids of no component are ignored. */
export const afterStatusOfNamed = async (
  scope: Pick<Scope, 'read'>,
  pageId: string,
  ids: readonly string[],
  context: CommandContext,
): Promise<CommandContext> => afterStatusOf([...(await namedComponents(scope, pageId, ids)).values()], context);
