import { ROLE_NAMES, type RoleName } from '../../session/roles.ts';
import { DAY_MS } from '../../../domain/time.ts';

/** When a key expires: never, after a number of days, or at a set time. */
export const EXPIRIES = ['never', '30', '90', '365', 'at'] as const;
export type Expiry = (typeof EXPIRIES)[number];

/**
 * Returns the value of `expires_at`.
 *
 * @param at for `at`: an API time
 * @param now milliseconds since 1970
 */
export const expiryOf = (expiry: Expiry, at: string | null, now: number): string | null => {
  if (expiry === 'never') return null;
  if (expiry === 'at') return at;
  return new Date(now + Number(expiry) * DAY_MS).toISOString().slice(0, 19);
};

/** The roles that a role may assign (docs/reference/permissions.md). */
const MAY_GIVE: Readonly<Record<RoleName, readonly RoleName[]>> = {
  viewer: ['viewer'],
  editor: ['viewer', 'editor'],
  admin: ROLE_NAMES,
  billing: ['viewer', 'billing'],
};

/** Returns the roles that a user with a role may give a key, lowest first. */
export const rolesUpTo = (role: string): readonly RoleName[] =>
  MAY_GIVE[ROLE_NAMES.find((name) => name === role) ?? 'viewer'];
