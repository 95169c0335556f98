import { Type, type Static } from '@sinclair/typebox';
import {
  bindingErrors,
  ENV_VARIABLE,
  ENV_VARIABLE_SENTENCE,
  isReserved,
  fitsMaxValueBytes,
  MAX_VALUE_BYTES,
  MAX_SECRETS,
  RESERVED_SENTENCE,
  SECRET_NAME,
  SECRET_NAME_SENTENCE,
  VALUE_SENTENCE,
  type BindingInput,
} from '../../../domain/secret/input.ts';
import { isFields } from '../../../domain/fields.ts';
import type { FieldMessages } from '../../../http/validation-messages.ts';
import type { SecretDocument } from '../../../projections/secrets/projection.ts';
import { createPresenter } from '../../presenter.ts';
import { withCheck, Id, InstantOut, ManagedBy, namedSchema, Revision } from '../../schema.ts';

const value = withCheck(
  Type.String({ minLength: 1, description: `At most ${MAX_VALUE_BYTES} bytes.` }),
  fitsMaxValueBytes,
  VALUE_SENTENCE,
);

/** Body of POST. */
export const NewSecret = Type.Object({
  secret_name: Type.String({ pattern: SECRET_NAME, sentence: SECRET_NAME_SENTENCE, examples: ['API_TOKEN'] }),
  secret_value: value,
  managed_by: Type.Optional({ ...ManagedBy, default: null }),
});

/**
 * Body of PUT and PATCH. Clients are allowed to send the name, but cannot change it. If the body contains the name or
 * `managed_by`, the value is optional, because responses to viewers have no value, and clients send back whole objects.
 */
export const SecretChange = Type.Object({
  secret_name: Type.Optional(Type.String()),
  secret_value: Type.Optional({
    ...value,
    description: `At most ${MAX_VALUE_BYTES} bytes. It may be absent if \`secret_name\` or \`managed_by\` is sent.`,
  }),
  managed_by: Type.Optional(ManagedBy),
});

/** A secret without its value, as shown to all callers (docs/reference/secrets.md#secret-fields). */
export const Secret = namedSchema(
  'Secret',
  Type.Object({
    id: Id,
    secret_name: Type.String(),
    managed_by: ManagedBy,
    revision: Revision,
    created_by: Type.String({ description: 'The id of a user, or of the API key that was used.' }),
    updated_by: Type.String({ description: 'The id of a user, or of the API key that was used.' }),
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);

/** A secret with its value, as shown to editors and admins. */
export const SecretWithValue = namedSchema(
  'SecretWithValue',
  Type.Object({
    ...Secret.properties,
    secret_value: Type.Optional(Type.String({ description: 'Only for editors and admins.' })),
  }),
);

export const presentSecret: (secret: SecretDocument) => Static<typeof Secret> = createPresenter(Secret);

const envVariable = Type.String({ pattern: ENV_VARIABLE, sentence: ENV_VARIABLE_SENTENCE, examples: ['API_TOKEN'] });

/** A secret to bind, and the environment variable from which the script reads the secret. */
export const NewBinding = Type.Object({ secret_id: Id, env_variable: envVariable });

/** All secret bindings of a check. */
export const NewBindings = Type.Array(NewBinding, { maxItems: MAX_SECRETS });

/** See docs/reference/secrets.md#bindings. */
export const SecretBinding = namedSchema(
  'SecretBinding',
  Type.Object({
    id: Id,
    secret_id: Id,
    env_variable: Type.String(),
    secret: Type.Object({ id: Id, secret_name: Type.String() }),
    created_at: InstantOut,
  }),
);

export const presentBinding = createPresenter(SecretBinding);

const orNothing = (errors: FieldMessages): FieldMessages | null => (Object.keys(errors).length === 0 ? null : errors);

const reservedIn = (binding: Partial<BindingInput>): FieldMessages =>
  typeof binding.env_variable === 'string' && isReserved(binding.env_variable)
    ? { env_variable: [RESERVED_SENTENCE] }
    : {};

/** Returns the errors of a binding that its schema does not report. */
export const bindingBodyErrors = (body: unknown): FieldMessages | null =>
  isFields(body) ? orNothing(reservedIn(body)) : null;

/** Returns the errors of bindings that their schema does not report. @param prefix prefix of the field paths */
export const bindingListBodyErrors = (body: unknown, prefix = ''): FieldMessages | null => {
  if (!Array.isArray(body)) return null;
  const bindings = body.slice(0, MAX_SECRETS).map((one): Partial<BindingInput> => (isFields(one) ? one : {}));
  const reserved = bindings.flatMap((binding, index) =>
    Object.entries(reservedIn(binding)).map(([field, errors]) => [`${index}.${field}`, errors] as const),
  );
  const broken = { ...bindingErrors(bindings), ...Object.fromEntries(reserved) };
  return orNothing(Object.fromEntries(Object.entries(broken).map(([field, errors]) => [`${prefix}${field}`, errors])));
};
