import { Conflict, NotFound } from './errors.ts';

/**
 * The statuses of an aggregate that does not exist. Callers cannot tell from the error whether the aggregate never
 * existed, was deleted or was abandoned.
 */
type Gone = 'absent' | 'deleted' | 'abandoned';
const GONE: ReadonlySet<string> = new Set<Gone>(['absent', 'deleted', 'abandoned']);

interface State {
  status: string;
}

/** The states in which an aggregate exists. */
export type Existing<S extends State> = Exclude<S, { status: Gone }>;

export const isExisting = <S extends State>(state: S): state is Existing<S> => !GONE.has(state.status);

/** Returns a 404 error for a resource that never existed, was deleted, or belongs to another organization. */
export const notFound = (what: string): NotFound => new NotFound(`There is no such ${what}.`);

/** Returns the result of a lookup, for example a component of a page. @throws NotFound the lookup found nothing */
export const requireFound = <T>(thing: T | null | undefined, what: string): T => {
  if (thing === null || thing === undefined) throw notFound(what);
  return thing;
};

/**
 * Returns functions with which decisions and folds check that an aggregate exists.
 *
 * @param what the name of the aggregate in error messages: `page`
 */
export const lifecycleOf = <S extends State>(what: string) => ({
  /** Returns the state of an aggregate that exists. @throws NotFound */
  existing: (state: S): Existing<S> => {
    if (!isExisting(state)) throw notFound(what);
    return state;
  },

  /** Requires that the aggregate's stream has no events. @throws Conflict */
  requireAbsent: (state: S): void => {
    if (state.status !== 'absent') throw new Conflict(`The ${what} already exists.`);
  },

  /** Folds an event that can only occur in an existing aggregate. @throws Error the stream is corrupt */
  onExisting: (state: S, change: (there: Existing<S>) => S): S => {
    if (!isExisting(state)) throw new Error(`This event can't change the ${what}: it is ${state.status}.`);
    return change(state);
  },
});
