import type { ReactorContext } from '../context.ts';
import type { CauseContext } from './cause.ts';
import { createReceiverSurplus } from './channel-receivers.ts';

const made = new WeakMap<ReactorContext, CauseContext>();

/** The context for cause kinds. All reactors of a process share it, because they count messages together. */
export const createCauseContext = (context: ReactorContext): CauseContext => {
  const known = made.get(context);
  if (known) return known;
  const { sure: read, clock } = context;
  const causes: CauseContext = { ...context, read, isSurplus: createReceiverSurplus(clock, read) };
  made.set(context, causes);
  return causes;
};
