import type { DomainEvent } from './event.ts';

/**
 * Folds an aggregate's events into its state. Decisions are separate functions
 * `(state, …) → events`; both are pure.
 */
export interface Decider<State, Event extends DomainEvent> {
  /** prefix of the stream name, without a dash: stream = `${category}-${id}` */
  category: string;
  initialState: State;
  evolve: (state: State, event: Event) => State;
}

/** The stream name of an aggregate. */
export const streamOf = (category: string, id: string): string => `${category}-${id}`;

/** The category of a stream: the part before the first dash. */
export const categoryOf = (stream: string): string => {
  const dash = stream.indexOf('-');
  return dash === -1 ? stream : stream.slice(0, dash);
};

/** For the `default` case of a `switch` over a union: the compiler proves that it is unreachable. */
export const unreachable = (value: never): never => {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
};
