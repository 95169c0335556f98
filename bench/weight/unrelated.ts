/**
 * Adds read models to a service that have nothing to do with incidents, and a reactor for each. Node.js loads this
 * module before the service, in each of its threads (`node --import`), so that the product needs no setting for it: the
 * effect is the same as declaring them in projections/index.ts and reactors/index.ts.
 */
import { isMainThread } from 'node:worker_threads';
import { projections } from '../../projections/index.ts';
import { collection, defineProjection, type AnyProjection, type Model } from '../../projections/engine/fold/define.ts';
import type { ReactorDefinition } from '../../reactors/engine/define.ts';
import type { ListItem } from '../../reactors/engine/lists.ts';

/** The environment variable with their number. */
export const UNRELATED = 'WEIGHT_UNRELATED';

/** A list of deleted secrets, like that of the reactor that forgets keys. */
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

/** Does nothing for each deleted secret. */
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

/** The names of read models and of their collections. */
export const unrelatedNames = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `unrelated_${index}`);

const add = async (count: number): Promise<void> => {
  if (count === 0) return;
  const added = unrelatedNames(count).map(unrelatedReadModel);
  (projections as AnyProjection[]).push(...added);
  // Other threads have no reactors.
  if (!isMainThread) return;
  const { REACTORS } = await import('../../reactors/index.ts');
  (REACTORS as ReactorDefinition[]).push(...(await Promise.all(added.map(unrelatedReactor))));
};

await add(Number(process.env[UNRELATED] ?? 0));
