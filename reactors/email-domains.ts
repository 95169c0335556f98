import { verifyEmailDomain } from '../commands/organizations/email-domains.ts';
import { derivedUuid, reactorContext } from '../commands/engine/context.ts';
import type { CommandDependencies } from '../commands/dependencies.ts';
import type { EventOf } from '../domain/catalogue.ts';
import { CHECK_EVERY_MS } from '../domain/email-domain/decide.ts';
import { NotFound } from '../domain/errors.ts';
import { millisecondsOf } from '../domain/time.ts';
import type { Noted } from '../commands/engine/appended.ts';
import { dueWork, type DueContext } from './engine/due.ts';
import { againAt, done, type Ending } from './engine/ending.ts';
import type { DueItem, DueList, TodoProjection } from './engine/lists.ts';
import type { Reactor } from './engine/loop.ts';

export const EMAIL_DOMAINS = 'email-domains';

/** How many domains are looked up at once: name servers may be slow. */
const AT_ONCE = 8;
/** A domain that was looked up by request a moment ago is not yet looked up again. */
const A_MOMENT_MS = 60_000;

/** An item of the to-do list `email_domain_checks`: a page whose domain is looked up at a time. */
export interface EmailDomainCheckItem extends DueItem {
  organization_id: string;
}

/** A domain was verified, or has failed. */
export type EmailDomainChange = EventOf<'EmailDomainVerified' | 'EmailDomainFailed'>;

export interface EmailDomainsDependencies extends Pick<CommandDependencies, 'handle' | 'lookUpTexts'> {
  list: (context: { appended: Noted }) => DueList<EmailDomainCheckItem>;
  todo: TodoProjection;
  /** called when a domain is verified or has failed */
  changed?: (event: EmailDomainChange) => void;
}

/** Looks up the records of e-mail domains every day; those configured before count too. */
export const emailDomainsReactor = ({ list, todo, ...dependencies }: EmailDomainsDependencies): Reactor => ({
  name: EMAIL_DOMAINS,
  countsEarlier: true,
  todo,
  work: dueWork(EMAIL_DOMAINS, todo, list, checkDomain(dependencies), { longest: CHECK_EVERY_MS, atOnce: AT_ONCE }),
});

const checkDomain =
  ({ handle, lookUpTexts, changed }: Omit<EmailDomainsDependencies, 'list' | 'todo'>) =>
  async (item: EmailDomainCheckItem, { now, appended }: DueContext): Promise<Ending> => {
    const { id: pageId, organization_id: organizationId, changed_position } = item;
    const commandId = derivedUuid(`${EMAIL_DOMAINS}/${pageId}/${changed_position.toString()}`);
    const context = reactorContext(EMAIL_DOMAINS, { organizationId, commandId, now, appended });
    try {
      const events = await verifyEmailDomain({ handle, lookUpTexts })(pageId, context);
      if (events.length === 0) return againAt(millisecondsOf(now) + A_MOMENT_MS);
      for (const event of events) {
        if (event.type === 'EmailDomainVerified' || event.type === 'EmailDomainFailed') changed?.(event);
      }
    } catch (error) {
      // The page was deleted meanwhile, which takes the item off the list.
      if (!(error instanceof NotFound)) throw error;
    }
    return done();
  };
