import { IDEMPOTENCY_KEY, indented, type Call } from './call.ts';

/** Quotes a text for a POSIX shell with single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns the method that curl uses by default: POST if there is a body, otherwise GET. */
const usualMethod = ({ body, text }: Call): string => (body === undefined && !text ? 'GET' : 'POST');

/** Returns the call as a command line. */
export const curl = (call: Call): string => {
  const { method, path, credential, body, text, idempotencyKey, stream } = call;
  const lines = [
    `curl ${stream ? '-N ' : ''}${method === usualMethod(call) ? '' : `-X ${method} `}"$UPTRAIL${path.replace(/["\\$`]/g, '\\$&')}"`,
    ...(credential === null ? [] : [`-H "Authorization: ${credential === 'TOKEN' ? 'Bearer ' : ''}$${credential}"`]),
    ...(idempotencyKey ? [`-H ${quoted(`Idempotency-Key: ${IDEMPOTENCY_KEY}`)}`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(indented(body))}`]),
    ...(text ? [`-H ${quoted(`Content-Type: ${text.type}`)}`, `--data-binary ${quoted(text.content)}`] : []),
  ];
  return lines.join(' \\\n  ');
};
