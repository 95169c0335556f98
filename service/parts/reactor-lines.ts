import type { Logger } from 'pino';
import type { StatusChange } from '../../reactors/check-status.ts';
import type { EmailDomainChange } from '../../reactors/email-domains.ts';

/** Writes a line to the log of the process for each e-mail domain that is verified or fails. */
export const loggingDomains =
  (logger: Pick<Logger, 'info' | 'warn'>) =>
  ({ type, data }: EmailDomainChange): void => {
    const { page_id: pageId, domain } = data;
    if (type === 'EmailDomainVerified') logger.info({ pageId, domain }, `the e-mail domain ${domain} is verified`);
    else
      logger.warn(
        { pageId, domain, problems: data.problems },
        `the e-mail domain ${domain} failed, so mail about its page comes from MAIL_FROM: ${data.problems.join(' ')}`,
      );
  };

/** Writes a line to the log of the process for each check that comes up, goes down or recovers. */
export const loggingStatus =
  (logger: Pick<Logger, 'info' | 'warn'>) =>
  ({ event, name }: StatusChange): void => {
    const { check_id: checkId, region, result_id: resultId } = event.data;
    const fields = { checkId, region, resultId };
    switch (event.type) {
      case 'CheckWentDown':
        logger.warn(fields, `check "${name}" went down: ${event.data.error_message ?? 'no reason was given'}`);
        return;
      case 'CheckRecovered':
        logger.info(fields, `check "${name}" recovered`);
        return;
      case 'CheckCameUp':
        logger.info(fields, `check "${name}" came up`);
    }
  };
