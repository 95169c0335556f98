import type { CommandContext } from '../../../commands/context.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { namedComponents } from '../../../queries/components.ts';
import type { Scope } from '../../../queries/scope.ts';

/** Characters of an instant. */
const INSTANT = 26;

const setAt = ({ status_set }: Pick<ComponentDocument, 'status_set'>): Instant => status_set.moment.slice(0, INSTANT);

/**
 * The context of a request that may set statuses of components: its time is never before the last change of these
 * statuses. A component shows the status with the latest time, so a write after the clock was set back would
 * otherwise have no effect.
 */
export const afterStatusOf = (
  found: readonly Pick<ComponentDocument, 'status_set'>[],
  context: CommandContext,
): CommandContext => {
  const now = found.map(setAt).reduce((latest, at) => (at > latest ? at : latest), context.now);
  return now === context.now ? context : { ...context, now };
};

/** The same for components of a page by their ids; ids of no component are ignored. */
export const afterStatusOfNamed = async (
  scope: Pick<Scope, 'read'>,
  pageId: string,
  ids: readonly string[],
  context: CommandContext,
): Promise<CommandContext> => afterStatusOf([...(await namedComponents(scope, pageId, ids)).values()], context);
