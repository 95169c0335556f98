import type { Decider } from '../../domain/decider.ts';
import { NotFound } from '../../domain/errors.ts';
import type { DomainEvent } from '../../domain/event.ts';
import type { CommandContext } from './context.ts';
import type { Handle } from './handle.ts';

/** Loads the state of an aggregate. Returns null if it belongs to another organization than the caller. */
export const findOwn = async <State, Event extends DomainEvent>(
  { handle }: { handle: Handle },
  id: string,
  decider: Decider<State, Event>,
  context: Pick<CommandContext, 'organizationId'>,
): Promise<State | null> => {
  try {
    return await handle.load(id, decider, context);
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
};
