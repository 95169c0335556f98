import type { JSX } from 'preact';
import { DocsDocument } from './frame.tsx';
import type { DocsFrame, DocsSearchResult } from './model.ts';
import { Methods, Path } from './prose.tsx';

/** The results of a search. */
export const SearchPage = ({
  frame,
  query,
  hits,
}: {
  frame: DocsFrame;
  query: string;
  hits: readonly DocsSearchResult[];
}): JSX.Element => (
  <DocsDocument
    frame={frame}
    title={query === '' ? 'Search' : `${query} · Search`}
    description="Search in the API documentation"
    current={null}
    sections={[]}
    query={query}
    indexed={false}
  >
    <h1>Search</h1>
    <p class="found" role="status">
      {query === ''
        ? 'Enter a word, for example the name of a field or part of a path.'
        : hits.length === 0
          ? 'No results. Try fewer or shorter words.'
          : `${hits.length === 1 ? '1 section contains' : `${hits.length} sections contain`} these words:`}
    </p>
    <ol class="hits">
      {hits.map(({ topic, anchor, title, call }) => (
        <li>
          <a href={`${frame.root}docs${topic.name === '' ? '' : `/${topic.name}`}#${anchor}`}>{title}</a>
          <span class="type">{topic.title}</span>
          {call !== null && (
            <span class="call">
              <Methods methods={call.methods} /> <Path path={call.path} />
            </span>
          )}
        </li>
      ))}
    </ol>
  </DocsDocument>
);
