import { Type, type Static } from '@sinclair/typebox';
import {
  brokenBindings,
  ENV_VARIABLE,
  ENV_VARIABLE_SENTENCE,
  isReserved,
  isShortEnough,
  LONGEST_VALUE,
  MOST_SECRETS,
  RESERVED_SENTENCE,
  SECRET_NAME,
  SECRET_NAME_SENTENCE,
  VALUE_SENTENCE,
  type BindingInput,
} from '../../../domain/secret/input.ts';
import { isFields } from '../../../domain/fields.ts';
import type { Sentences } from '../../../http/sentences.ts';
import type { SecretDocument } from '../../../projections/secrets/projection.ts';
import { presenting } from '../../present.ts';
import { checked, Id, InstantOut, named } from '../../schema.ts';

const value = checked(
  Type.String({ minLength: 1, description: `at most ${LONGEST_VALUE.toString()} bytes` }),
  isShortEnough,
  VALUE_SENTENCE,
);

/** Body of POST. */
export const NewSecret = Type.Object({
  secret_name: Type.String({ pattern: SECRET_NAME, sentence: SECRET_NAME_SENTENCE, examples: ['API_TOKEN'] }),
  secret_value: value,
});

/**
 * Body of PUT and PATCH; the name may be sent, but never changes. The value may be absent beside it, as in
 * what those send back who don't see it.
 */
export const SecretChange = Type.Object({
  secret_name: Type.Optional(Type.String()),
  secret_value: Type.Optional({
    ...value,
    description: `at most ${LONGEST_VALUE.toString()} bytes; may be absent beside \`secret_name\``,
  }),
});

/** spec.md: Secret, as everybody sees it. */
export const Secret = named(
  'Secret',
  Type.Object({
    id: Id,
    secret_name: Type.String(),
    created_by: Type.String({ description: 'id of a user, or of the API key that was used' }),
    updated_by: Type.String({ description: 'id of a user, or of the API key that was used' }),
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);

/** With its value, for editors and admins. */
export const SecretWithValue = named(
  'SecretWithValue',
  Type.Object({
    ...Secret.properties,
    secret_value: Type.Optional(Type.String({ description: 'only for editors and admins' })),
  }),
);

export const presentSecret: (secret: SecretDocument) => Static<typeof Secret> = presenting(Secret);

const envVariable = Type.String({ pattern: ENV_VARIABLE, sentence: ENV_VARIABLE_SENTENCE, examples: ['API_TOKEN'] });

/** A secret to be bound, and the variable through which a script is to read it. */
export const NewBinding = Type.Object({ secret_id: Id, env_variable: envVariable });

/** All of a check's secrets. */
export const NewBindings = Type.Array(NewBinding, { maxItems: MOST_SECRETS });

/** spec.md: Check-secret binding. */
export const SecretBinding = named(
  'SecretBinding',
  Type.Object({
    id: Id,
    secret_id: Id,
    env_variable: Type.String(),
    secret: Type.Object({ id: Id, secret_name: Type.String() }),
    created_at: InstantOut,
  }),
);

export const presentBinding = presenting(SecretBinding);

const orNothing = (said: Sentences): Sentences | null => (Object.keys(said).length === 0 ? null : said);

const reservedIn = (binding: Partial<BindingInput>): Sentences =>
  typeof binding.env_variable === 'string' && isReserved(binding.env_variable)
    ? { env_variable: [RESERVED_SENTENCE] }
    : {};

/** What is wrong with a binding besides the form of its fields. */
export const brokenBinding = (body: unknown): Sentences | null => (isFields(body) ? orNothing(reservedIn(body)) : null);

/** What is wrong with bindings besides the form of their fields. @param prefix of the paths of their fields */
export const brokenInList = (body: unknown, prefix = ''): Sentences | null => {
  if (!Array.isArray(body)) return null;
  const bindings = body.slice(0, MOST_SECRETS).map((one): Partial<BindingInput> => (isFields(one) ? one : {}));
  const reserved = bindings.flatMap((binding, place) =>
    Object.entries(reservedIn(binding)).map(([field, said]) => [`${place.toString()}.${field}`, said] as const),
  );
  const broken = { ...brokenBindings(bindings), ...Object.fromEntries(reserved) };
  return orNothing(Object.fromEntries(Object.entries(broken).map(([field, said]) => [`${prefix}${field}`, said])));
};
