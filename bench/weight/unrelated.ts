/**
 * Adds read models to a service that have nothing to do with incidents. Node.js loads it before the service, in each of
 * its threads (`node --import`), so that the product needs no setting for it: it is as if they were declared in
 * projections/index.ts.
 */
import { projections } from '../../projections/index.ts';
import { collection, defineProjection, type AnyProjection, type Model } from '../../projections/engine/fold/define.ts';
import type { ListItem } from '../../reactors/engine/lists.ts';

/** The environment variable that says how many. */
export const UNRELATED = 'WEIGHT_UNRELATED';

/** A list of the secrets that were deleted, as that of the reactor that forgets keys. */
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

/** The names of read models and of their collections. */
export const unrelatedNames = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `unrelated_${index.toString()}`);

const addReadModels = (count: number): void => {
  (projections as AnyProjection[]).push(...unrelatedNames(count).map(unrelatedReadModel));
};

addReadModels(Number(process.env[UNRELATED] ?? 0));
