import { IDEMPOTENCY_KEY, indented, type Call } from './call.ts';

/** A text in single quotes of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What curl takes by default: POST with a body, else GET. */
const usualMethod = ({ body }: Call): string => (body === undefined ? 'GET' : 'POST');

/** The call as a command line. */
export const curl = (call: Call): string => {
  const { method, path, credential, body, idempotencyKey, stream } = call;
  const lines = [
    `curl ${stream ? '-N ' : ''}${method === usualMethod(call) ? '' : `-X ${method} `}"$UPTRAIL${path.replace(/["\\$`]/g, '\\$&')}"`,
    ...(credential === null ? [] : [`-H "Authorization: ${credential === 'TOKEN' ? 'Bearer ' : ''}$${credential}"`]),
    ...(idempotencyKey ? [`-H ${quoted(`Idempotency-Key: ${IDEMPOTENCY_KEY}`)}`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(indented(body))}`]),
  ];
  return lines.join(' \\\n  ');
};
