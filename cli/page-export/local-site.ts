import type { Request } from 'express';
import { isStreamed, type Content } from '../../http/media/content.ts';
import { createPathTree } from '../../http/path-tree.ts';
import { siteEndpoints, type SiteDependencies } from '../../site/endpoints.ts';
import type { PageAddress } from './files.ts';

/** The service's response to a visitor of a status page. */
export interface PageResponse {
  status: number;
  isPage: boolean;
  content: Buffer;
}

/**
 * Requests a path of a status page as a visitor would.
 *
 * @param address the address, below the root, at which the response will be served; relative links in the response are
 * resolved against it
 */
export type FetchPage = (subdomain: string, place: PageAddress, address: string) => Promise<PageResponse>;

/** Returns a function that handles requests with the site's own handlers, in this process and without a network. */
export const openLocalSite = (dependencies: SiteDependencies): FetchPage => {
  const find = createPathTree(siteEndpoints(dependencies).map(({ path, serve }) => ({ path, value: serve })));
  return async (subdomain, { path, search }, address) => {
    const root = `/status/${subdomain}`;
    const url = path === '' ? root : `${root}/${path}`;
    const found = find(url);
    if (!found) return { status: 404, isPage: false, content: Buffer.alloc(0) };
    const request = {
      method: 'GET',
      path: url,
      url: url + search,
      originalUrl: `${root}/${address}${search}`,
      params: found.params,
      headers: { accept: '*/*' },
      secure: true,
      res: { closed: false, on: () => undefined },
    };
    const { answered } = await found.value(request as unknown as Request, 'export');
    const { status, body, headers, type } = answered;
    const contentType = headers['Content-Type'] ?? type?.contentType ?? '';
    return {
      status,
      isPage: contentType.startsWith('text/html'),
      content: body === null ? Buffer.alloc(0) : await wholeOf(body),
    };
  };
};

const wholeOf = async (content: Content): Promise<Buffer> => {
  if (!isStreamed(content)) return Buffer.from(content as string);
  const pieces: Buffer[] = [];
  for await (const piece of content(new AbortController().signal)) pieces.push(Buffer.from(piece as string));
  return Buffer.concat(pieces);
};
