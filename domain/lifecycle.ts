import { Conflict, NotFound } from './errors.ts';

/** An aggregate that never existed, was deleted, or was abandoned before it was created: callers can't tell which. */
type Gone = 'absent' | 'deleted' | 'abandoned';
const GONE: ReadonlySet<string> = new Set<Gone>(['absent', 'deleted', 'abandoned']);

interface State {
  status: string;
}

/** The states in which an aggregate exists. */
export type Existing<S extends State> = Exclude<S, { status: Gone }>;

export const isThere = <S extends State>(state: S): state is Existing<S> => !GONE.has(state.status);

/** What does not exist for a caller: it never did, was deleted, or belongs to somebody else. */
export const noSuch = (what: string): NotFound => new NotFound(`There is no such ${what}.`);

/** What was looked for, such as a part of an aggregate. @throws NotFound */
export const found = <T>(thing: T | null | undefined, what: string): T => {
  if (thing === null || thing === undefined) throw noSuch(what);
  return thing;
};

/**
 * What every decision and every fold first checks about an aggregate.
 *
 * @param what it is called in sentences: `page`
 */
export const lifecycleOf = <S extends State>(what: string) => ({
  /** The existing aggregate. @throws NotFound */
  existing: (state: S): Existing<S> => {
    if (!isThere(state)) throw noSuch(what);
    return state;
  },

  /** A new aggregate's stream has no events. @throws Conflict */
  requireAbsent: (state: S): void => {
    if (state.status !== 'absent') throw new Conflict(`The ${what} exists already.`);
  },

  /** Folds an event that only an existing aggregate can have. @throws Error the stream is broken */
  onExisting: (state: S, change: (there: Existing<S>) => S): S => {
    if (!isThere(state)) throw new Error(`There is no ${what} that this event could change: it is ${state.status}.`);
    return change(state);
  },
});
