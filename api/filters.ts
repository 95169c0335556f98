import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type { Where } from '../stores/read-store/port.ts';

/** A parameter by which a list is narrowed. */
export interface Filter<S extends TSchema = TSchema> {
  schema: S;
  /** what of the documents it asks for; `field`: the parameter's own name */
  // A method, so that filters of any value fit into one record.
  where(value: Static<S>, field: string): Where;
}

export type Filters = Readonly<Record<string, Filter>>;

/** What a route with these filters finds in its query. */
export type FilterQuery<F extends Filters> = { readonly [K in keyof F]?: Static<F[K]['schema']> };

/** Documents whose field of that name is just so. */
export const exactly = <S extends TSchema>(schema: S): Filter<S> => ({
  schema,
  where: (value, field) => ({ [field]: value as string }),
});

/** Documents with the text in any part of the field of that name, case ignored. */
export const containing = <S extends TSchema & { static: string }>(schema: S): Filter<S> => ({
  schema,
  where: (value, field) => ({ [field]: { $contains: value } }),
});

/** The parameters of the query, all of which may be left out. */
export const queryOf = (filters: Filters): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, Type.Optional(schema)]));

/** What is asked of the documents by those filters that a query names. */
export const whereOf = (filters: Filters, query: Readonly<Record<string, unknown>>): Where => {
  const where: Where = {};
  for (const [name, filter] of Object.entries(filters)) {
    const value = query[name];
    if (value !== undefined) Object.assign(where, filter.where(value as never, name));
  }
  return where;
};
