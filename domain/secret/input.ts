/** The pattern of names of secrets (docs/reference/secrets.md#names). */
export const SECRET_NAME = '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$';
export const SECRET_NAME_SENTENCE =
  'Must have at most 100 letters, digits, underscores, dots and hyphens, and begin with a letter or an underscore.';

/** Maximum length of a value in bytes as UTF-8 (docs/reference/secrets.md#values). */
export const MAX_VALUE_BYTES = 32_768;
export const VALUE_SENTENCE = `Must have at most ${MAX_VALUE_BYTES} bytes as UTF-8.`;

/** Whether a value fits into the maximum length. */
export const fitsMaxValueBytes = (value: string): boolean => Buffer.byteLength(value) <= MAX_VALUE_BYTES;

/** The pattern of names of environment variables (docs/reference/secrets.md#bindings). */
export const ENV_VARIABLE = '^[A-Za-z_][A-Za-z0-9_]{0,99}$';
export const ENV_VARIABLE_SENTENCE =
  'Must have at most 100 letters, digits and underscores, and begin with a letter or an underscore.';
export const RESERVED_SENTENCE = 'Is reserved.';

/**
 * Names of variables that cannot be used. `__proto__` cannot be a property of a JavaScript object. The others affect
 * how programs are executed.
 */
const RESERVED = /^(?:PATH|NODE_OPTIONS|LD_.*|__proto__)$/;

/** Whether a variable name that matches {@link ENV_VARIABLE} is reserved. */
export const isReserved = (name: string): boolean => RESERVED.test(name);

/** Maximum number of secrets that a check can be bound to. */
export const MAX_SECRETS = 100;

/** A binding in a request: a secret, and the environment variable that will contain its value. */
export interface BindingInput {
  secret_id: string;
  env_variable: string;
}

/** Finds secrets and variables that occur more than once in bindings. */
export const bindingErrors = (bindings: readonly Partial<BindingInput>[]): Record<string, string[]> => {
  const seen = { secret_id: new Set<unknown>(), env_variable: new Set<unknown>() };
  const broken: Record<string, string[]> = {};
  for (const [index, binding] of bindings.entries()) {
    for (const field of ['secret_id', 'env_variable'] as const) {
      const value = binding[field];
      if (value !== undefined && seen[field].has(value)) broken[`${index}.${field}`] = ['Must be given once.'];
      seen[field].add(value);
    }
  }
  return broken;
};
