import type { JSX } from 'preact';
import { DocsDocument } from './frame.tsx';
import type { DocsFrame } from './model.ts';

/** The 404 page of the documentation. */
export const MissingPage = ({ frame }: { frame: DocsFrame }): JSX.Element => (
  <DocsDocument
    frame={frame}
    title="Page not found"
    description="The documentation has no such page."
    current={null}
    sections={[]}
    indexed={false}
  >
    <h1>Page not found</h1>
    <p>
      There is no such page in the documentation. See the <a href={`${frame.root}docs`}>overview</a>, or use the search.
    </p>
  </DocsDocument>
);
