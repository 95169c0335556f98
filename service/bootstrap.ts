import type { Appended } from '../commands/engine/appended-positions.ts';
import { randomApiKey } from '../commands/organizations/api-keys.ts';
import { bootstrapOrganization } from '../commands/organizations/organizations.ts';
import type { Handle } from '../commands/engine/handle.ts';
import { derivedId } from '../domain/identity.ts';
import { organizationDecider } from '../domain/organization/state.ts';
import { commandLineContext } from './command-line.ts';
import { readSecret, writeSecret } from './embedded/data-directory.ts';
import { OperatorError } from './operator-error.ts';

export interface BootstrapOptions {
  handle: Handle;
  /** id of the log `main`; the id of the first organization is derived from it */
  logId: string;
  /** path of the file for a generated key; null: there is no such file, so ADMIN_API_KEY has to be set */
  keyFile: string | null;
  /** value of ADMIN_API_KEY; null if it is not set */
  adminApiKey: string | null;
  /** collects the log position of the newest event that this start appends */
  appended?: Appended;
}

/** The state of the admin key after a start. It is reported to the operator. */
export type AdminKey =
  /** this start has generated the key, which is shown only once */
  | { kind: 'generated'; key: string }
  /**
   * ADMIN_API_KEY is the admin key; this start or an earlier one has set it. `first`: this start has created the first
   * organization
   */
  | { kind: 'environment'; first: boolean }
  /** ADMIN_API_KEY is a revoked key, and stays revoked */
  | { kind: 'revoked' }
  /** an earlier start has created the admin key */
  | { kind: 'kept' };

const FIRST_ORGANIZATION = 'Default';

/** Returns the id of the organization that the first start creates. It belongs to the operator. */
export const firstOrganizationOf = (logId: string): string => derivedId(`first organization of ${logId}`);

/**
 * Ensures that there is an organization with an admin key. A generated key is written to its file before its event is
 * appended to the log. If a start is interrupted between these steps, the next start continues with the same key.
 *
 * @throws OperatorError a key has to be generated, but there is no file for it
 */
export const bootstrap = async (options: BootstrapOptions): Promise<AdminKey> => {
  const { handle, logId, keyFile, adminApiKey, appended = new Map() } = options;
  const organizationId = firstOrganizationOf(logId);
  const context = { ...commandLineContext(organizationId), appended };
  const make = bootstrapOrganization({ handle });

  const organization = await handle.load(organizationId, organizationDecider, context);
  const isNew = organization.status !== 'active';
  if (adminApiKey !== null) {
    const outcome = await make({ name: FIRST_ORGANIZATION, key: adminApiKey, origin: 'environment' }, context);
    return outcome === 'revoked' ? { kind: 'revoked' } : { kind: 'environment', first: isNew };
  }
  if (!isNew) return { kind: 'kept' };
  if (keyFile === null) throw new OperatorError('ADMIN_API_KEY must be set, because there is no admin key yet.');
  let key = readSecret(keyFile);
  if (key === null) {
    key = randomApiKey();
    writeSecret(keyFile, key);
  }
  await make({ name: FIRST_ORGANIZATION, key, origin: 'first_start' }, context);
  return { kind: 'generated', key };
};
