import type { SecretBinding } from './events.ts';

/**
 * Returns the bindings in `before` whose claims `after` does not contain, so that the claims can be released. A binding
 * that only changes its environment variable keeps its claim and is not returned.
 */
export const endedBindings = (before: readonly SecretBinding[], after: readonly SecretBinding[]): SecretBinding[] =>
  before.filter(({ secret_id, claim }) =>
    // Every secret numbers its claims separately, so the secret is compared too.
    after.every((binding) => binding.secret_id !== secret_id || binding.claim !== claim),
  );
