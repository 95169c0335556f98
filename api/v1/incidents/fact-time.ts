import type { CommandContext } from '../../../commands/context.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { namedComponents } from '../../../queries/components.ts';
import type { Scope } from '../../../queries/scope.ts';

/** How long the text of an instant is. */
const INSTANT = 26;

const setAt = ({ status_set }: Pick<ComponentDocument, 'status_set'>): Instant => status_set.moment.slice(0, INSTANT);

/**
 * The context of a request that may set statuses of components: its time is no earlier than what has set them
 * before. A component shows what was set last by the time of the fact, so that a write after the clock was set back
 * would have no effect, else.
 */
export const afterStatusOf = (
  found: readonly Pick<ComponentDocument, 'status_set'>[],
  context: CommandContext,
): CommandContext => {
  const now = found.map(setAt).reduce((latest, at) => (at > latest ? at : latest), context.now);
  return now === context.now ? context : { ...context, now };
};

/** The same for components of a page that are named by their ids; those that are not there count for nothing. */
export const afterStatusOfNamed = async (
  scope: Pick<Scope, 'read'>,
  pageId: string,
  ids: readonly string[],
  context: CommandContext,
): Promise<CommandContext> => afterStatusOf([...(await namedComponents(scope, pageId, ids)).values()], context);
