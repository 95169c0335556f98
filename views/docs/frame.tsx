import type { ComponentChildren, JSX } from 'preact';
import { Document } from '../document.tsx';
import { ServiceIcon } from '../service-icon.tsx';
import type { DocsFolder, DocsFrame } from './model.ts';

/** A navigation link within the current page. */
export interface SectionLink {
  anchor: string;
  title: string;
  methods?: readonly string[];
}

/** A page of the documentation, with search, navigation, content and footer. */
export const DocsDocument = ({
  frame,
  title,
  description,
  current,
  sections,
  part = 'api',
  query = '',
  indexed = true,
  children,
}: {
  frame: DocsFrame;
  title: string;
  description: string;
  /** name of the current topic or document; empty on the overview of the API; null on all other pages */
  current: string | null;
  sections: readonly SectionLink[];
  /** part of the documentation to which the page belongs. Only pages of the API list the topics in the navigation */
  part?: 'api' | 'documents';
  /** the search text */
  query?: string;
  indexed?: boolean;
  children: ComponentChildren;
}): JSX.Element => {
  const { root, stylesheets, scripts } = frame;
  return (
    <Document
      language="en"
      title={`${title} · Uptrail${part === 'api' ? ' API' : ''}`}
      stylesheets={stylesheets.map((address) => root + address)}
      scripts={scripts.map((address) => root + address)}
      indexed={indexed}
      head={
        <>
          <meta name="description" content={description} />
          <ServiceIcon />
        </>
      }
    >
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href={root}>
          Uptrail
        </a>
        <a class="brand-docs" href={`${root}docs`}>
          API reference
        </a>
        {frame.hasIndex && (
          <a class="brand-docs" href={`${root}docs/index`}>
            Documents
          </a>
        )}
        <a class="to-topics" href="#topics">
          Topics
        </a>
        <form class="search" action={`${root}docs/search`} role="search">
          <label class="visually-hidden" for="q">
            Search the documentation
          </label>
          <input
            id="q"
            name="q"
            type="search"
            value={query}
            maxLength={100}
            placeholder="Search"
            autocomplete="off"
            enterkeyhint="search"
          />
          <button>Search</button>
        </form>
      </header>
      <div class="page">
        <main id="content">{children}</main>
        <nav class="topics" id="topics" aria-label="Documentation">
          <Folders folders={frame.folders} root={root} current={current} sections={sections} />
          {part === 'api' && <Topics root={root} topics={frame.topics} current={current} sections={sections} />}
        </nav>
      </div>
      <footer class="end">
        <p>
          {part === 'api' ? (
            <>
              Generated from the <a href={`${root}openapi.json`}>OpenAPI document</a> of this service.
            </>
          ) : (
            <>The documents of this release, as in its package.</>
          )}
        </p>
      </footer>
    </Document>
  );
};

/** The navigation of folders. The current folder lists its documents, and the current document lists its sections. */
const Folders = ({
  folders,
  root,
  current,
  sections,
}: {
  folders: readonly DocsFolder[];
  root: string;
  current: string | null;
  sections: readonly SectionLink[];
}): JSX.Element | null =>
  folders.length === 0 ? null : (
    <ul class="folders">
      {folders.map(({ name, title, documents, folders: within }) => (
        <li>
          <a href={`${root}docs/${name}`} aria-current={name === current ? 'page' : undefined}>
            {title}
          </a>
          {(current === name || current?.startsWith(`${name}/`) === true) && (
            <>
              <ul>
                {documents.map((document) => (
                  <li>
                    <a
                      href={`${root}docs/${document.name}`}
                      aria-current={document.name === current ? 'page' : undefined}
                    >
                      {document.title}
                    </a>
                    {document.name === current && sections.length > 0 && <Sections sections={sections} />}
                  </li>
                ))}
              </ul>
              <Folders folders={within} root={root} current={current} sections={sections} />
            </>
          )}
        </li>
      ))}
    </ul>
  );

const Sections = ({ sections }: { sections: readonly SectionLink[] }): JSX.Element => (
  <ul>
    {sections.map((section) => (
      <li>
        <a href={`#${section.anchor}`}>{section.title}</a>
      </li>
    ))}
  </ul>
);

const Topics = ({
  root,
  topics,
  current,
  sections,
}: Pick<DocsFrame, 'root' | 'topics'> & {
  current: string | null;
  sections: readonly SectionLink[];
}): JSX.Element => (
  <ul>
    {[{ name: '', title: 'Overview' }, ...topics].map(({ name, title }) => (
      <li>
        <a href={`${root}docs${name === '' ? '' : `/${name}`}`} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
        {name === current && sections.length > 0 && <Sections sections={sections} />}
      </li>
    ))}
  </ul>
);
