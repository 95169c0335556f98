import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { SERVICE_URL } from '../urls.ts';

export interface RenderedHtmlProps {
  /** a document rendered by the service, such as an e-mail */
  html: string;
  /** description for screen readers */
  label: string;
  /** root path of the status page whose stylesheets the document uses: `status/acme/` */
  root?: string;
}

/** Elements removed from previews, because they load, run or navigate. */
const REMOVED_ELEMENTS =
  'script, link:not([rel="stylesheet"]), meta, base, iframe, object, embed, form button, picture source';

const REMOTE_IMAGE = 'img:not([src^="data:"])';

/**
 * Inserts a document into the preview frame, whose own policy blocks scripts and content from other origins
 * (site/console/frame.ts). The document is parsed and cleaned before any of it is shown.
 */
const showDocument = (frame: HTMLIFrameElement, html: string, root: string | undefined): void => {
  const inner = frame.contentDocument;
  const Parser = (frame.contentWindow as (Window & { DOMParser: typeof DOMParser }) | null)?.DOMParser;
  if (!inner || !Parser) return;
  const parsed = new Parser().parseFromString(html, 'text/html');
  for (const element of parsed.querySelectorAll(REMOVED_ELEMENTS)) element.remove();
  for (const image of parsed.querySelectorAll<HTMLImageElement>(REMOTE_IMAGE)) image.replaceWith(image.alt);
  for (const link of parsed.querySelectorAll<HTMLLinkElement>('link')) {
    // The operator's browser might not reach the public URL of the stylesheet, so load the stylesheet from this
    // service.
    const [, path] = /\/((?:assets\/|theme\.css)[^/]*)$/.exec(link.getAttribute('href') ?? '') ?? [];
    if (root === undefined || path === undefined) link.remove();
    else link.href = new URL(`${root}${path}`, SERVICE_URL).href;
  }
  // Makes the whole document non-interactive.
  parsed.body.inert = true;
  inner.replaceChild(inner.adoptNode(parsed.documentElement), inner.documentElement);
};

/** Shows a document as its readers see it, in a sandboxed frame without scripts. */
export const RenderedHtml = ({ html, label, root }: RenderedHtmlProps): JSX.Element => {
  const frame = useRef<HTMLIFrameElement>(null);
  const loaded = useRef(false);
  useEffect(() => {
    if (loaded.current && frame.current) showDocument(frame.current, html, root);
  }, [html, root]);
  return (
    <iframe
      ref={frame}
      class="rendered"
      title={label}
      src={new URL('console/frame', SERVICE_URL).href}
      sandbox="allow-same-origin"
      referrerpolicy="no-referrer"
      onLoad={({ currentTarget }) => {
        loaded.current = true;
        showDocument(currentTarget, html, root);
      }}
    />
  );
};
