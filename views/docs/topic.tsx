import type { JSX } from 'preact';
import { FieldDetails, NestedFields } from './fields.tsx';
import { DocsDocument } from './frame.tsx';
import type { DocsFrame, DocsTopic } from './model.ts';
import { Operation } from './operation.tsx';

/** The page of a topic. It shows the operations, and then the objects in their requests and responses. */
export const TopicPage = ({ frame, topic }: { frame: DocsFrame; topic: DocsTopic }): JSX.Element => {
  const { name, title, operations, objects } = topic;
  return (
    <DocsDocument
      frame={frame}
      title={title}
      description={`${title}: ${operations
        .map((operation) => operation.title)
        .slice(0, 5)
        .join('; ')}.`}
      current={name}
      sections={[...operations, ...(objects.length > 0 ? [{ anchor: 'objects', title: 'Objects' }] : [])]}
    >
      <h1>{title}</h1>
      {operations.map((operation) => (
        <Operation operation={operation} root={frame.root} />
      ))}
      {objects.length > 0 && (
        <section class="objects" id="objects" aria-labelledby="objects-title">
          <h2 id="objects-title">Objects</h2>
          {objects.map(({ name: object, anchor, value }) => (
            <section class="object" id={anchor} aria-labelledby={`${anchor}-title`}>
              <h3 id={`${anchor}-title`}>
                <a class="anchor" href={`#${anchor}`}>
                  {object}
                </a>
              </h3>
              <FieldDetails value={value} />
              <NestedFields value={value} depth={0} />
            </section>
          ))}
        </section>
      )}
    </DocsDocument>
  );
};
