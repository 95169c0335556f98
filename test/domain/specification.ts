import * as assert from 'uvu/assert';
import type { Decider } from '../../domain/decider.ts';
import type { DomainEvent } from '../../domain/event.ts';

type ErrorClass<E extends Error = Error> = abstract new (...parameters: never[]) => E;

/** Assertions about the outcome of a decision. */
interface Decided<Event extends DomainEvent> {
  /** Asserts that the decision returns exactly these events. */
  then: (...events: Event[]) => void;
  /** Asserts that the decision returns no event. */
  thenNothing: () => void;
  /** Asserts that the decision is refused with an error of this class and, if given, exactly this message. */
  throws: <E extends Error>(error: ErrorClass<E>, message?: string, more?: (error: E) => void) => void;
}

interface Given<State, Event extends DomainEvent> {
  when: (decide: (state: State) => Event | readonly Event[]) => Decided<Event>;
  /** Returns the state that the events fold into. */
  state: () => State;
}

/**
 * A fluent notation for tests of a decider:
 * `specification(pageDecider).given(created).when((page) => deletePage(page, now)).then(deleted)`.
 */
export const specification = <State, Event extends DomainEvent>(decider: Decider<State, Event>) => ({
  given: (...events: Event[]): Given<State, Event> => {
    const state = (): State => events.reduce<State>(decider.evolve, decider.initialState);
    return {
      state,
      when: (decide) => {
        const decided = (): readonly Event[] => {
          const facts = decide(state());
          const list = (Array.isArray(facts) ? facts : [facts]) as readonly Event[];
          // Folding the decided events must not fail.
          list.reduce<State>(decider.evolve, state());
          return list;
        };
        return {
          then: (...expected) => {
            assert.equal(decided(), expected);
          },
          thenNothing: () => {
            assert.equal(decided(), []);
          },
          throws: (error, message, more) => {
            let thrown: unknown;
            try {
              decided();
            } catch (refusal) {
              thrown = refusal;
            }
            if (thrown === undefined) assert.unreachable(`${error.name} was expected, but the decision was made.`);
            if (!(thrown instanceof error)) throw thrown;
            if (message !== undefined) assert.is(thrown.message, message);
            more?.(thrown);
          },
        };
      },
    };
  },
});
