import type { Request } from 'express';

/** What a handler may read of a request beyond its declared content. */
export class SentRequest {
  readonly #request: Pick<Request, 'headers' | 'originalUrl' | 'url'>;

  constructor(request: Pick<Request, 'headers' | 'originalUrl' | 'url'>) {
    this.#request = request;
  }

  /** The requested path, still encoded, before it was mapped to the paths of a status page (http/app.ts). */
  get path(): string {
    const { originalUrl } = this.#request;
    const mark = originalUrl.indexOf('?');
    return mark === -1 ? originalUrl : originalUrl.slice(0, mark);
  }

  /** The query with its question mark; empty without one. */
  get search(): string {
    const { originalUrl } = this.#request;
    const mark = originalUrl.indexOf('?');
    return mark === -1 ? '' : originalUrl.slice(mark);
  }

  /** Whether the request came to the host name of a status page, so that its path begins at the page's root. */
  get onPageHost(): boolean {
    return this.#request.url !== this.#request.originalUrl;
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
