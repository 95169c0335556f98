import type { Request } from 'express';
import { hostedPageOf, type HostedPage } from '../hosts/page-hosts.ts';

type Sent = Pick<Request, 'headers' | 'originalUrl' | 'url' | 'secure'>;

/** The parts of a request that a handler may read in addition to its declared content. */
export class SentRequest {
  readonly #request: Sent;

  constructor(request: Sent) {
    this.#request = request;
  }

  /** The encoded path as it was requested, before it was mapped to the path of a status page (http/app.ts). */
  get path(): string {
    const { originalUrl } = this.#request;
    const mark = originalUrl.indexOf('?');
    return mark === -1 ? originalUrl : originalUrl.slice(0, mark);
  }

  /** The query with its question mark; empty if there is none. */
  get search(): string {
    const { originalUrl } = this.#request;
    const mark = originalUrl.indexOf('?');
    return mark === -1 ? '' : originalUrl.slice(mark);
  }

  /** Whether the request was sent to the host of a status page. Its path is then relative to the page. */
  get onPageHost(): boolean {
    return this.hostedPage !== null;
  }

  /** The page to whose host the request was sent; null if it was sent to a host of the service. */
  get hostedPage(): HostedPage | null {
    return hostedPageOf(this.#request);
  }

  /** Whether the client used https. Behind a proxy, this is only known if TRUST_PROXY is set. */
  get secure(): boolean {
    return this.#request.secure;
  }

  /** Returns a header by its name in lower case. */
  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** Returns a cookie by its name; null if the client sent none, or an invalid one. */
  cookie(name: string): string | null {
    const prefix = `${name}=`;
    const pair = this.#request.headers.cookie?.split(';').find((one) => one.trimStart().startsWith(prefix));
    if (pair === undefined) return null;
    try {
      return decodeURIComponent(pair.trim().slice(prefix.length));
    } catch {
      return null;
    }
  }
}
