import type { Static, TObject } from '@sinclair/typebox';

/**
 * Picks the fields that an answer's schema names, in its order: documents are stored in the shape of
 * the API and may hold more for their own use.
 */
export const presenting = <S extends TObject>(schema: S): ((document: Static<S>) => Static<S>) => {
  const fields = Object.keys(schema.properties);
  return (document) => {
    const shown: Record<string, unknown> = {};
    for (const field of fields) shown[field] = document[field];
    return shown;
  };
};
