import { Type } from '@sinclair/typebox';
import { incompleteFields } from '../../../domain/check/definition.ts';
import type { CheckTypeName } from '../../../domain/check/events.ts';
import { isFields, type Fields } from '../../../domain/fields.ts';
import { unsealable } from '../../../domain/check/sealing.ts';
import type { CheckSettings } from '../../../domain/check/state.ts';
import { checkTypeOf, isCheckType } from '../../../domain/check/types/index.ts';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import type { Sentences } from '../../../http/sentences.ts';
import { brokenInList } from '../secrets/schema.ts';
import { compile, type Validate } from '../../../http/routes/validate.ts';

// A request is told everything that is wrong with it at once (decisions.md: HTTP rules, 422). So the rules between
// the fields of a definition are checked for every body, even if its schema refuses some of them. Such a field may
// have any form here, and the sentences of the schema take precedence over those from here.

/** Settings from a body whose fields may have any form. */
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

const orNothing = (said: Sentences): Sentences | null => (Object.keys(said).length === 0 ? null : said);

/** What is wrong with a new definition besides the form of its fields, by field; null if nothing is. */
export const brokenDefinition = (body: unknown): Sentences | null => {
  if (!isFields(body)) return null;
  const { type, secrets } = body;
  const bindings = brokenInList(secrets, 'secrets.');
  if (typeof type !== 'string' || !isCheckType(type)) return bindings;
  const settings = { ...NOTHING, ...settingsIn(body) };
  return orNothing({ ...bindings, ...incompleteFields(type, settings), ...unsealable(settings.parameters, type, {}) });
};

const validators = new Map<CheckTypeName, Validate>();

/** What is wrong with parameters according to their type. */
const brokenParameters = (type: CheckTypeName, body: Fields): Sentences | null => {
  const known = validators.get(type);
  const validate = known ?? compile(Type.Object({ parameters: Type.Optional(checkTypeOf(type).parameters) }));
  if (!known) validators.set(type, validate);
  return validate(body);
};

/** What is wrong with a change besides the form of its fields, by field; null if nothing is. */
export const brokenChange = (check: CheckDocument, body: unknown): Sentences | null => {
  if (!isFields(body)) return null;
  const { type, secrets } = body;
  if (type !== undefined && type !== check.type) return { type: ["A check's type can't be changed."] };
  const settings = { ...check, ...settingsIn(body) };
  return orNothing({
    ...brokenInList(secrets, 'secrets.'),
    ...incompleteFields(check.type, settings),
    ...('parameters' in body && unsealable(settings.parameters, check.type, check.parameters)),
    ...brokenParameters(check.type, body),
  });
};
