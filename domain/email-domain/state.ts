import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import type { Instant } from '../time.ts';
import type { Configuration, EmailDomainEvent } from './events.ts';

export type VerificationStatus = 'pending' | 'verified' | 'failed';

export interface ConfiguredDomain extends Pick<
  Configuration,
  'domain' | 'from_email' | 'selector' | 'public_key' | 'ownership_token' | 'spf'
> {
  status: VerificationStatus;
  page_id: string;
  configured_at: Instant;
  last_checked_at: Instant | null;
  /** when a required record of the verified domain was first found missing; null if none is missing */
  missing_since: Instant | null;
}

/** The sender domain of mail about a status page. */
export type EmailDomain = { status: 'absent' } | ConfiguredDomain;

export const { existing, onExisting } = lifecycleOf<EmailDomain>('e-mail domain');

const evolve = (state: EmailDomain, event: EmailDomainEvent): EmailDomain => {
  switch (event.type) {
    case 'EmailDomainConfigured': {
      const { page_id, domain, from_email, selector, public_key, ownership_token, spf, configured_at } = event.data;
      return {
        status: 'pending',
        page_id,
        domain,
        from_email,
        selector,
        public_key,
        ownership_token,
        spf,
        configured_at,
        last_checked_at: null,
        missing_since: null,
      };
    }
    case 'EmailDomainSenderChanged':
      return onExisting(state, (domain) => ({ ...domain, from_email: event.data.from_email }));
    case 'EmailDomainChecked': {
      const { checked_at: last_checked_at, missing_since } = event.data;
      return onExisting(state, (domain) => ({ ...domain, last_checked_at, missing_since }));
    }
    case 'EmailDomainVerified':
      return onExisting(state, (domain) => ({ ...domain, status: 'verified' }));
    case 'EmailDomainFailed':
      return onExisting(state, (domain) => ({ ...domain, status: 'failed' }));
    default:
      return unreachable(event);
  }
};

export const emailDomainDecider: Decider<EmailDomain, EmailDomainEvent> = {
  category: 'email_domain',
  initialState: { status: 'absent' },
  evolve,
};
