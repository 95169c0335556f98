import type { EventOf } from '../../../domain/event-types.ts';
import type { Finding } from '../../../domain/email-domain/events.ts';
import type { Instant } from '../../../domain/time.ts';
import { PAGE } from '../page/examples.ts';

/** Returns a time in November 2026, at noon by default: `on(20)`, `on(20, '13:00')`. */
export const on = (day: number, clock = '12:00'): Instant =>
  `2026-11-${day.toString().padStart(2, '0')}T${clock}:00.000000`;

export const DOMAIN_SECRETS = {
  selector: 'uptrail-k3v9x0q2m7ab',
  public_key: 'TUlJQklq',
  private_key: { key: `email_domain-${PAGE}`, sealed: 'private' },
  ownership_token: 'token',
};

export const configured = (
  more: Partial<EventOf<'EmailDomainConfigured'>['data']> = {},
): EventOf<'EmailDomainConfigured'> => ({
  type: 'EmailDomainConfigured',
  data: {
    page_id: PAGE,
    domain: 'example.com',
    from_email: 'status@example.com',
    ...DOMAIN_SECRETS,
    spf: 'v=spf1 include:mail.example.org ~all',
    configured_at: on(1),
    next_check_at: on(2),
    ...more,
  },
});

/** Returns the finding for each record. By default, all records exist. */
export const findings = (
  outcomes: Partial<Record<Finding['purpose'], Finding['outcome']>> = {},
): EventOf<'EmailDomainChecked'>['data']['records'] =>
  (['dkim', 'spf', 'dmarc', 'ownership'] as const).map((purpose) => {
    const outcome = outcomes[purpose] ?? 'found';
    return { purpose, outcome, problem: outcome === 'found' ? null : `${purpose} is ${outcome}.` };
  });

export const checked = (
  at: Instant,
  records: EventOf<'EmailDomainChecked'>['data']['records'],
  next_check_at: Instant | null,
  missing_since: Instant | null = null,
): EventOf<'EmailDomainChecked'> => ({
  type: 'EmailDomainChecked',
  data: { page_id: PAGE, checked_at: at, records, missing_since, next_check_at },
});

export const verified = (at: Instant): EventOf<'EmailDomainVerified'> => ({
  type: 'EmailDomainVerified',
  data: { page_id: PAGE, domain: 'example.com', verified_at: at },
});

export const failed = (at: Instant, problems: string[]): EventOf<'EmailDomainFailed'> => ({
  type: 'EmailDomainFailed',
  data: { page_id: PAGE, domain: 'example.com', failed_at: at, problems },
});
