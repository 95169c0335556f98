import { HttpError } from '../../../http/errors.ts';
import type { SentRequest } from '../../../http/routes/sent-request.ts';
import { isSameOrigin } from '../../../http/routes/same-origin.ts';

/** Rejects a form that another site has sent on behalf of a visitor. @throws HttpError 403 */
export const requireOwnForm = (sent: SentRequest): void => {
  if (!isSameOrigin(sent)) {
    throw new HttpError(403, 'This form was sent from another site. Please open the page and try again.');
  }
};
