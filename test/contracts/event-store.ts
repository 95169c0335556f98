import { suite } from 'uvu';
import { appendContract } from './event-store/appending.ts';
import type { ContractTest, OpenedEventStore } from './event-store/opened.ts';
import { openingContract } from './event-store/openings.ts';
import { readContract } from './event-store/reading.ts';
import { subscriptionContract } from './event-store/subscribing.ts';

export { contractEvents } from './event-store/events.ts';
export type { OpenedEventStore } from './event-store/opened.ts';

/**
 * The contract of the port EventStore, for every adapter. The tests use only the port, so the log need not be empty,
 * and positions may have gaps.
 *
 * @param open opens a log; returns `again` if the log can be opened several times
 */
export const eventStoreContract = (
  name: string,
  open: () => Promise<OpenedEventStore>,
  { durable }: { durable: boolean },
): void => {
  const contract = suite(`${name} fulfils the event store contract`);
  let shared: OpenedEventStore | undefined;
  contract.before(async () => {
    shared = await open();
  });
  contract.after(() => shared?.dispose());
  const test: ContractTest = Object.assign(
    (sentence: string, run: (opened: OpenedEventStore) => Promise<void>): void => {
      contract(sentence, async () => {
        if (!shared) throw new Error('the log under test could not be opened');
        await run(shared);
      });
    },
    {
      alone: (sentence: string, run: (opened: OpenedEventStore) => Promise<void>): void => {
        contract(sentence, async () => {
          const opened = await open();
          try {
            await run(opened);
          } finally {
            await opened.dispose();
          }
        });
      },
    },
  );
  appendContract(test);
  readContract(test);
  subscriptionContract(test);
  if (durable) openingContract(test);
  contract.run();
};
