import type { CollectionDeclaration, IndexDeclaration } from './port.ts';
import { pathOf } from './values.ts';

export type Order = readonly (readonly [field: string, direction: 1 | -1])[];

/** Returns the fields of a sort or of an index, followed by `id` as the tie-break. */
export const totalOrder = (fields: Readonly<Record<string, 1 | -1>>): Order => {
  const order: [string, 1 | -1][] = [];
  for (const [field, direction] of Object.entries(fields)) {
    pathOf(field);
    order.push([field, direction]);
    // Ids are unique, so fields after the id have no effect.
    if (field === 'id') return order;
  }
  return [...order, ['id', order.at(-1)?.[1] ?? 1]];
};

/**
 * Returns all indexes of a collection: the declared indexes, and an index on the expiry field unless a declared index
 * begins with this field.
 */
export const indexesOf = ({ indexes, expires }: CollectionDeclaration): readonly IndexDeclaration[] =>
  !expires || indexes.some((index) => Object.keys(index)[0] === expires.field)
    ? indexes
    : [...indexes, { [expires.field]: 1 }];

/** Returns the fields that at least one index covers, without `id`. */
export const indexedFields = (declaration: CollectionDeclaration): string[] => [
  ...new Set(indexesOf(declaration).flatMap((index) => Object.keys(index).filter((field) => field !== 'id'))),
];
