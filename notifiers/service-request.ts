import { isFields, type Fields } from '../domain/fields.ts';
import type { NetworkContext } from '../network/context.ts';
import { httpAsk } from '../network/http-request.ts';
import type { ServiceAnswer, ServiceRequest } from './channels/channel-type.ts';
import { tryHttp } from './http-attempt.ts';

/** Maximum bytes to read of a response. */
const MOST_BYTES = 64 * 1024;

/**
 * Sends a request to a messaging service and reads the response, whatever its status.
 *
 * @param who the service in sentences: `Telegram`
 * @throws OwnTrouble
 */
export const askService = async (
  { url, headers, body }: ServiceRequest,
  context: NetworkContext,
  who: string,
): Promise<ServiceAnswer> => {
  const request = {
    url,
    method: 'POST',
    headers: { 'user-agent': 'Uptrail', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  const read: Pick<ServiceAnswer, 'text' | 'said'> = { text: null, said: null };
  const sent = await tryHttp(request, context, who, async (asked, of, enter) => {
    const answer = await httpAsk(asked, MOST_BYTES, of, enter);
    if (answer.body) read.text = answer.body.toString();
    if (read.text !== null) read.said = fieldsIn(read.text);
    return answer;
  });
  return { sent, ...read };
};

const fieldsIn = (text: string): Fields => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
};
