import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { Sealed } from '../sealed.ts';

export const PURPOSES = ['dkim', 'spf', 'dmarc', 'ownership'] as const;
/** The purpose of a DNS record. */
export type Purpose = (typeof PURPOSES)[number];

/** The finding of a look-up of a record. */
export const Finding = Type.Object({
  purpose: Type.Union(PURPOSES.map((purpose) => Type.Literal(purpose))),
  /** `unknown`: no definite answer, so neither found nor missing */
  outcome: Type.Union([Type.Literal('found'), Type.Literal('wrong'), Type.Literal('unknown')]),
  /** why it was not found, as a sentence; null if it was found */
  problem: Type.Union([Type.String(), Type.Null()]),
});
export type Finding = Static<typeof Finding>;

/** The configuration that a domain's records are derived from. */
export const Configuration = Type.Object({
  /** in lower case and ASCII, without a trailing dot */
  domain: Type.String(),
  from_email: Type.String(),
  /** names the key: `uptrail-k3v9x0q2m7ab` */
  selector: Type.String(),
  /** RSA, SubjectPublicKeyInfo in base64, as in DKIM records */
  public_key: Type.String(),
  /** PKCS #8 in PEM, field `private_key` */
  private_key: Sealed,
  /** published in the DNS by the owner of the domain; specific to this page */
  ownership_token: Type.String(),
  /** the recommended SPF record */
  spf: Type.String(),
});
export type Configuration = Static<typeof Configuration>;

const ids = { page_id: Type.String() };

/** The sender domain of mail about a page, in `email_domain-{page_id}`. A new domain replaces the old one. */
export const emailDomainEvents = {
  EmailDomainConfigured: {
    version: 1,
    data: Type.Object({
      ...ids,
      ...Configuration.properties,
      configured_at: InstantSchema,
      /** when the next automatic look-up is due */
      next_check_at: InstantSchema,
    }),
  },
  /** Another sender address of the same domain, with the same records. */
  EmailDomainSenderChanged: {
    version: 1,
    data: Type.Object({
      ...ids,
      changed_at: InstantSchema,
      from_email: Type.String(),
      previous: Type.Object({ from_email: Type.String() }),
    }),
  },
  /** Its records were looked up. */
  EmailDomainChecked: {
    version: 1,
    data: Type.Object({
      ...ids,
      checked_at: InstantSchema,
      records: Type.Array(Finding),
      /** since when a required record of a verified domain has been missing; null if none is missing */
      missing_since: Type.Union([InstantSchema, Type.Null()]),
      /** null: from now on, look-ups only on request */
      next_check_at: Type.Union([InstantSchema, Type.Null()]),
    }),
  },
  /** Ownership is proven and the key is published: mail may be sent from the domain. */
  EmailDomainVerified: {
    version: 1,
    data: Type.Object({ ...ids, domain: Type.String(), verified_at: InstantSchema }),
  },
  /** Its records have been missing for too long: mail is no longer sent from it. */
  EmailDomainFailed: {
    version: 1,
    data: Type.Object({ ...ids, domain: Type.String(), failed_at: InstantSchema, problems: Type.Array(Type.String()) }),
  },
} as const satisfies EventDefinitions;

export type EmailDomainEvent = EventsOf<typeof emailDomainEvents>;
