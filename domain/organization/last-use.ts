import { instantOf, type Instant } from '../time.ts';

/** How long it is known when a key was last used, milliseconds: whoever asks later learns nothing of it. */
const KEPT_MS = 5 * 366 * 86_400_000;

/** The last use of an API key as an entry of the kind `last_use`. */
export const lastUseEntry = (keyId: string, organizationId: string, at: number) => ({
  id: keyId,
  value: JSON.stringify({ at: instantOf(at) }),
  owner: organizationId,
  expires_at: at + KEPT_MS,
});

/** When the use was that an entry tells of. */
export const usedAt = ({ value }: { value: string }): Instant => (JSON.parse(value) as { at: Instant }).at;
