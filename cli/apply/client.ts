import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSemaphore } from '../../domain/concurrency/mutex.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import { explainUplinkFailure, openUplink, proxyOf } from '../../network/uplink.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { version } from '../../service/version.ts';

export interface ClientOptions {
  /** URL of the service, without `/v1` */
  server: URL;
  /** API key */
  key: string;
  /** ends all requests */
  signal?: AbortSignal;
  /** certificates (PEM) that are trusted in addition to those of the system */
  trust?: readonly string[];
  /** environment with the variables of the proxy; default: no proxy */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Waits between two attempts of a request. Default: a timer. */
  wait?: (milliseconds: number) => Promise<unknown>;
}

export interface WriteOptions {
  /** revision that the resource must have */
  revision?: number | undefined;
  /** default: a new key for each call; repeated attempts of a call share it */
  idempotencyKey?: string;
  /** Sends CSV instead of JSON. */
  contentType?: string;
}

/** A client of the interface under /v1. Its methods throw OperatorError, or {@link Refusal} if the service refuses. */
export interface Client {
  /** URL of the service, for messages */
  server: string;
  /** Reads a resource. */
  get: (path: string) => Promise<unknown>;
  /** Reads a response as text, such as an export. */
  text: (path: string) => Promise<string>;
  /**
   * Reads all pages of a list.
   *
   * @param key field of the response with the items
   * @param size query parameter of the page size
   */
  list: (path: string, key: string, size?: 'page_size' | 'per_page') => Promise<Fields[]>;
  /** Writes. `body` is sent as JSON unless it is a text. Returns the body of the response; null if it has none. */
  write: (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, options?: WriteOptions) => Promise<unknown>;
  close: () => Promise<void>;
}

/** Path of an invalid field, and what is wrong with it. */
export type FieldError = readonly [field: string, sentence: string];

/** The service has refused a request. The message is a sentence with the invalid fields. */
export class Refusal extends OperatorError {
  readonly status: number;
  /** the invalid fields, each with a sentence */
  readonly errors: readonly FieldError[];

  constructor(status: number, message: string, errors: readonly FieldError[] = []) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** Number of concurrent requests. Must not exceed the number of connections of the uplink. */
export const CONCURRENT = 8;
/** Number of concurrent reads. Lists are heavy, and the service allows three of one caller (docs/reference/requests.md). */
const CONCURRENT_READS = 3;
/** Attempts of a request whose response is 429 or 503. */
const ATTEMPTS = 6;
/** Least number of attempts of a request whose connection fails. An attempt whose packets are dropped can take 45 s. */
const CONNECTION_ATTEMPTS = 2;
/**
 * Milliseconds after which a request fails whose connection fails. A service that has responded before may only be
 * restarting, whereas a service that has never responded may have another URL.
 */
const CONNECTION_PATIENCE_MS = 30_000;
const FIRST_CONNECTION_PATIENCE_MS = 3_000;
/** Longest pause before another attempt, in milliseconds. A longer `Retry-After` is not waited for. */
const LONGEST_PAUSE_MS = 60_000;
const FIRST_PAUSE_MS = 250;
/** Longest pause before another attempt if the response has no `Retry-After`, in milliseconds. */
const LONGEST_OWN_PAUSE_MS = 5_000;
const TIMEOUT_MS = 45_000;
const PAGE_SIZE = 100;
/** Attempts to read all pages of a list that changes meanwhile. */
const LIST_ATTEMPTS = 5;

interface Answer {
  status: number;
  retryAfter: string | null;
  text: string;
}

/** A page of a list. */
interface Page {
  items: Fields[];
  /** number of pages and items of the whole list */
  pages: number;
  total: number;
}

interface Attempt {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/**
 * Creates a client. It repeats requests that got 429 or 503, and requests whose connection failed, be it that of a proxy
 * (502 or 504). Repeated changes have the same Idempotency-Key, so that each is done once.
 */
export const createClient = (options: ClientOptions): Client => {
  const { server, key, signal, trust = [], environment = {} } = options;
  const uplink = openUplink({ server, trust, proxy: proxyOf(server, environment) });
  const limited = createSemaphore(CONCURRENT);
  const limitedReads = createSemaphore(CONCURRENT_READS);
  const name = server.href.replace(/\/+$/, '');
  const wait = options.wait ?? ((milliseconds) => sleep(milliseconds, undefined, signal && { signal }));
  let hasResponded = false;
  const common = { authorization: `Bearer ${key}`, accept: 'application/json', 'user-agent': `uptrail/${version()}` };

  const once = async (attempt: Attempt): Promise<Answer> => {
    const response = await uplink.request({
      ...attempt,
      headers: { ...common, ...attempt.headers },
      ...(signal && { signal }),
      timeout: TIMEOUT_MS,
      idleTimeout: TIMEOUT_MS,
    });
    const parts: Uint8Array[] = [];
    for await (const part of response.body) parts.push(part);
    const answer = { ...response, text: Buffer.concat(parts).toString('utf8') };
    hasResponded ||= !isOfProxy(answer);
    return answer;
  };

  /** Sends a request. Returns a sentence if the service cannot be reached, directly or through a proxy in front of it. */
  const reached = async (attempt: Attempt): Promise<Answer | string> => {
    try {
      const answer = await once(attempt);
      return hasResponded && isOfProxy(answer) ? `The response has the status ${answer.status}.` : answer;
    } catch (error) {
      if (signal?.aborted === true) throw new OperatorError('The command was interrupted.');
      return explainUplinkFailure(error);
    }
  };

  const repeated = async (attempt: Attempt): Promise<Answer> => {
    // Attempts whose connection failed, and the milliseconds since the first of these failures.
    let failed = 0;
    let lost = 0;
    // Attempts with a transient answer.
    let refused = 0;
    for (;;) {
      const begun = performance.now();
      const answer = await reached(attempt);
      let pause: number;
      if (typeof answer === 'string') {
        failed += 1;
        lost += performance.now() - begun;
        if (
          failed >= CONNECTION_ATTEMPTS &&
          lost >= (hasResponded ? CONNECTION_PATIENCE_MS : FIRST_CONNECTION_PATIENCE_MS)
        )
          throw new OperatorError(`The service at ${name} cannot be reached: ${answer}`);
        pause = pauseAfter(null, failed);
        lost += pause;
      } else {
        refused += 1;
        pause = pauseAfter(answer.retryAfter, refused);
        if (!isTransient(answer, failed > 0) || refused >= ATTEMPTS || pause > LONGEST_PAUSE_MS) return answer;
      }
      await wait(pause).catch(() => {
        throw new OperatorError('The command was interrupted.');
      });
    }
  };

  const send = async (attempt: Attempt): Promise<Answer> => {
    const answer = await repeated(attempt);
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw refusalOf(attempt, answer, name);
  };

  const get = (path: string): Promise<unknown> =>
    limitedReads(() => limited(async () => parsed(await send({ method: 'GET', path, headers: {} }), name)));

  const readPage = async (path: string, field: string, size: string, page: number): Promise<Page> => {
    const query = `${path.includes('?') ? '&' : '?'}page=${page}&${size}=${PAGE_SIZE}`;
    const body = await get(`${path}${query}`);
    const { [field]: items, pagination } = isFields(body) ? body : {};
    if (!Array.isArray(items) || !isFields(pagination)) throw notUptrail(name);
    const { total_pages, pages, total_items, total } = pagination;
    return { items: items as Fields[], pages: Number(total_pages ?? pages), total: Number(total_items ?? total) };
  };

  /** Reads all pages of a list. Returns null if the list has changed meanwhile. */
  const allPages = async (path: string, field: string, size: string): Promise<Fields[] | null> => {
    const first = await readPage(path, field, size, 1);
    const numbers = Array.from({ length: Math.max(first.pages - 1, 0) }, (_, index) => index + 2);
    const others = await Promise.all(numbers.map((page) => readPage(path, field, size, page)));
    const all = [first, ...others];
    const items = [...new Map(all.flatMap((page) => page.items).map((item) => [item['id'], item])).values()];
    return all.every(({ total }) => total === items.length) ? items : null;
  };

  return {
    server: name,
    get,
    text: (path) => limited(async () => (await send({ method: 'GET', path, headers: { accept: '*/*' } })).text),
    list: async (path, field, size = 'page_size') => {
      // An item that is created or deleted meanwhile moves other items to another page.
      for (let attempts = 1; attempts <= LIST_ATTEMPTS; attempts++) {
        const items = await allPages(path, field, size);
        if (items) return items;
      }
      throw new OperatorError(`The list ${path} of ${name} changes too quickly. Try again later.`);
    },
    write: (method, path, body, { revision, idempotencyKey = randomUUID(), contentType = 'application/json' } = {}) =>
      limited(async () => {
        const headers = {
          'idempotency-key': idempotencyKey,
          ...(revision !== undefined && { 'if-match': `"${revision}"` }),
          ...(body !== undefined && { 'content-type': contentType }),
        };
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        const answer = await send({ method, path, headers, ...(body !== undefined && { body: text }) });
        return answer.text === '' ? null : parsed(answer, name);
      }),
    close: () => uplink.close(),
  };
};

/** A repetition of a change is 409 while its first attempt, whose connection failed, is still in progress. */
const isTransient = ({ status }: Answer, isRepeated: boolean): boolean =>
  status === 429 || status === 503 || (status === 409 && isRepeated);

/** Whether an answer comes from a proxy that got no response from the service. */
const isOfProxy = ({ status }: Answer): boolean => status === 502 || status === 504;

/** Returns the milliseconds to wait before the next attempt. */
const pauseAfter = (retryAfter: string | null, attempts: number): number =>
  retryAfter !== null && /^\d{1,6}$/.test(retryAfter)
    ? Math.max(Number(retryAfter) * 1_000, FIRST_PAUSE_MS)
    : Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_OWN_PAUSE_MS);

const parsed = ({ text }: Answer, name: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw notUptrail(name);
  }
};

const notUptrail = (name: string): OperatorError =>
  new OperatorError(`The server at ${name} does not answer as Uptrail does. Is the URL correct?`);

const refusalOf = ({ method, path }: Attempt, { status, text }: Answer, name: string): OperatorError => {
  if (status === 401)
    return new OperatorError(`${name} does not accept the API key. Set UPTRAIL_API_KEY to a valid one.`);
  const body = errorBodyOf(text);
  const known = refusalText(body);
  const sentence = known ?? `The response has the status ${status}.`;
  if (status === 403 && method === 'GET') {
    return new Refusal(status, `${name} does not allow the API key to read ${path.replace(/\?.*$/, '')}: ${sentence}`);
  }
  if (known === null) return new Refusal(status, `${method} ${path} of ${name}: ${sentence}`);
  return new Refusal(status, sentence, fieldErrors(body));
};

/** Returns the error body in a text; null if it is none. */
const errorBodyOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

/** Returns the invalid fields that an error body names. */
const fieldErrors = (body: unknown): FieldError[] => {
  const groups = isFields(body) && isFields(body['errors']) ? Object.values(body['errors']).filter(isFields) : [];
  return groups.flatMap((group) =>
    Object.entries(group).map(([field, sentences]): FieldError => [field, [sentences].flat().map(String).join(' ')]),
  );
};

/** Returns the message of an error body, with the invalid fields; null if the value is not an error body. */
export const refusalText = (body: unknown): string | null => {
  if (!isFields(body) || typeof body['message'] !== 'string') return null;
  const fields = fieldErrors(body).map(([field, sentence]) => `${field}: ${sentence}`);
  return fields.length > 0 ? fields.join(' ') : body['message'];
};
