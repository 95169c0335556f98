import type { JSX } from 'preact';
import { DocsDocument, type SectionLink } from './frame.tsx';
import type { DocsFolder, DocsFrame } from './model.ts';

export interface DocumentPageProps {
  frame: DocsFrame;
  /** name of the document in URLs: `operate/install` */
  name: string;
  title: string;
  /** HTML of the document, including its first-level heading (site/docs/documents/markdown.ts) */
  html: string;
  sections: readonly SectionLink[];
}

/** The page of a document of the package. */
export const DocumentPage = ({ frame, name, title, html, sections }: DocumentPageProps): JSX.Element => (
  <DocsDocument frame={frame} title={title} description={title} current={name} sections={sections} part="documents">
    <article class="document" dangerouslySetInnerHTML={{ __html: html }} />
  </DocsDocument>
);

/** The page of a folder without an index. It lists the folder's documents. */
export const FolderPage = ({ frame, folder }: { frame: DocsFrame; folder: DocsFolder }): JSX.Element => (
  <DocsDocument
    frame={frame}
    title={folder.title}
    description={folder.title}
    current={folder.name}
    sections={[]}
    part="documents"
  >
    <h1>{folder.title}</h1>
    <ul class="topic-list">
      {[...folder.documents, ...folder.folders].map(({ name, title }) => (
        <li>
          <a href={`${frame.root}docs/${name}`}>{title}</a>
        </li>
      ))}
    </ul>
  </DocsDocument>
);
