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

// One response names all errors of a request (docs/reference/errors.md#keys-of-errors). So the rules between the fields of a
// definition are checked even if the schema refuses some fields. Such a field may have any form here, and the messages
// of the schema take precedence over those from here.

/** Settings from an unvalidated body. */
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

/** Errors of a new definition beyond its schema, by field; null without errors. */
export const definitionBodyErrors = (body: unknown): FieldMessages | null => {
  if (!isFields(body)) return null;
  const { type, secrets } = body;
  const bindings = bindingListBodyErrors(secrets, 'secrets.');
  if (typeof type !== 'string' || !isCheckType(type)) return bindings;
  const settings = { ...NOTHING, ...settingsIn(body) };
  return orNothing({ ...bindings, ...incompleteFields(type, settings), ...unsealable(settings.parameters, type, {}) });
};

const validators = new Map<CheckTypeName, Validate>();

/** Errors of the parameters according to the check type. */
const brokenParameters = (type: CheckTypeName, body: Fields): FieldMessages | null => {
  const known = validators.get(type);
  const validate = known ?? compile(Type.Object({ parameters: Type.Optional(checkTypeOf(type).parameters) }));
  if (!known) validators.set(type, validate);
  return validate(body);
};

/** Errors of a change beyond its schema, by field; null without errors. */
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
