import type { CheckTypeName } from '../../domain/check/events.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { SECRET_VALUE } from '../../domain/secret/decide.ts';
import { readableText, type Keys } from '../../stores/keys/port.ts';
import type { Outcome, RunnableCheck } from '../../probes/engine/check-type.ts';

/** A binding of a check to a secret, whose value is sealed. */
export interface BoundSecret {
  env_variable: string;
  /** null if the secret was deleted */
  secret: { secret_name: string; secret_value: Sealed } | null;
}

/**
 * The values of a check's secrets, by environment variable. If a secret cannot be read: a sentence that gives the
 * reason.
 */
export type OpenedSecrets = { values: RunnableCheck['secrets'] } | { unreadable: string };

/** Decrypts the secrets that a check is bound to. This happens at the last moment before the run. */
export const openSecrets = async (
  organizationId: string,
  bound: readonly BoundSecret[],
  keys: Pick<Keys, 'open'>,
): Promise<OpenedSecrets> => {
  const values: [string, string][] = [];
  for (const { env_variable, secret } of bound) {
    if (!secret) return { unreadable: `The secret bound to ${env_variable} was deleted.` };
    const value = await readableText(secret.secret_value, { organizationId, field: SECRET_VALUE }, keys);
    if (value === undefined) {
      const { secret_name } = secret;
      return { unreadable: `The secret ${secret_name}, bound to ${env_variable}, cannot be read: its key is missing.` };
    }
    values.push([env_variable, value]);
  }
  return { values: Object.fromEntries(values) };
};

/**
 * Check types whose results have the status `error` where the results of all other types have the status `failed`
 * (docs/reference/results.md#status-of-a-result).
 */
const WITH_ERRORS: ReadonlySet<CheckTypeName> = new Set(['multistep', 'synthetic']);

/** Returns the outcome of a run that did not start because a secret cannot be read. */
export const unreadableSecret = (type: CheckTypeName, sentence: string): Outcome => ({
  status: WITH_ERRORS.has(type) ? 'error' : 'failed',
  reason: 'secret',
  response_time: null,
  error_message: sentence,
  check_metadata: {},
});
