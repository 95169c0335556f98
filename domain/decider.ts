import type { DomainEvent } from './event.ts';

/**
 * An aggregate's state: the fold of its events. Decisions are plain functions
 * `(state, …) → events` beside it; both are pure.
 */
export interface Decider<State, Event extends DomainEvent> {
  /** prefix of the stream name, without a dash: stream = `${category}-${id}` */
  category: string;
  initialState: State;
  evolve: (state: State, event: Event) => State;
}

/** Name of the stream of one aggregate. */
export const streamOf = (category: string, id: string): string => `${category}-${id}`;

/** Category of a stream: everything before the first dash. */
export const categoryOf = (stream: string): string => {
  const dash = stream.indexOf('-');
  return dash === -1 ? stream : stream.slice(0, dash);
};

/** For the `default` of a `switch` over a union: the compiler proves that it is never reached. */
export const unreachable = (value: never): never => {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
};
