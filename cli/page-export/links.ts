import { addressOfFile, exportedPath, type PageAddress } from './files.ts';

/** A placeholder for the root of the page, against which links are resolved. */
const ROOT = 'http://page.invalid/';

/** Matches a tag with its attributes. Our components write attribute values in double quotes. */
const TAG = /<[a-z](?:"[^"]*"|[^">])*>/gi;
const LINK = /(\s(?:href|src|action)=")([^"]*)(")/g;

const decoded = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const encoded = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Returns the target of a link as an address below the root. Returns null if the link leads out of the page, or to a
 * fragment of the same document.
 */
const targetOf = (link: string, address: string): (PageAddress & { hash: string }) | null => {
  if (link.startsWith('#') || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(link)) return null;
  if (!URL.canParse(link, ROOT + address)) return null;
  const { href, pathname, search, hash } = new URL(link, ROOT + address);
  return href.startsWith(ROOT) ? { path: pathname.slice(1).replace(/\/$/, ''), search, hash } : null;
};

/** Returns the addresses below the root to which a page links. */
export const linksOf = (html: string, address: string): string[] =>
  [...html.matchAll(TAG)].flatMap(([tag]) =>
    [...tag.matchAll(LINK)].flatMap(([, , link = '']) => {
      const target = targetOf(decoded(link), address);
      return target ? [target.path + target.search] : [];
    }),
  );

/**
 * Rewrites the links of a page, so that they lead to exported files. Links to anything that is not exported, such as
 * forms, lead to the service.
 *
 * @param file the file of the page
 * @param fileOf returns the file of an exported path; null if the path is not exported
 * @param service the absolute address of the page's root at the service, without a trailing slash; null: unknown
 */
export const rewriteLinks = (
  html: string,
  file: string,
  fileOf: (path: string) => string | null,
  service: string | null,
): string => {
  const address = addressOfFile(file);
  const root = '../'.repeat(address.split('/').length - 1) || './';
  const leading = (link: string, isForm: boolean): string => {
    const target = targetOf(link, address);
    if (!target) return link;
    // A static host cannot process a form, not even a search form.
    const found = isForm ? null : fileOf(exportedPath(target));
    if (found !== null) return `${root}${addressOfFile(found)}${target.hash}`;
    return service === null ? root : `${service}/${target.path}${target.search}${target.hash}`;
  };
  return html.replace(TAG, (tag) =>
    tag.replace(
      LINK,
      (_, before: string, link: string, after: string) =>
        before + encoded(leading(decoded(link), before.trimStart().startsWith('action'))) + after,
    ),
  );
};
