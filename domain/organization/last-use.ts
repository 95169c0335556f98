import { DAY_MS, instantOf, type Instant } from '../time.ts';

/** How long the last use of a key is stored, milliseconds. */
const STORED_MS = 5 * 366 * DAY_MS;

/** The last use of an API key as an entry of the kind `last_use`. */
export const lastUseEntry = (keyId: string, organizationId: string, at: number) => ({
  id: keyId,
  value: JSON.stringify({ at: instantOf(at) }),
  owner: organizationId,
  expires_at: at + STORED_MS,
});

/** The time of use in an entry. */
export const usedAt = ({ value }: { value: string }): Instant => (JSON.parse(value) as { at: Instant }).at;
