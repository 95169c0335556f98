import type { DomainEvent } from './event.ts';

/**
 * The fold of an aggregate's events into its state. Decisions are separate functions `(state, …) → events`. Both the
 * fold and the decisions are pure.
 */
export interface Decider<State, Event extends DomainEvent> {
  /** the prefix of stream names, without a dash: stream = `${category}-${id}` */
  category: string;
  initialState: State;
  evolve: (state: State, event: Event) => State;
}

/** Returns the stream name of an aggregate. */
export const streamOf = (category: string, id: string): string => `${category}-${id}`;

/** Returns the category of a stream: the part of its name before the first dash. */
export const categoryOf = (stream: string): string => {
  const dash = stream.indexOf('-');
  return dash === -1 ? stream : stream.slice(0, dash);
};

/**
 * Throws an error. Called in the `default` case of a `switch` over a union, where the compiler proves that the case is
 * unreachable.
 */
export const unreachable = (value: never): never => {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
};
