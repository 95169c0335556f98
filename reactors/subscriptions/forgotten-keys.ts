import { forgetKeys } from '../../commands/subscribers.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { RemovedSubscriberDocument } from '../../projections/subscribers/documents.ts';
import { changeWork } from '../engine/changes.ts';
import { done, type Ending } from '../engine/ending.ts';
import type { ChangeList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';

export const FORGOTTEN_KEYS = 'forgotten-keys';

const AT_ONCE = 16;

export interface ForgottenKeysDependencies extends Pick<CommandDependencies, 'keys'> {
  list: ChangeList<RemovedSubscriberDocument>;
  todo: TodoProjection;
}

/**
 * Forgets the keys of removed subscribers. Whoever removes one does so at once; this one does it where the process died
 * in between, or the keys did not answer.
 */
export const forgottenKeysReactor = ({ list, todo, keys }: ForgottenKeysDependencies): Reactor => ({
  name: FORGOTTEN_KEYS,
  countsEarlier: true,
  todo,
  work: changeWork(FORGOTTEN_KEYS, todo, list, forget({ keys }), { atOnce: AT_ONCE }),
});

/** A key that is forgotten stays so. */
export const forget =
  ({ keys }: Pick<CommandDependencies, 'keys'>) =>
  async ({ id, keys_from: from, number: to }: RemovedSubscriberDocument): Promise<Ending> => {
    await forgetKeys({ keys })({ id, from, to });
    return done();
  };
