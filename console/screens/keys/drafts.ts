import { ROLE_NAMES, type RoleName } from '../../session/roles.ts';
import { DAY_MS } from '../../../domain/time.ts';

/** When a key expires. `never`; `30`, `90`, `365`: after this number of days; `at`: at a given time. */
export const EXPIRIES = ['never', '30', '90', '365', 'at'] as const;
export type Expiry = (typeof EXPIRIES)[number];

/**
 * Returns the value of `expires_at` for the API.
 *
 * @param at an API time, if `expiry` is `at`
 * @param now milliseconds since 1970
 */
export const expiryOf = (expiry: Expiry, at: string | null, now: number): string | null => {
  if (expiry === 'never') return null;
  if (expiry === 'at') return at;
  return new Date(now + Number(expiry) * DAY_MS).toISOString().slice(0, 19);
};

/** The roles that users of each role are allowed to give (docs/reference/permissions.md). */
const MAY_GIVE: Readonly<Record<RoleName, readonly RoleName[]>> = {
  viewer: ['viewer'],
  editor: ['viewer', 'editor'],
  admin: ROLE_NAMES,
  billing: ['viewer', 'billing'],
};

/** Returns the roles that a user with `role` is allowed to give an API key, lowest first. */
export const rolesUpTo = (role: string): readonly RoleName[] =>
  MAY_GIVE[ROLE_NAMES.find((name) => name === role) ?? 'viewer'];
