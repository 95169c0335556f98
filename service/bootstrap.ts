import type { Appended } from '../commands/engine/appended.ts';
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
  /** id of the log `main`; the first organization's id follows from it */
  logId: string;
  /** where a generated key is kept; null where there is no such place and ADMIN_API_KEY has to be set */
  keyFile: string | null;
  /** ADMIN_API_KEY */
  adminApiKey: string | null;
  /** called with the position in the log of the last change that this start made */
  appended?: Appended;
}

/** What a start did about the admin key, for the person who started it. */
export type AdminKey =
  /** made now, to be shown once */
  | { kind: 'generated'; key: string }
  /** ADMIN_API_KEY became the key, just now or at an earlier start; `first`: there was no organization before */
  | { kind: 'environment'; first: boolean }
  /** ADMIN_API_KEY was revoked, and stays so */
  | { kind: 'revoked' }
  /** there has been one since an earlier start */
  | { kind: 'kept' };

const FIRST_ORGANIZATION = 'Default';

/** Id of the organization that the first start makes: the operator's own. */
export const firstOrganizationOf = (logId: string): string => derivedId(`first organization of ${logId}`);

/**
 * Makes sure that there is an organization with an admin key. A start that died half-way is continued: a generated
 * key is in its file before it is in the log.
 *
 * @throws OperatorError a key would have to be made, and there is no place to keep it
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
  if (keyFile === null) throw new OperatorError('ADMIN_API_KEY must be set, since there is no admin key yet.');
  let key = readSecret(keyFile);
  if (key === null) {
    key = randomApiKey();
    writeSecret(keyFile, key);
  }
  await make({ name: FIRST_ORGANIZATION, key, origin: 'first_start' }, context);
  return { kind: 'generated', key };
};
