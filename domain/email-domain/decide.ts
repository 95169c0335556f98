import type { EventOf } from '../event-types.ts';
import { existing as existingPage, type Page } from '../page/state.ts';
import { Invalid } from '../errors.ts';
import { DAY_MS, HOUR_MS, later, millisecondsOf, type Instant } from '../time.ts';
import type { Configuration, EmailDomainEvent, Finding } from './events.ts';
import { addressAt, isEmailDomain, storedEmailDomain } from './names.ts';
import { spfFor } from './records.ts';
import { existing, type ConfiguredDomain, type EmailDomain } from './state.ts';

/** The interval of automatic look-ups of a domain's records. */
export const CHECK_INTERVAL_MS = DAY_MS;
/** The pause after a look-up without a definite answer. */
const AGAIN_AFTER_MS = 6 * HOUR_MS;
/** Grace period: a verified domain fails when one of its records has been missing for this long. */
export const GRACE_MS = 3 * DAY_MS;
/**
 * How long a domain that was never verified is looked up automatically. After this period, the domain is looked up only
 * on request.
 */
export const RECHECK_PERIOD_MS = 30 * DAY_MS;
/** If the previous look-up is more recent than this, a look-up on request returns the previous findings. */
export const MIN_CHECK_INTERVAL_MS = 15_000;

export interface EmailDomainInput {
  domain: string;
  from_email: string;
}

/** Returns the domain and the address of an input in their stored form. @throws Invalid */
export const storedInput = ({ domain, from_email }: EmailDomainInput): EmailDomainInput => {
  const broken = inputErrors({ domain, from_email });
  if (Object.keys(broken).length > 0) throw new Invalid({ json: broken });
  const stored = storedEmailDomain(domain);
  return { domain: stored, from_email: addressAt(from_email, stored) ?? '' };
};

/** Validates an input beyond its schema. Values that are not texts count as absent. */
export const inputErrors = ({
  domain,
  from_email,
}: {
  domain?: unknown;
  from_email?: unknown;
}): Record<string, string[]> => {
  const broken: Record<string, string[]> = {};
  const known = typeof domain === 'string' && isEmailDomain(domain);
  if (typeof domain === 'string' && !known) broken['domain'] = ['Must be a domain name such as status.example.com.'];
  if (typeof from_email === 'string' && known && addressAt(from_email, storedEmailDomain(domain)) === null) {
    broken['from_email'] = [`Must be an e-mail address at ${storedEmailDomain(domain)}.`];
  }
  return broken;
};

/** The key pair and random texts of a new domain. */
export type DomainSecrets = Pick<Configuration, 'selector' | 'public_key' | 'private_key' | 'ownership_token'>;

/** Whether an input keeps the current domain of the page. In this case, the DNS records stay the same. */
export const keepsRecords = (state: EmailDomain, { domain }: Pick<EmailDomainInput, 'domain'>): boolean =>
  state.status !== 'absent' && state.domain === domain;

/**
 * Configures the sender domain of a status page. If the domain does not change, only the sender address changes; the
 * key, the records and the status stay the same. A new domain replaces the previous one and must be verified.
 *
 * @param input from {@link storedInput}
 * @param made the secrets of a new domain; null only if {@link keepsRecords}
 * @throws NotFound the page does not exist
 */
export const configureEmailDomain = (
  state: EmailDomain,
  pageState: Page,
  input: EmailDomainInput,
  made: DomainSecrets | null,
  mailDomain: string | null,
  now: Instant,
): EmailDomainEvent[] => {
  const page = existingPage(pageState);
  const { domain, from_email } = input;
  if (state.status !== 'absent' && keepsRecords(state, input)) {
    if (state.from_email === from_email) return [];
    const previous = { from_email: state.from_email };
    return [{ type: 'EmailDomainSenderChanged', data: { page_id: page.id, changed_at: now, from_email, previous } }];
  }
  if (!made) throw new Error('A new domain needs a key.');
  return [
    {
      type: 'EmailDomainConfigured',
      data: {
        page_id: page.id,
        domain,
        from_email,
        ...made,
        spf: spfFor(domain, mailDomain),
        configured_at: now,
        next_check_at: later(now, CHECK_INTERVAL_MS),
      },
    },
  ];
};

/**
 * Whether the records of a domain may be looked up now. Two look-ups must be at least {@link MIN_CHECK_INTERVAL_MS}
 * apart.
 */
export const isCheckedNow = ({ last_checked_at }: ConfiguredDomain, now: Instant): boolean =>
  last_checked_at === null ||
  now < last_checked_at ||
  millisecondsOf(now) - millisecondsOf(last_checked_at) >= MIN_CHECK_INTERVAL_MS;

/**
 * Records the findings of a look-up. A domain is verified when its ownership record and its key are found. A verified
 * domain that lacks one of these records fails after {@link GRACE_MS}. Findings without a definite answer change
 * nothing.
 *
 * @param selector the selector of the looked-up records. If this is not the current selector, the domain was configured
 * again meanwhile, and the findings are ignored.
 * @throws NotFound the page does not exist, or has no domain
 */
export const recordCheck = (
  state: EmailDomain,
  page: Page,
  selector: string,
  records: readonly Finding[],
  now: Instant,
): EmailDomainEvent[] => {
  const { id: page_id } = existingPage(page);
  const domain = existing(state);
  if (domain.selector !== selector) return [];
  const needed = records.filter(({ purpose }) => purpose === 'ownership' || purpose === 'dkim');
  const proven = needed.length > 0 && needed.every(({ outcome }) => outcome === 'found');
  const refuted = needed.filter(({ outcome }) => outcome === 'wrong');
  const since = missingSince(domain, proven, refuted.length > 0, now);
  const fails =
    domain.status === 'verified' &&
    refuted.length > 0 &&
    since !== null &&
    millisecondsOf(now) - millisecondsOf(since) >= GRACE_MS;
  const missing_since = fails ? null : since;
  const unsure = records.some(({ outcome }) => outcome === 'unknown');
  const checked: EventOf<'EmailDomainChecked'> = {
    type: 'EmailDomainChecked',
    data: {
      page_id,
      checked_at: now,
      records: [...records],
      missing_since,
      next_check_at: nextCheck(domain, { proven, unsure, missing_since }, now),
    },
  };
  if (proven && domain.status !== 'verified') {
    return [checked, { type: 'EmailDomainVerified', data: { page_id, domain: domain.domain, verified_at: now } }];
  }
  if (!fails) return [checked];
  const problems = refuted.flatMap(({ problem }) => problem ?? []);
  return [checked, { type: 'EmailDomainFailed', data: { page_id, domain: domain.domain, failed_at: now, problems } }];
};

const missingSince = (domain: ConfiguredDomain, proven: boolean, refuted: boolean, now: Instant): Instant | null => {
  if (domain.status !== 'verified' || proven) return null;
  // If `missing_since` is in the future, the clock was ahead when it was recorded. In this case the grace period starts
  // now, so that it does not become longer.
  if (domain.missing_since !== null) return domain.missing_since > now ? now : domain.missing_since;
  return refuted ? now : null;
};

const nextCheck = (
  { status, configured_at }: ConfiguredDomain,
  { proven, unsure, missing_since }: { proven: boolean; unsure: boolean; missing_since: Instant | null },
  now: Instant,
): Instant | null => {
  if (status === 'pending' && !proven && millisecondsOf(now) - millisecondsOf(configured_at) >= RECHECK_PERIOD_MS)
    return null;
  const soon = later(now, unsure ? AGAIN_AFTER_MS : CHECK_INTERVAL_MS);
  const end = missing_since === null ? soon : later(missing_since, GRACE_MS);
  return end > now && end < soon ? end : soon;
};
