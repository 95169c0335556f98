import { verifyEmailDomain } from '../commands/organizations/email-domains.ts';
import { derivedUuid, reactorContext } from '../commands/engine/context.ts';
import type { EventOf } from '../domain/event-types.ts';
import { CHECK_INTERVAL_MS } from '../domain/email-domain/decide.ts';
import { NotFound } from '../domain/errors.ts';
import { millisecondsOf } from '../domain/time.ts';
import { emailDomains, type EmailDomainCheckDocument } from '../projections/email-domains/projection.ts';
import type { ReactorContext, WriteLine } from './context.ts';
import { defineReactor } from './engine/define.ts';
import type { DueContext } from './engine/due.ts';
import { retryItemAt, done, type ItemResult } from './engine/item-result.ts';
import { due } from './engine/list-declarations.ts';

export const EMAIL_DOMAINS = 'email-domains';

/** Number of concurrent lookups. More than one, because name servers can be slow. */
const AT_ONCE = 8;
/** Delay of the next check of a domain whose DNS records were just looked up at a user's request. */
const A_MOMENT_MS = 60_000;

/** The event of a domain that was verified, or whose verification failed. */
export type EmailDomainChange = EventOf<'EmailDomainVerified' | 'EmailDomainFailed'>;

/**
 * Looks up the DNS records of each e-mail domain every day. Domains configured before the reactor was first active are
 * included.
 */
export const emailDomainChecks = defineReactor({
  name: EMAIL_DOMAINS,
  does: 'looks up the DNS records of e-mail domains every day',
  countsEarlier: true,
  list: due(emailDomains, 'email_domain_checks', { longest: CHECK_INTERVAL_MS, atOnce: AT_ONCE }),
  act: (...given) => checkDomain(...given),
});

/** Returns the log line about a domain that was verified, or whose verification failed. */
export const domainLogLine = ({ type, data }: EmailDomainChange): Parameters<WriteLine> => {
  const { page_id: pageId, domain } = data;
  if (type === 'EmailDomainVerified') return ['info', { pageId, domain }, `E-mail domain ${domain} is verified.`];
  const { problems } = data;
  return [
    'warn',
    { pageId, domain, problems },
    `E-mail domain ${domain} failed, so mail about its page is sent from MAIL_FROM: ${problems.join(' ')}`,
  ];
};

const checkDomain = async (
  { id: pageId, organization_id: organizationId, changed_position }: EmailDomainCheckDocument,
  { handle, lookUpTexts, line, now, appended }: ReactorContext & DueContext,
): Promise<ItemResult> => {
  const commandId = derivedUuid(`${EMAIL_DOMAINS}/${pageId}/${changed_position}`);
  const context = reactorContext(EMAIL_DOMAINS, { organizationId, commandId, now, appended });
  try {
    const events = await verifyEmailDomain({ handle, lookUpTexts })(pageId, context);
    if (events.length === 0) return retryItemAt(millisecondsOf(now) + A_MOMENT_MS);
    for (const event of events) {
      if (event.type === 'EmailDomainVerified' || event.type === 'EmailDomainFailed') line(...domainLogLine(event));
    }
  } catch (error) {
    // The page was deleted meanwhile. Its deletion removes the item from the list.
    if (!(error instanceof NotFound)) throw error;
  }
  return done();
};
