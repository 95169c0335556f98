import { suite } from 'uvu';
import { appending } from './event-store/appending.ts';
import type { ContractTest, Opened } from './event-store/opened.ts';
import { openings } from './event-store/openings.ts';
import { reading } from './event-store/reading.ts';
import { subscribing } from './event-store/subscribing.ts';

export { contractEvents } from './event-store/events.ts';
export type { Opened } from './event-store/opened.ts';

/**
 * The contract of the port EventStore, for every adapter. It uses only the port: the log need not be empty, and
 * positions may have gaps.
 *
 * @param open opens a log; returns `again` if it can be opened several times
 */
export const eventStoreContract = (
  name: string,
  open: () => Promise<Opened>,
  { durable }: { durable: boolean },
): void => {
  const contract = suite(`${name} fulfils the event store contract`);
  let shared: Opened | undefined;
  contract.before(async () => {
    shared = await open();
  });
  contract.after(() => shared?.dispose());
  const test: ContractTest = Object.assign(
    (sentence: string, run: (opened: Opened) => Promise<void>): void => {
      contract(sentence, async () => {
        if (!shared) throw new Error('the log under test could not be opened');
        await run(shared);
      });
    },
    {
      alone: (sentence: string, run: (opened: Opened) => Promise<void>): void => {
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
  appending(test);
  reading(test);
  subscribing(test);
  if (durable) openings(test);
  contract.run();
};
