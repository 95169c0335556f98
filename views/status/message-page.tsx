import type { JSX } from 'preact';
import { isolated } from '../../messages/characters.ts';
import type { Frame } from './frame.ts';
import { StatusDocument } from './status-document.tsx';

/** A page with a title and a sentence, for example for an error. */
export const MessagePage = ({ frame, title, text }: { frame: Frame; title: string; text: string }): JSX.Element => (
  <StatusDocument frame={frame} title={title}>
    <section class="message">
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a href={frame.root}>{frame.words.backTo(isolated(frame.name))}</a>
      </p>
    </section>
  </StatusDocument>
);
