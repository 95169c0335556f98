import type { SecretBinding } from './events.ts';

/** The bindings of a check whose claims it no longer needs; a secret that it reads through another variable stays claimed. */
export const endedBindings = (before: readonly SecretBinding[], after: readonly SecretBinding[]): SecretBinding[] =>
  before.filter(({ secret_id, claim }) =>
    // Claims are numbered by secret.
    after.every((binding) => binding.secret_id !== secret_id || binding.claim !== claim),
  );
