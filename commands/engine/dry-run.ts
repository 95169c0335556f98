import { streamOf, type Decider } from '../../domain/decider.ts';
import type { DomainEvent, RecordedEvent } from '../../domain/event.ts';
import type { CommandContext } from './context.ts';
import { toNewEvent, type Decide, type Handle, type HandleOptions, type Outcome } from './handle.ts';

/** The position of the first drafted event. It is higher than the position of any event, and still a safe integer. */
const FIRST_POSITION = Number.MAX_SAFE_INTEGER - 1_000;

/**
 * Creates a handle for dry runs. The handle loads streams and decides, and throws the errors of the decision, but
 * appends nothing.
 *
 * @returns the handle, and `drafted`, which collects the events that would have been appended
 */
export const dryRunWith = ({ load }: Pick<Handle, 'load'>): { handle: Handle; drafted: RecordedEvent[] } => {
  const drafted: RecordedEvent[] = [];

  const decideOnly = async <State, Event extends DomainEvent>(
    id: string,
    decider: Decider<State, Event>,
    decide: Decide<State, Event>,
    context: CommandContext,
    options?: HandleOptions,
  ): Promise<Outcome<State, Event>> => {
    const stream = streamOf(decider.category, id);
    const state = await load(id, decider, context, options);
    const facts = [await decide(state)].flat() as Event[];
    const events = facts.map((fact, index) => toNewEvent(stream, fact, index, context, context.now));
    for (const event of events) {
      const place = drafted.length;
      drafted.push({ ...event, stream, revision: BigInt(place), position: BigInt(FIRST_POSITION + place) });
    }
    return { state: facts.reduce<State>(decider.evolve, state), events, repeated: false };
  };
  return { handle: Object.assign(decideOnly, { load }), drafted };
};
