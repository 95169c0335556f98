import type { Static, TObject } from '@sinclair/typebox';

/**
 * Creates a function that picks the fields of a response schema from a document, in the order of the schema. Documents
 * are stored in the shape of the API but may have further internal fields.
 *
 * ```ts
 * const presentPage = presenting(Page, ['activity_score']);
 * presentPage(document, { activity_score: 3 });
 * ```
 *
 * @param computed fields passed separately instead of being in the document
 */
export const createPresenter = <S extends TObject, const K extends keyof Static<S> & string = never>(
  schema: S,
  computed: readonly K[] = [],
): ((
  document: Omit<Static<S>, K>,
  ...values: [K] extends [never] ? [] : [computed: Pick<Static<S>, K>]
) => Static<S>) => {
  const from = new Set<string>(computed);
  const fields = Object.keys(schema.properties).map((field) => {
    const name = JSON.stringify(field);
    return `${name}: ${from.has(field) ? 'computed' : 'document'}[${name}]`;
  });
  // Generated code with one object literal takes an eighth of the time of assigning fields one by one; ajv does the
  // same. The field names come from our own schemas.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  return new Function('document', 'computed', `return { ${fields.join(', ')} };`) as never;
};
