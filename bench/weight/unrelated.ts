/**
 * Adds to a service read models that have nothing to do with incidents, each with a reactor. Node.js loads this module
 * before the service, in each of the service's threads (`node --import`), so the product needs no setting for these
 * read models. The effect is the same as declaring the read models and reactors in projections/index.ts and
 * reactors/index.ts.
 */
import { isMainThread } from 'node:worker_threads';
import { projections } from '../../projections/index.ts';
import { collection, defineProjection, type AnyProjection, type Model } from '../../projections/engine/fold/define.ts';
import type { ReactorDefinition } from '../../reactors/engine/define.ts';
import type { ListItem } from '../../reactors/engine/lists.ts';

/** Name of the environment variable that contains the number of unrelated read models. */
export const UNRELATED = 'WEIGHT_UNRELATED';

/** Defines a read model that lists deleted secrets, like the list of the reactor that forgets keys. */
const unrelatedReadModel = (name: string): AnyProjection =>
  defineProjection({
    name,
    version: 1,
    log: 'main',
    collections: { [name]: collection<ListItem>({ indexes: [{ changed_position: 1 }] }) },
    documents: ({ data }) => ({ [name]: [data.secret_id] }),
    on: {
      SecretDeleted: ({ data, position }, models: Record<string, Model<ListItem>>) => {
        models[name]?.put({ id: data.secret_id, changed_position: Number(position) });
      },
    },
  });

/** Defines a reactor that handles each deleted secret by doing nothing. */
const unrelatedReactor = async (projection: AnyProjection): Promise<ReactorDefinition> => {
  const { defineReactor } = await import('../../reactors/engine/define.ts');
  const { done } = await import('../../reactors/engine/item-result.ts');
  const { changes } = await import('../../reactors/engine/list-declarations.ts');
  return defineReactor({
    name: projection.name.replace('_', '-'),
    does: 'nothing',
    countsEarlier: true,
    list: changes<ListItem>(projection, projection.name, {}),
    act: async () => done(),
  });
};

/** Returns the names of the unrelated read models, which are also the names of their collections. */
export const unrelatedNames = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `unrelated_${index}`);

const add = async (count: number): Promise<void> => {
  if (count === 0) return;
  const added = unrelatedNames(count).map(unrelatedReadModel);
  (projections as AnyProjection[]).push(...added);
  // Only the main thread has reactors.
  if (!isMainThread) return;
  const { REACTORS } = await import('../../reactors/index.ts');
  (REACTORS as ReactorDefinition[]).push(...(await Promise.all(added.map(unrelatedReactor))));
};

await add(Number(process.env[UNRELATED] ?? 0));
