import { withMaskedTexts, sealedPositions } from '../../domain/check/sealing.ts';
import type { FieldChange } from './documents.ts';

type Changes = Record<string, FieldChange>;

/** Pairs the new and the previous values of the changed fields. */
export const auditChanges = (changes: object, previous: object): Changes => {
  const before = new Map<string, unknown>(Object.entries(previous));
  return Object.fromEntries(
    Object.entries(changes).map(([field, value]: [string, unknown]) => [
      field,
      { old: before.get(field) ?? null, new: value ?? null },
    ]),
  );
};

/** Returns the changes of a new resource: every field that has a value. */
export const auditCreation = (fields: object): Changes =>
  Object.fromEntries(present(fields).map(([field, value]) => [field, { old: null, new: value }]));

/** Returns the changes of a deleted resource: every field that had a value. */
export const auditDeletion = (fields: object): Changes =>
  Object.fromEntries(present(fields).map(([field, value]) => [field, { old: value, new: null }]));

const present = (fields: object): [string, unknown][] =>
  Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);

/** Masks the secret values, which only editors may see, in the changes of a check. Other encrypted texts stay encrypted. */
export const withoutSecrets = (changes: Changes): Changes => {
  const { parameters, ...others } = changes;
  if (!parameters) return changes;
  return { ...others, parameters: { old: maskedParameters(parameters.old), new: maskedParameters(parameters.new) } };
};

const maskedParameters = (parameters: unknown): unknown => {
  if (typeof parameters !== 'object' || parameters === null) return parameters;
  // The type of the check is unknown (null), because changes do not contain it.
  const fields = parameters as Record<string, unknown>;
  return withMaskedTexts(fields, sealedPositions(fields, null));
};
