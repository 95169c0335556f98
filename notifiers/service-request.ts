import { isFields, type Fields } from '../domain/fields.ts';
import type { NetworkContext } from '../network/context.ts';
import { httpRequestWithBody } from '../network/http-request.ts';
import type { ServiceResponse, ServiceRequest } from './channels/channel-type.ts';
import { attemptHttp } from './http-attempt.ts';

/** Maximum size of a response that is read, in bytes. */
const MOST_BYTES = 64 * 1024;

/**
 * Sends a request to a messaging service and reads the response, whatever its status.
 *
 * @param who name of the service in sentences: `Telegram`
 * @throws LocalFailure
 */
export const requestService = async (
  { url, headers, body }: ServiceRequest,
  context: NetworkContext,
  who: string,
): Promise<ServiceResponse> => {
  const request = {
    url,
    method: 'POST',
    headers: { 'user-agent': 'Uptrail', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  const read: Pick<ServiceResponse, 'text' | 'fields'> = { text: null, fields: null };
  const sent = await attemptHttp(request, context, who, async (asked, of, enter) => {
    const answer = await httpRequestWithBody(asked, MOST_BYTES, of, enter);
    if (answer.body) read.text = answer.body.toString();
    if (read.text !== null) read.fields = fieldsIn(read.text);
    return answer;
  });
  return { outcome: sent, ...read };
};

const fieldsIn = (text: string): Fields => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
};
