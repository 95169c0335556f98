import type { ComponentChildren, JSX } from 'preact';
import { Document } from '../document.tsx';
import { ServiceIcon } from '../service-icon.tsx';
import type { DocsFrame } from './model.ts';

/** A navigation link within the present page. */
export interface SectionLink {
  anchor: string;
  title: string;
  methods?: readonly string[];
}

/** A page of the documentation: search and navigation, content, footer. */
export const DocsDocument = ({
  frame,
  title,
  description,
  current,
  sections,
  query = '',
  indexed = true,
  children,
}: {
  frame: DocsFrame;
  title: string;
  description: string;
  /** name of the topic; empty: the overview; null: none */
  current: string | null;
  sections: readonly SectionLink[];
  /** the search text */
  query?: string;
  indexed?: boolean;
  children: ComponentChildren;
}): JSX.Element => {
  const { root, topics, stylesheets, scripts } = frame;
  return (
    <Document
      language="en"
      title={`${title} · Uptrail API`}
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
          <Topics root={root} topics={topics} current={current} sections={sections} />
        </nav>
      </div>
      <footer class="end">
        <p>
          Generated from the <a href={`${root}openapi.json`}>OpenAPI document</a> of this service.
        </p>
      </footer>
    </Document>
  );
};

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
        {name === current && sections.length > 0 && (
          <ul>
            {sections.map((section) => (
              <li>
                <a href={`#${section.anchor}`}>{section.title}</a>
              </li>
            ))}
          </ul>
        )}
      </li>
    ))}
  </ul>
);
