import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { SERVICE } from '../place.ts';

export interface RenderedHtmlProps {
  /** a document that the service has rendered, such as an e-mail */
  html: string;
  /** what it is, for screen readers */
  label: string;
  /** the root of the status page that its stylesheets belong to: `status/acme/` */
  root?: string;
}

/** What a preview does without: what would load, run or lead somewhere. */
const LEFT_OUT = 'script, link:not([rel="stylesheet"]), meta, base, iframe, object, embed, form button, picture source';

const REMOTE_IMAGE = 'img:not([src^="data:"])';

/**
 * Puts a document into the frame of previews, whose own policy runs no script and loads nothing from elsewhere
 * (site/console/frame.ts). It is parsed and cleared before any of it is shown.
 */
const put = (frame: HTMLIFrameElement, html: string, root: string | undefined): void => {
  const inner = frame.contentDocument;
  const Parser = (frame.contentWindow as (Window & { DOMParser: typeof DOMParser }) | null)?.DOMParser;
  if (!inner || !Parser) return;
  const parsed = new Parser().parseFromString(html, 'text/html');
  for (const element of parsed.querySelectorAll(LEFT_OUT)) element.remove();
  for (const image of parsed.querySelectorAll<HTMLImageElement>(REMOTE_IMAGE)) image.replaceWith(image.alt);
  for (const link of parsed.querySelectorAll<HTMLLinkElement>('link')) {
    // The address may be one that the operator's browser does not reach; the service has the stylesheet, too.
    const [, path] = /\/((?:assets\/|theme\.css)[^/]*)$/.exec(link.getAttribute('href') ?? '') ?? [];
    if (root === undefined || path === undefined) link.remove();
    else link.href = new URL(`${root}${path}`, SERVICE).href;
  }
  // Nothing in it can be used.
  parsed.body.inert = true;
  inner.replaceChild(inner.adoptNode(parsed.documentElement), inner.documentElement);
};

/** Shows a document as its readers will see it, in a sandboxed frame: it is text and styles, nothing of it runs. */
export const RenderedHtml = ({ html, label, root }: RenderedHtmlProps): JSX.Element => {
  const frame = useRef<HTMLIFrameElement>(null);
  const loaded = useRef(false);
  useEffect(() => {
    if (loaded.current && frame.current) put(frame.current, html, root);
  }, [html, root]);
  return (
    <iframe
      ref={frame}
      class="rendered"
      title={label}
      src={new URL('console/frame', SERVICE).href}
      sandbox="allow-same-origin"
      referrerpolicy="no-referrer"
      onLoad={({ currentTarget }) => {
        loaded.current = true;
        put(currentTarget, html, root);
      }}
    />
  );
};
