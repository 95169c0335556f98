/** What a registry says about a domain; null for what it does not say. Dates in ISO 8601. */
export interface WhoisInfo {
  /** in lower case, as IDNA spells it */
  domain_name: string | null;
  registrar: string | null;
  creation_date: string | null;
  expiration_date: string | null;
  updated_date: string | null;
  /** as EPP spells them (RFC 5731, 2.3): `clientTransferProhibited` */
  status: string[];
}
