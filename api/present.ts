import type { Static, TObject } from '@sinclair/typebox';

/**
 * Picks the fields that an answer's schema names, in its order: documents are stored in the shape of
 * the API and may have more fields for internal use.
 *
 * ```ts
 * const presentPage = presenting(Page, ['activity_score']);
 * presentPage(document, { activity_score: 3 });
 * ```
 *
 * @param computed fields that are not in the document but passed in beside it
 */
export const presenting = <S extends TObject, const K extends keyof Static<S> & string = never>(
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
  // A literal of all fields takes an eighth of the time of setting them one by one; ajv does the same.
  // The field names come from our own schemas.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  return new Function('document', 'computed', `return { ${fields.join(', ')} };`) as never;
};
