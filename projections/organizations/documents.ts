import type { Instant } from '../../domain/time.ts';

export interface OrganizationDocument {
  id: string;
  name: string;
  /** credits in a month; null: no limit */
  credit_limit: number | null;
  created_at: Instant;
  updated_at: Instant;
}

/** An API key that was not revoked; expired ones are included. */
export interface ApiKeyDocument {
  /** SHA-256 of the key, hexadecimal, so that authenticating is one `get` */
  id: string;
  api_key_id: string;
  organization_id: string;
  name: string;
  prefix: string;
  /** may be unknown to this release (domain/organization/roles.ts) */
  role: string;
  /** id of the user who made it; null if it was made on the command line or at the first start */
  created_by: string | null;
  created_at: Instant;
  /** the key is refused from this moment on; null: never */
  expires_at: Instant | null;
}
