import { Type } from '@sinclair/typebox';
import { incompleteFields } from '../../../domain/check/definition.ts';
import type { CheckTypeName } from '../../../domain/check/events.ts';
import { isFields, type Fields } from '../../../domain/fields.ts';
import { unsealable } from '../../../domain/check/sealing.ts';
import type { CheckSettings } from '../../../domain/check/state.ts';
import { checkTypeOf, isCheckType } from '../../../domain/check/types/index.ts';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import type { FieldMessages } from '../../../http/validation-messages.ts';
import { bindingListBodyErrors } from '../secrets/schema.ts';
import { compile, type Validate } from '../../../http/routes/validate.ts';

// One response names all errors of a request (docs/reference/errors.md#keys-of-errors). So the functions of this file
// apply the rules that relate several fields even if the schema refuses some of these fields. A refused field can have
// any form. If the schema and these functions report the same field, the message of the schema is used.

/** Returns the settings in an unvalidated body. */
const settingsIn = (body: Fields): Partial<CheckSettings> => ({
  ...body,
  ...('parameters' in body && { parameters: isFields(body['parameters']) ? body['parameters'] : {} }),
});

const NOTHING: CheckSettings = {
  name: '',
  active: true,
  interval: 0,
  timeout: 0,
  host: null,
  url: null,
  port: null,
  parameters: {},
  tags: [],
};

const orNothing = (errors: FieldMessages): FieldMessages | null => (Object.keys(errors).length === 0 ? null : errors);

/** Returns the errors of a new definition that its schema does not report, by field, or null if there are none. */
export const definitionBodyErrors = (body: unknown): FieldMessages | null => {
  if (!isFields(body)) return null;
  const { type, secrets } = body;
  const bindings = bindingListBodyErrors(secrets, 'secrets.');
  if (typeof type !== 'string' || !isCheckType(type)) return bindings;
  const settings = { ...NOTHING, ...settingsIn(body) };
  return orNothing({ ...bindings, ...incompleteFields(type, settings), ...unsealable(settings.parameters, type, {}) });
};

const validators = new Map<CheckTypeName, Validate>();

/** Validates the parameters against the schema of the check type. Returns the errors by field. */
const brokenParameters = (type: CheckTypeName, body: Fields): FieldMessages | null => {
  const known = validators.get(type);
  const validate = known ?? compile(Type.Object({ parameters: Type.Optional(checkTypeOf(type).parameters) }));
  if (!known) validators.set(type, validate);
  return validate(body);
};

/** Returns the errors of a change that its schema does not report, by field, or null if there are none. */
export const checkChangeBodyErrors = (check: CheckDocument, body: unknown): FieldMessages | null => {
  if (!isFields(body)) return null;
  const { type, secrets } = body;
  if (type !== undefined && type !== check.type) return { type: ["A check's type can't be changed."] };
  const settings = { ...check, ...settingsIn(body) };
  return orNothing({
    ...bindingListBodyErrors(secrets, 'secrets.'),
    ...incompleteFields(check.type, settings),
    ...('parameters' in body && unsealable(settings.parameters, check.type, check.parameters)),
    ...brokenParameters(check.type, body),
  });
};
