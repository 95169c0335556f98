/** A registry's data about a domain. Missing data is null. Dates are in ISO 8601. */
export interface WhoisInfo {
  /** name in lower case and in ASCII (IDNA) */
  domain_name: string | null;
  registrar: string | null;
  creation_date: string | null;
  expiration_date: string | null;
  updated_date: string | null;
  /** in EPP spelling (RFC 5731, 2.3): `clientTransferProhibited` */
  status: string[];
}

/** Returns `info`; data that is missing in `info` comes from `rest`. */
export const merged = (info: WhoisInfo, rest: WhoisInfo): WhoisInfo => ({
  domain_name: info.domain_name ?? rest.domain_name,
  registrar: info.registrar ?? rest.registrar,
  creation_date: info.creation_date ?? rest.creation_date,
  expiration_date: info.expiration_date ?? rest.expiration_date,
  updated_date: info.updated_date ?? rest.updated_date,
  status: info.status.length > 0 ? info.status : rest.status,
});
