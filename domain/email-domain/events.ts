import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { Sealed } from '../sealed.ts';

export const PURPOSES = ['dkim', 'spf', 'dmarc', 'ownership'] as const;
/** The purpose of a DNS record. */
export type Purpose = (typeof PURPOSES)[number];

/** The result of looking up one record. */
export const Finding = Type.Object({
  purpose: Type.Union(PURPOSES.map((purpose) => Type.Literal(purpose))),
  /** `unknown`: the look-up gave no definite answer */
  outcome: Type.Union([Type.Literal('found'), Type.Literal('wrong'), Type.Literal('unknown')]),
  /** why the record was not found, as a sentence; null if it was found */
  problem: Type.Union([Type.String(), Type.Null()]),
});
export type Finding = Static<typeof Finding>;

/** The configuration that a domain's records are derived from. */
export const Configuration = Type.Object({
  /** the domain in lower case and ASCII, without a trailing dot */
  domain: Type.String(),
  from_email: Type.String(),
  /** DKIM selector, the name of the key: `uptrail-k3v9x0q2m7ab` */
  selector: Type.String(),
  /** RSA public key, SubjectPublicKeyInfo in base64, as in DKIM records */
  public_key: Type.String(),
  /** RSA private key, PKCS #8 in PEM, sealed for the field `private_key` */
  private_key: Sealed,
  /** a text that the owner of the domain publishes in the DNS; different for each page */
  ownership_token: Type.String(),
  /** the recommended SPF record */
  spf: Type.String(),
});
export type Configuration = Static<typeof Configuration>;

const ids = { page_id: Type.String() };

/**
 * Events of the sender domain of mail about a status page, in `email_domain-{page_id}`. A new domain replaces the
 * previous one.
 */
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
  /** The page uses another sender address of the same domain. The records do not change. */
  EmailDomainSenderChanged: {
    version: 1,
    data: Type.Object({
      ...ids,
      changed_at: InstantSchema,
      from_email: Type.String(),
      previous: Type.Object({ from_email: Type.String() }),
    }),
  },
  /** The records of the domain were looked up. */
  EmailDomainChecked: {
    version: 1,
    data: Type.Object({
      ...ids,
      checked_at: InstantSchema,
      records: Type.Array(Finding),
      /** since when a required record of a verified domain has been missing; null if none is missing */
      missing_since: Type.Union([InstantSchema, Type.Null()]),
      /** when the next automatic look-up is due; null: from now on, the domain is looked up only on request */
      next_check_at: Type.Union([InstantSchema, Type.Null()]),
    }),
  },
  /** Ownership is proven and the key is published: mail may be sent from the domain. */
  EmailDomainVerified: {
    version: 1,
    data: Type.Object({ ...ids, domain: Type.String(), verified_at: InstantSchema }),
  },
  /** The records of the domain have been missing for too long: mail is no longer sent from the domain. */
  EmailDomainFailed: {
    version: 1,
    data: Type.Object({ ...ids, domain: Type.String(), failed_at: InstantSchema, problems: Type.Array(Type.String()) }),
  },
} as const satisfies EventDefinitions;

export type EmailDomainEvent = EventsOf<typeof emailDomainEvents>;
