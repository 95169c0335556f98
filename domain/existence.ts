import { Conflict, NotFound } from './errors.ts';

/** An aggregate that does not exist: it never did, was deleted, or was abandoned. Callers can't distinguish these. */
type Gone = 'absent' | 'deleted' | 'abandoned';
const GONE: ReadonlySet<string> = new Set<Gone>(['absent', 'deleted', 'abandoned']);

interface State {
  status: string;
}

/** The states in which an aggregate exists. */
export type Existing<S extends State> = Exclude<S, { status: Gone }>;

export const isExisting = <S extends State>(state: S): state is Existing<S> => !GONE.has(state.status);

/** 404 for a resource that never existed, was deleted, or belongs to another organization. */
export const notFound = (what: string): NotFound => new NotFound(`There is no such ${what}.`);

/** Requires the result of a search, such as a part of an aggregate. @throws NotFound */
export const requireFound = <T>(thing: T | null | undefined, what: string): T => {
  if (thing === null || thing === undefined) throw notFound(what);
  return thing;
};

/**
 * The existence checks of decisions and folds.
 *
 * @param what the name of the aggregate in error messages: `page`
 */
export const lifecycleOf = <S extends State>(what: string) => ({
  /** The existing aggregate. @throws NotFound */
  existing: (state: S): Existing<S> => {
    if (!isExisting(state)) throw notFound(what);
    return state;
  },

  /** Requires that the aggregate's stream has no events. @throws Conflict */
  requireAbsent: (state: S): void => {
    if (state.status !== 'absent') throw new Conflict(`The ${what} already exists.`);
  },

  /** Folds an event that only an existing aggregate can have. @throws Error the stream is corrupt */
  onExisting: (state: S, change: (there: Existing<S>) => S): S => {
    if (!isExisting(state)) throw new Error(`This event can't change the ${what}: it is ${state.status}.`);
    return change(state);
  },
});
