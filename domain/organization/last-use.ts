import { DAY_MS, instantOf, type Instant } from '../time.ts';

/** How long the time of a key's last use is stored, in milliseconds. */
const STORED_MS = 5 * 366 * DAY_MS;

/** Returns the coordination entry (kind `last_use`) that stores when an API key was last used. */
export const lastUseEntry = (keyId: string, organizationId: string, at: number) => ({
  id: keyId,
  value: JSON.stringify({ at: instantOf(at) }),
  owner: organizationId,
  expires_at: at + STORED_MS,
});

/** Returns the time that an entry from {@link lastUseEntry} contains. */
export const usedAt = ({ value }: { value: string }): Instant => (JSON.parse(value) as { at: Instant }).at;
