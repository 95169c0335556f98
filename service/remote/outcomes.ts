import type { TSchema } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { withReferences } from '../../domain/check/result-files.ts';
import { checkTypeOf } from '../../domain/check/types/index.ts';
import type { Fields } from '../../domain/fields.ts';
import type { SentOutcome } from '../../runners/remote/protocol.ts';
import { withNote } from '../../runners/worker/files.ts';

/** Names of left out fields that a note lists. */
const MOST_NAMES = 10;

/** Each by a compiler of its own, since schemas that name themselves (`$id`) are parts of several. */
const compile = (schema: TSchema): ValidateFunction =>
  new Ajv({ strict: false, meta: false, validateSchema: false }).compile(schema);

/** By type, the forms of the fields of its metadata; compiled when the first result of the type comes. */
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

/** Whether runs of a type leave files. */
export const leavesFiles = (type: CheckTypeName): boolean => checkTypeOf(type).files.length > 0;

/**
 * An outcome as a check of this type can have it. Fields of its metadata that readers rely on are left out where they
 * have another form, with a note; fields that this release does not know stay. So do files, if the type has any.
 */
export const fittingOutcome = ({ files, ...outcome }: SentOutcome, type: CheckTypeName): SentOutcome => ({
  ...outcome,
  check_metadata: fittingMetadata(outcome.check_metadata, type),
  ...(files && leavesFiles(type) && { files }),
});

const fittingMetadata = (metadata: Fields, type: CheckTypeName): Fields => {
  const known = formsOf(type);
  const fits = (name: string, value: unknown): boolean =>
    known.get(name)?.(value) ?? (name === 'notes' ? areTexts(value) : true);
  const wrong = Object.keys(metadata).filter((name) => !fits(name, metadata[name]));
  if (wrong.length === 0) return metadata;
  const kept = Object.fromEntries(Object.entries(metadata).filter(([name]) => !wrong.includes(name)));
  const names = wrong.slice(0, MOST_NAMES).join(', ');
  return withNote(kept, `The runner sent fields in another form than expected, which were left out: ${names}.`);
};

/** An outcome whose files are not stored: nothing in its metadata names one. */
export const withoutFiles = (outcome: SentOutcome, type: CheckTypeName): SentOutcome => ({
  ...outcome,
  check_metadata: withReferences(outcome.check_metadata, type, () => null),
});
