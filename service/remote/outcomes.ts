import type { TSchema } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { withReferences } from '../../domain/check/result-files.ts';
import { checkTypeOf } from '../../domain/check/types/index.ts';
import type { Fields } from '../../domain/fields.ts';
import type { SentOutcome } from '../../runners/remote/protocol.ts';
import { withNote } from '../../runners/worker/result-files.ts';

/** Maximum number of left out fields that a note lists. */
const MAX_NAMES = 10;

/** A separate compiler for each, because schemas with an `$id` are parts of several. */
const compile = (schema: TSchema): ValidateFunction =>
  new Ajv({ strict: false, meta: false, validateSchema: false }).compile(schema);

/** The validators of metadata fields by type; compiled for the first result of the type. */
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

/** Whether runs of a type produce files. */
export const producesFiles = (type: CheckTypeName): boolean => checkTypeOf(type).files.length > 0;

/**
 * Makes an outcome valid for this check type. Metadata fields that readers rely on are left out if they have another
 * form, with a note; fields that this release does not know remain. Files are left out if the type has none.
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

/** Removes references to files from an outcome whose files are not stored. */
export const withoutFiles = (outcome: SentOutcome, type: CheckTypeName): SentOutcome => ({
  ...outcome,
  check_metadata: withReferences(outcome.check_metadata, type, () => null),
});
