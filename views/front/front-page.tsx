import type { JSX } from 'preact';
import type { PageWords } from '../../messages/page-words/index.ts';
import { Document } from '../document.tsx';
import { ServiceIcon } from '../service-icon.tsx';

/** The data of the service's front page. Addresses are relative to the front page. */
export interface FrontPageProps {
  /** BCP 47 */
  language: string;
  words: PageWords;
  /**
   * public status pages, sorted by name; `late`: the status pages can't be read at the moment; null: the front page
   * does not list status pages
   */
  pages: { listed: readonly { name: string; address: string }[]; more: boolean } | 'late' | null;
  stylesheets: readonly string[];
}

/** The page at the root of the service. It says what the service is and that it is running, and contains links. */
export const FrontPage = ({ language, words, pages, stylesheets }: FrontPageProps): JSX.Element => (
  <Document
    language={language}
    title="Uptrail"
    stylesheets={stylesheets}
    indexed
    head={
      <>
        <meta name="description" content={words.front.intro} />
        <ServiceIcon />
      </>
    }
  >
    <a class="skip" href="#content">
      {words.skipToContent}
    </a>
    <main id="content" class="front">
      <header>
        <h1>Uptrail</h1>
        <p class="intro">{words.front.intro}</p>
        <p class="running">
          <RunningMark />
          {words.front.running}
        </p>
      </header>
      {pages !== null && <Pages pages={pages} words={words.front} />}
      <section aria-labelledby="elsewhere">
        <h2 id="elsewhere">{words.front.elsewhere}</h2>
        <ul class="places">
          <Place address="console" title={words.front.console} text={words.front.consoleText} />
          <Place address="docs" title={words.front.documentation} text={words.front.documentationText} />
          <Place address="openapi.json" title={words.front.openApi} text={words.front.openApiText} />
          <Place address="health/ready" title={words.front.health} text={words.front.healthText} />
        </ul>
      </section>
    </main>
  </Document>
);

const Pages = ({
  pages,
  words,
}: {
  pages: NonNullable<FrontPageProps['pages']>;
  words: PageWords['front'];
}): JSX.Element => (
  <section aria-labelledby="pages">
    <h2 id="pages">{words.pages}</h2>
    {pages === 'late' ? (
      <p class="note">{words.pagesLate}</p>
    ) : pages.listed.length === 0 ? (
      <p class="note">{words.noPages}</p>
    ) : (
      <>
        <ul class="pages">
          {pages.listed.map(({ name, address }) => (
            <li>
              <a href={address}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
        {pages.more && <p class="note">{words.morePages}</p>}
      </>
    )}
  </section>
);

const Place = ({ address, title, text }: { address: string; title: string; text: string }): JSX.Element => (
  <li>
    <a href={address}>{title}</a>
    <p>{text}</p>
  </li>
);

const RunningMark = (): JSX.Element => (
  <svg class="mark" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <circle cx="10" cy="10" r="9" />
    <path d="M5.8 10.4l2.9 2.9 5.5-6" />
  </svg>
);
