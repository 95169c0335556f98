import type { ReactorContext } from '../context.ts';
import type { CauseContext } from './cause.ts';
import { createReceiverSurplus } from './channel-receivers.ts';

const made = new WeakMap<ReactorContext, CauseContext>();

/**
 * Returns the context for cause kinds. All reactors of a process share one context, because messages to a receiver are
 * counted across all kinds of causes.
 */
export const createCauseContext = (context: ReactorContext): CauseContext => {
  const known = made.get(context);
  if (known) return known;
  const { sure: read, clock } = context;
  const causes: CauseContext = { ...context, read, isSurplus: createReceiverSurplus(clock, read) };
  made.set(context, causes);
  return causes;
};
