import type { Clock } from '../../network/clock.ts';
import type { Uplink, UplinkRequest, UplinkResponse } from '../../network/uplink.ts';
import { InvalidServiceMessage, ServiceError } from './errors.ts';
import { eventsIn } from './event-stream.ts';
import { messageOfError, orderOf, receiptOf, stagedFileOf, welcomeOf, type ReadOrder } from './messages.ts';
import { PROTOCOL, PROTOCOL_HEADER, ROOT, type Hello, type Receipt, type Welcome } from './protocol.ts';
import type { ServiceClock } from './service-clock.ts';

/** How long the service may take to respond, in milliseconds. */
const PATIENCE_MS = 30_000;
/** Time limit of the request that ends a session, in milliseconds. */
const FAREWELL_MS = 2_000;
/** Maximum size of a response in bytes. Of the body of an error response, only `MAX_ERROR_BYTES` are read. */
const MAX_BYTES = 4_194_304;
const MAX_ERROR_BYTES = 65_536;

export interface WorkOptions {
  /** a stream without data for this long counts as broken, milliseconds */
  silence: number;
  signal: AbortSignal;
  /** Called when data has arrived, even if it is only a comment. */
  onData: () => void;
}

/**
 * The requests to the service (protocol.ts). Each can reject with ServiceError, InvalidServiceMessage or a network
 * error.
 */
export interface ServiceClient {
  connect: (hello: Hello, signal: AbortSignal) => Promise<Welcome>;
  /** Opens the stream of orders. Resolves when the stream is open. */
  work: (session: string, options: WorkOptions) => Promise<AsyncIterable<ReadOrder>>;
  /** Sends a report. @param body the report as JSON */
  report: (session: string, body: string, signal: AbortSignal) => Promise<Receipt>;
  /** Uploads a file. @returns the name of the file at the service */
  upload: (session: string, delivery: string, file: FileToUpload, signal: AbortSignal) => Promise<string>;
  leave: (session: string) => Promise<void>;
}

export interface FileToUpload {
  media_type: string;
  /** size in bytes */
  size: number;
  content: AsyncIterable<Uint8Array>;
}

export interface ServiceClientOptions {
  uplink: Pick<Uplink, 'request'>;
  token: string;
  clock: Pick<Clock, 'monotonic'>;
  serviceClock: Pick<ServiceClock, 'addSample'>;
}

export const createServiceClient = ({ uplink, token, clock, serviceClock }: ServiceClientOptions): ServiceClient => {
  const identification = { authorization: `Bearer ${token}`, [PROTOCOL_HEADER]: PROTOCOL.toString() };

  const send = async ({
    headers = {},
    ...request
  }: Pick<UplinkRequest, 'method' | 'path'> & Partial<UplinkRequest>): Promise<UplinkResponse> => {
    const response = await uplink.request({
      timeout: PATIENCE_MS,
      idleTimeout: PATIENCE_MS,
      ...request,
      path: `${ROOT}${request.path}`,
      headers: { ...headers, ...identification },
    });
    if (response.status >= 200 && response.status < 300) return response;
    const message = messageOfError(await beginningOf(response));
    throw new ServiceError(response.status, message ?? inOurWords(response.status), retryAfterOf(response));
  };

  const post = (path: string, body: string, signal: AbortSignal): Promise<UplinkResponse> =>
    send({ method: 'POST', path, body, signal, headers: { 'content-type': 'application/json' } });

  /**
   * Sends a request whose response contains the time of the service's clock, and adds that time to the measurements of
   * the clock.
   */
  const timed = async <T extends { clock: number }>(
    sending: () => Promise<UplinkResponse>,
    read: (text: string) => T,
  ): Promise<T> => {
    const sent = clock.monotonic();
    const response = await sending();
    const received = clock.monotonic();
    const parsed = read(await wholeOf(response));
    serviceClock.addSample({ sent, received, clock: parsed.clock });
    return parsed;
  };

  return {
    connect: (hello, signal) => timed(() => post('/sessions', JSON.stringify(hello), signal), welcomeOf),
    work: async (session, { silence, signal, onData }) => {
      const path = `/sessions/${encodeURIComponent(session)}/work`;
      const headers = { accept: 'text/event-stream' };
      const response = await send({ method: 'GET', path, headers, signal, idleTimeout: silence });
      return ordersIn(response, onData);
    },
    report: (session, body, signal) =>
      timed(() => post(`/sessions/${encodeURIComponent(session)}/results`, body, signal), receiptOf),
    upload: async (session, delivery, { media_type, size, content }, signal) => {
      const response = await send({
        method: 'PUT',
        path: `/sessions/${encodeURIComponent(session)}/files/${encodeURIComponent(delivery)}`,
        headers: { 'content-type': media_type, 'content-length': size.toString() },
        body: content,
        signal,
      });
      return stagedFileOf(await wholeOf(response)).staged;
    },
    leave: async (session) => {
      const path = `/sessions/${encodeURIComponent(session)}`;
      const response = await send({ method: 'DELETE', path, timeout: FAREWELL_MS, idleTimeout: FAREWELL_MS });
      response.discard();
    },
  };
};

async function* ordersIn({ body }: UplinkResponse, onData: () => void): AsyncGenerator<ReadOrder, void, undefined> {
  const chunks = async function* () {
    for await (const chunk of body) {
      onData();
      yield chunk;
    }
  };
  for await (const text of eventsIn(chunks())) {
    const order = orderOf(text);
    if (order) yield order;
  }
}

const wholeOf = async (response: UplinkResponse): Promise<string> => {
  const { text, isWhole } = await textOf(response, MAX_BYTES);
  if (!isWhole) throw new InvalidServiceMessage(`The service has sent more than ${MAX_BYTES} bytes.`);
  return text;
};

const beginningOf = async (response: UplinkResponse): Promise<string> => (await textOf(response, MAX_ERROR_BYTES)).text;

const textOf = async (response: UplinkResponse, most: number): Promise<{ text: string; isWhole: boolean }> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > most) {
      response.discard();
      return { text: Buffer.concat(chunks).toString(), isWhole: false };
    }
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString(), isWhole: true };
};

/**
 * Returns the pause that a response requests, in milliseconds, limited to an hour. `Retry-After` can also be a date
 * (RFC 9110, 10.2.3), which is ignored because the clocks may differ.
 */
const retryAfterOf = ({ retryAfter }: UplinkResponse): number | null =>
  retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Math.min(Number(retryAfter), 3_600) * 1_000 : null;

/** Returns the message for an error response that contains no message, for example from a proxy. */
const inOurWords = (status: number): string => {
  if (status >= 300 && status < 400)
    return `The server redirects to another address (${status}). The token is not sent there: set --server to the final address.`;
  if (status === 404) return 'The server has no API for remote runners at this address (404).';
  return `The server responded with status ${status}.`;
};
