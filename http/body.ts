import type { IncomingMessage } from 'node:http';
import { HttpError } from './errors.ts';
import { JSON_BODY, type BodyType } from './media/body-types.ts';

/** Largest request body (decisions.md: HTTP rules, 413). */
export const MAX_BODY_BYTES = 1_048_576;
/** How much of a refused body is still read, so that the client gets to see the answer. */
const DRAINED_BYTES = 16 * MAX_BODY_BYTES;
/** A body as it came, and which of the accepted types it has; an absent body has the first. */
export interface ReadBody {
  bytes: Buffer;
  type: BodyType;
}

/**
 * Reads the body of a request with an accepted type.
 *
 * @param accepted types of bodies, of which the first that matches counts; empty where a body means nothing
 * @param encoded whether it is taken as it was sent, whatever its `Content-Encoding`
 * @returns no bytes where there is no body
 * @throws HttpError 413, 415 and, where it was cut off, 400
 */
export const readBody = async (
  request: IncomingMessage,
  accepted: readonly BodyType[],
  { encoded = false }: { encoded?: boolean } = {},
): Promise<ReadBody> => {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  if (chunked === undefined && (length === undefined || length === '0')) return absent(accepted);
  if (length !== undefined && Number(length) > MAX_BODY_BYTES) {
    drain(request, 0);
    throw tooLarge();
  }
  if (chunked === undefined) return { type: typeOf(request, accepted, encoded), bytes: await collect(request) };
  const bytes = await collect(request);
  return bytes.length === 0 ? absent(accepted) : { type: typeOf(request, accepted, encoded), bytes };
};

const NO_BYTES = Buffer.alloc(0);

/** Stands for an absent body, or one that is not read. */
export const absent = ([type = JSON_BODY]: readonly BodyType[]): ReadBody => ({ bytes: NO_BYTES, type });

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
  const said = `send Content-Type: ${names.join(' or ')}.`;
  return names.length === 1 && accepted[0] === JSON_BODY
    ? `The body must be JSON: ${said}`
    : `The body has another type: ${said}`;
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

/** Reads the rest and drops it; cuts off a client that sends for too long. */
const drain = (request: IncomingMessage, already: number): void => {
  let size = already;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > DRAINED_BYTES) request.destroy();
  });
};
