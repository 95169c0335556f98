import type { TSchema } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { withReferences } from '../../domain/check/result-files.ts';
import { checkTypeOf } from '../../domain/check/types/index.ts';
import type { Fields } from '../../domain/fields.ts';
import type { SentOutcome } from '../../runners/remote/protocol.ts';
import { withNote } from '../../runners/worker/result-files.ts';

/** Maximum number of removed fields that a note lists. */
const MAX_NAMES = 10;

/**
 * Creates a validator with a compiler of its own. A shared compiler would reject schemas with the same `$id`, which are
 * parts of several schemas.
 */
const compile = (schema: TSchema): ValidateFunction =>
  new Ajv({ strict: false, meta: false, validateSchema: false }).compile(schema);

/** The validators of metadata fields, by check type. They are compiled for the first result of the type. */
const forms = new Map<CheckTypeName, ReadonlyMap<string, ValidateFunction>>();

const formsOf = (type: CheckTypeName): ReadonlyMap<string, ValidateFunction> => {
  const known = forms.get(type);
  if (known) return known;
  const { properties } = checkTypeOf(type).metadata;
  const compiled = new Map(Object.entries(properties).map(([name, schema]) => [name, compile(schema)]));
  forms.set(type, compiled);
  return compiled;
};

const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Returns whether runs of a check type produce files. */
export const producesFiles = (type: CheckTypeName): boolean => checkTypeOf(type).files.length > 0;

/**
 * Makes an outcome valid for its check type. Metadata fields on which readers rely are removed if they have an
 * unexpected form, and a note lists the removed fields. Fields that this release does not know remain. Files are
 * removed if runs of the check type produce no files.
 */
export const validatedOutcome = ({ files, ...outcome }: SentOutcome, type: CheckTypeName): SentOutcome => ({
  ...outcome,
  check_metadata: fittingMetadata(outcome.check_metadata, type),
  ...(files && producesFiles(type) && { files }),
});

const fittingMetadata = (metadata: Fields, type: CheckTypeName): Fields => {
  const known = formsOf(type);
  const fits = (name: string, value: unknown): boolean =>
    known.get(name)?.(value) ?? (name === 'notes' ? areTexts(value) : true);
  const wrong = Object.keys(metadata).filter((name) => !fits(name, metadata[name]));
  if (wrong.length === 0) return metadata;
  const fitting = Object.fromEntries(Object.entries(metadata).filter(([name]) => !wrong.includes(name)));
  const names = wrong.slice(0, MAX_NAMES).join(', ');
  return withNote(fitting, `The runner sent fields in an unexpected form, which were left out: ${names}.`);
};

/** Removes the references to files from the metadata of an outcome whose files are not stored. */
export const withoutFiles = (outcome: SentOutcome, type: CheckTypeName): SentOutcome => ({
  ...outcome,
  check_metadata: withReferences(outcome.check_metadata, type, () => null),
});
