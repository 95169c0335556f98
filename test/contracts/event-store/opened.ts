import type { EventStore } from '../../../stores/event-store/port.ts';

/** A log under test. What is opened is closed by `dispose`, whatever the test has closed itself. */
export interface Opened {
  store: EventStore;
  /** opens the same log once more, beside `store` or after it was closed; absent where a log lives in its opening */
  again?: () => Promise<EventStore>;
  dispose: () => Promise<void>;
}

type Declare = (name: string, run: (opened: Opened) => Promise<void>) => void;

/**
 * Declares one test of the contract. They share a log, so that none relies on an empty one, and since an opening
 * may be dear; a test that closes the store says `alone` and gets a log of its own.
 */
export type ContractTest = Declare & { alone: Declare };
