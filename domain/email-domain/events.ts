import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { Sealed } from '../sealed.ts';

export const PURPOSES = ['dkim', 'spf', 'dmarc', 'ownership'] as const;
/** What a record of the DNS is for. */
export type Purpose = (typeof PURPOSES)[number];

/** What a look-up says about a record. */
export const Finding = Type.Object({
  purpose: Type.Union(PURPOSES.map((purpose) => Type.Literal(purpose))),
  /** `unknown`: nobody could say; that proves nothing, and disproves nothing */
  outcome: Type.Union([Type.Literal('found'), Type.Literal('wrong'), Type.Literal('unknown')]),
  /** why it was not found, a sentence; null if it was */
  problem: Type.Union([Type.String(), Type.Null()]),
});
export type Finding = Static<typeof Finding>;

/** What a domain's records are made from. */
export const Configuration = Type.Object({
  /** in lower case and ASCII, without the dot at its end */
  domain: Type.String(),
  from_email: Type.String(),
  /** names the key: `uptrail-k3v9x0q2m7ab` */
  selector: Type.String(),
  /** RSA, SubjectPublicKeyInfo in base64, as DKIM records have it */
  public_key: Type.String(),
  /** PKCS #8 in PEM, field `private_key` */
  private_key: Sealed,
  /** what the owner of the domain puts into the DNS: of this page alone */
  ownership_token: Type.String(),
  /** the SPF record that is suggested */
  spf: Type.String(),
});
export type Configuration = Static<typeof Configuration>;

const ids = { page_id: Type.String() };

/** The domain that mail about a page is sent from, in `email_domain-{page_id}`; a new domain takes the place of the old one. */
export const emailDomainEvents = {
  EmailDomainConfigured: {
    version: 1,
    data: Type.Object({
      ...ids,
      ...Configuration.properties,
      configured_at: InstantSchema,
      /** when it is looked up by itself */
      next_check_at: InstantSchema,
    }),
  },
  /** Another address of the same domain, with the same records. */
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
      /** since when a verified domain has lacked a record that it needs; null: it lacks none */
      missing_since: Type.Union([InstantSchema, Type.Null()]),
      /** null: it is looked up only by request from now on */
      next_check_at: Type.Union([InstantSchema, Type.Null()]),
    }),
  },
  /** The page owns the domain, and its key is published: mail may be sent from it. */
  EmailDomainVerified: {
    version: 1,
    data: Type.Object({ ...ids, domain: Type.String(), verified_at: InstantSchema }),
  },
  /** Its records have been away for too long: mail is no longer sent from it. */
  EmailDomainFailed: {
    version: 1,
    data: Type.Object({ ...ids, domain: Type.String(), failed_at: InstantSchema, problems: Type.Array(Type.String()) }),
  },
} as const satisfies EventDefinitions;

export type EmailDomainEvent = EventsOf<typeof emailDomainEvents>;
