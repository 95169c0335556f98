import type { SecretBinding } from './events.ts';

/** The bindings whose claims are no longer needed. If only the variable of a secret changes, its claim remains. */
export const endedBindings = (before: readonly SecretBinding[], after: readonly SecretBinding[]): SecretBinding[] =>
  before.filter(({ secret_id, claim }) =>
    // Claim numbers are per secret.
    after.every((binding) => binding.secret_id !== secret_id || binding.claim !== claim),
  );
