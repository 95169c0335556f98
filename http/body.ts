import type { IncomingMessage } from 'node:http';
import { HttpError } from './errors.ts';
import { JSON_BODY, type BodyType } from './media/body-types.ts';

/** Maximum size of a request body, in bytes (docs/reference/requests.md#json). */
export const MAX_BODY_BYTES = 1_048_576;
/** Maximum number of bytes of a refused body that are still read, so that the client can read the response. */
const DRAINED_BYTES = 16 * MAX_BODY_BYTES;

/**
 * An unparsed body with its type, which is one of the accepted types. If the request has no body, the type is the first
 * accepted type.
 */
export interface ReadBody {
  bytes: Buffer;
  type: BodyType;
}

/**
 * Reads the body of a request.
 *
 * @param accepted accepted types; the first one that matches is used. Empty if a body is not allowed
 * @param encoded true: any `Content-Encoding` is accepted, and the body is returned encoded
 * @returns the body; empty if the request has none
 * @throws HttpError 413, 415; 400 if the connection was closed before the end of the body
 */
export const readBody = async (
  request: IncomingMessage,
  accepted: readonly BodyType[],
  { encoded = false }: { encoded?: boolean } = {},
): Promise<ReadBody> => {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  if (chunked === undefined && (length === undefined || length === '0')) return absentBody(accepted);
  if (length !== undefined && Number(length) > MAX_BODY_BYTES) {
    drain(request, 0);
    throw tooLarge();
  }
  if (chunked === undefined) return { type: typeOf(request, accepted, encoded), bytes: await collect(request) };
  const bytes = await collect(request);
  return bytes.length === 0 ? absentBody(accepted) : { type: typeOf(request, accepted, encoded), bytes };
};

const NO_BYTES = Buffer.alloc(0);

/** Returns an empty body of the first accepted type. Used if the request has no body or if its body is ignored. */
export const absentBody = ([type = JSON_BODY]: readonly BodyType[]): ReadBody => ({ bytes: NO_BYTES, type });

const tooLarge = () => new HttpError(413, 'The body is larger than 1 MiB.');

/** @throws HttpError 415 */
const typeOf = ({ headers }: IncomingMessage, accepted: readonly BodyType[], encoded: boolean): BodyType => {
  const { 'content-type': contentType, 'content-encoding': encoding } = headers;
  const type = accepted.find(({ matches }) => matches(contentType));
  if (!type) throw new HttpError(415, wanted(accepted));
  if (!encoded && encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new HttpError(415, 'The body must be sent without a Content-Encoding.');
  }
  return type;
};

const wanted = (accepted: readonly BodyType[]): string => {
  const names = accepted.map(({ name }) => name);
  if (names.length === 0) return 'This path takes no body.';
  const advice = `send Content-Type: ${names.join(' or ')}.`;
  return names.length === 1 && accepted[0] === JSON_BODY
    ? `The body must be JSON: ${advice}`
    : `The body has the wrong type: ${advice}`;
};

const collect = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      request.off('data', take);
      drain(request, size);
      reject(tooLarge());
    };
    request.on('data', take);
    request.once('end', () => {
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    request.once('error', () => {
      reject(new HttpError(400, 'The body was cut off.'));
    });
  });

/** Reads the rest of a body and discards it. Disconnects a client that sends too much. */
const drain = (request: IncomingMessage, already: number): void => {
  let size = already;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > DRAINED_BYTES) request.destroy();
  });
};
