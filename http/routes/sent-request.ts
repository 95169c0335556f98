import type { Request } from 'express';
import { hostedPageOf, type HostedPage } from '../hosts/page-hosts.ts';

type Sent = Pick<Request, 'headers' | 'originalUrl' | 'url' | 'secure'>;

/** The parts of a request that a handler may read beyond its declared content. */
export class SentRequest {
  readonly #request: Sent;

  constructor(request: Sent) {
    this.#request = request;
  }

  /** The encoded path as requested, before it was mapped to that of a status page (http/app.ts). */
  get path(): string {
    const { originalUrl } = this.#request;
    const mark = originalUrl.indexOf('?');
    return mark === -1 ? originalUrl : originalUrl.slice(0, mark);
  }

  /** The query with its question mark; empty without a query. */
  get search(): string {
    const { originalUrl } = this.#request;
    const mark = originalUrl.indexOf('?');
    return mark === -1 ? '' : originalUrl.slice(mark);
  }

  /** Whether the request came to the host of a status page, so that its path is relative to the page. */
  get onPageHost(): boolean {
    return this.hostedPage !== null;
  }

  /** The page of the host at which the request arrived; null: a host of the service. */
  get hostedPage(): HostedPage | null {
    return hostedPageOf(this.#request);
  }

  /** Whether the request came over https, as far as that is known (TRUST_PROXY). */
  get secure(): boolean {
    return this.#request.secure;
  }

  /** A header by its name in lower case. */
  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** A cookie by its name; null: the client sent none, or an invalid one. */
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
