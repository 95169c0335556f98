import type { ComponentChildren, JSX } from 'preact';
import { directionOf, Document } from '../document.tsx';
import { AsOfBar } from './as-of-bar.tsx';
import { Footer } from './footer.tsx';
import { addressIn, type Frame } from './frame.ts';
import { StateShapes } from './state.tsx';

interface StatusDocumentProps {
  frame: Frame;
  /** absent: this is the root of the status page */
  title?: string;
  /** further elements of the head of this page only */
  head?: ComponentChildren;
  /**
   * whether the page has a form for a password or an address. Such a page does not use the custom CSS that editors have
   * written, because the custom CSS could disguise the form
   */
  isForm?: boolean;
  children: ComponentChildren;
}

/** A page of a status page, with header, content and footer. */
export const StatusDocument = ({ frame, title, head, isForm = false, children }: StatusDocumentProps): JSX.Element => {
  const { root, name, language, theme, indexed, scripts, template, words, bare = false } = frame;
  const { stylesheets, customStylesheet: custom } = frame;
  return (
    <Document
      language={language}
      direction={directionOf(frame.pageLanguage)}
      title={title === undefined ? name : `${title} · ${name}`}
      theme={theme === 'auto' ? undefined : theme}
      stylesheets={[...stylesheets, ...(custom === null || isForm ? [] : [custom])].map((address) => root + address)}
      scripts={scripts.map((address) => root + address)}
      indexed={indexed}
      head={
        <>
          {frame.head}
          {head}
        </>
      }
    >
      <div class={`status-page template-${template}`} data-zone={frame.zone} data-page-zone={frame.pageZone}>
        <a class="skip" href="#content">
          {words.skipToContent}
        </a>
        <StateShapes />
        <Header frame={frame} />
        <main
          id="content"
          data-events={frame.version === null ? undefined : `${root}events`}
          data-version={frame.version ?? undefined}
        >
          {frame.past?.shown && <AsOfBar frame={frame} past={frame.past} shown={frame.past.shown} />}
          {children}
        </main>
        {!bare && <Footer frame={frame} />}
        <p
          class="announcement"
          role="status"
          aria-live="polite"
          data-announce={`${words.connection.changed} {summary}`}
        ></p>
      </div>
    </Document>
  );
};

const Header = ({ frame }: { frame: Frame }): JSX.Element => {
  const { root, name, words, logo, cover, subscribable, bare = false } = frame;
  return (
    <>
      {cover !== null && <img class="cover" src={cover} alt="" referrerpolicy="no-referrer" />}
      <header class="site-header">
        <a class="brand" href={addressIn(frame, '')}>
          {logo === null ? <bdi>{name}</bdi> : <img src={logo} alt={name} referrerpolicy="no-referrer" />}
        </a>
        {!bare && (
          <nav>
            <a href={addressIn(frame, 'history')}>{words.history}</a>
            {subscribable && (
              <a class="button primary" href={`${root}subscribe`}>
                {words.subscribe}
              </a>
            )}
          </nav>
        )}
      </header>
    </>
  );
};
