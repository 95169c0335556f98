import type { JSX } from 'preact';
import { DocsDocument } from './frame.tsx';
import type { DocsFrame } from './model.ts';

/** There is no such page of the documentation. */
export const MissingPage = ({ frame }: { frame: DocsFrame }): JSX.Element => (
  <DocsDocument
    frame={frame}
    title="Page not found"
    description="There is no such page"
    current={null}
    sections={[]}
    indexed={false}
  >
    <h1>Page not found</h1>
    <p>
      The documentation has no such page. See the <a href={`${frame.root}docs`}>overview</a>, or search.
    </p>
  </DocsDocument>
);
