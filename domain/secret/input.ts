/** What a secret can be called (decisions.md: Secrets). */
export const SECRET_NAME = '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$';
export const SECRET_NAME_SENTENCE =
  'Must have at most 100 letters, digits, underscores, points and hyphens, and begin with a letter or an underscore.';

/** Bytes of a value, as UTF-8 (decisions.md: Secrets). */
export const LONGEST_VALUE = 32_768;
export const VALUE_SENTENCE = `Must have at most ${LONGEST_VALUE.toString()} bytes as UTF-8.`;

/** Whether a value is not too long. */
export const isShortEnough = (value: string): boolean => Buffer.byteLength(value) <= LONGEST_VALUE;

/** What the environment variable of a script can be called (decisions.md: Secrets). */
export const ENV_VARIABLE = '^[A-Za-z_][A-Za-z0-9_]{0,99}$';
export const ENV_VARIABLE_SENTENCE =
  'Must have at most 100 letters, digits and underscores, and begin with a letter or an underscore.';
export const RESERVED_SENTENCE = 'Is reserved.';

/** Programs take these as orders; the last one is no field that objects of JavaScript can have. */
const RESERVED = /^(?:PATH|NODE_OPTIONS|LD_.*|__proto__)$/;

/** Whether a script can't have a variable of that name, although its form is right. */
export const isReserved = (name: string): boolean => RESERVED.test(name);

/** The most secrets that a check can be bound to. */
export const MOST_SECRETS = 100;

/** A secret that is to be read through an environment variable. */
export interface BindingInput {
  secret_id: string;
  env_variable: string;
}

/**
 * What is wrong with bindings besides the form of their fields: a variable or a secret that stands twice.
 *
 * @returns sentences by field, such as `1.env_variable`; none if they can stand beside each other
 */
export const brokenBindings = (bindings: readonly Partial<BindingInput>[]): Record<string, string[]> => {
  const seen = { secret_id: new Set<unknown>(), env_variable: new Set<unknown>() };
  const broken: Record<string, string[]> = {};
  for (const [place, binding] of bindings.entries()) {
    for (const field of ['secret_id', 'env_variable'] as const) {
      const value = binding[field];
      if (value !== undefined && seen[field].has(value))
        broken[`${place.toString()}.${field}`] = ['Must be given once.'];
      seen[field].add(value);
    }
  }
  return broken;
};
