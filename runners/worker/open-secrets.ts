import type { CheckTypeName } from '../../domain/check/events.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { SECRET_VALUE } from '../../domain/secret/decide.ts';
import { readableText, type Keys } from '../../stores/keys/port.ts';
import type { Outcome, RunnableCheck } from '../../probes/engine/check-type.ts';

/** A secret bound to a check, with its value sealed. */
export interface BoundSecret {
  env_variable: string;
  /** null: it was deleted */
  secret: { secret_name: string; secret_value: Sealed } | null;
}

/** The values of a check's secrets by environment variable; or a sentence why one can't be read. */
export type OpenedSecrets = { values: RunnableCheck['secrets'] } | { unreadable: string };

/** Decrypts the secrets bound to a check of an organization, at the last moment before it is run. */
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

/** Types whose results say `error` where others say `failed` (docs/reference/results.md#status-of-a-result). */
const WITH_ERRORS: ReadonlySet<CheckTypeName> = new Set(['multistep', 'synthetic']);

/** The outcome of a run that did not start, because a secret can't be read. */
export const unreadableSecret = (type: CheckTypeName, sentence: string): Outcome => ({
  status: WITH_ERRORS.has(type) ? 'error' : 'failed',
  reason: 'secret',
  response_time: null,
  error_message: sentence,
  check_metadata: {},
});
