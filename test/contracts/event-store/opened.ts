import type { EventStore } from '../../../stores/event-store/port.ts';

/** A log under test. `dispose` closes everything that was opened and not closed. */
export interface OpenedEventStore {
  store: EventStore;
  /**
   * opens the same log once more, while `store` is open or after it was closed; absent if the log can be opened only
   * once
   */
  again?: () => Promise<EventStore>;
  dispose: () => Promise<void>;
}

type Declare = (name: string, run: (opened: OpenedEventStore) => Promise<void>) => void;

/**
 * Declares one test of the contract. Tests share a log, because opening a log can be expensive. So a test may not rely
 * on an empty log. A test that closes the store is declared with `alone` and gets its own log.
 */
export type ContractTest = Declare & { alone: Declare };
