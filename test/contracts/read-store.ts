import { suite } from 'uvu';
import type { Generation } from '../../stores/read-store/port.ts';
import { conditionContract } from './read-store/conditions.ts';
import { documentContract } from './read-store/documents.ts';
import { expiryContract } from './read-store/expiry.ts';
import { generationContract } from './read-store/generations.ts';
import type { ContractTest, OpenedReadStore } from './read-store/opened.ts';
import { openingContract } from './read-store/openings.ts';
import { randomQueryContract } from './read-store/random-query-contract.ts';
import { sortContract } from './read-store/sorting.ts';

export type { OpenedReadStore } from './read-store/opened.ts';

/**
 * The contract of the port ReadStore, for every adapter. The tests use only the port. Each test has its own projection,
 * so the store need not be empty.
 *
 * @param open opens a store; returns `again` if the store can be opened several times
 */
export const readStoreContract = (
  name: string,
  open: () => Promise<OpenedReadStore>,
  { durable }: { durable: boolean },
): void => {
  const contract = suite(`${name} fulfils the read store contract`);
  let opened: OpenedReadStore | undefined;
  let tests = 0;
  contract.before(async () => {
    opened = await open();
  });
  contract.after(() => opened?.dispose());
  const test: ContractTest = (sentence, run) => {
    const generation: Generation = { projection: `contract_${++tests}@1`, number: 1 };
    contract(sentence, async () => {
      if (!opened) throw new Error('the store under test could not be opened');
      await run({ ...opened, generation });
    });
  };
  documentContract(test);
  conditionContract(test);
  sortContract(test);
  randomQueryContract(test);
  expiryContract(test);
  generationContract(test);
  if (durable) openingContract(test);
  contract.run();
};
