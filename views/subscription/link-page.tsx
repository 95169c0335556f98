import type { JSX } from 'preact';
import { FilledSentence, LinkDocument, type LinkPageFrame } from './link-document.tsx';

export interface LinkPageProps {
  frame: LinkPageFrame;
  title: string;
  /**
   * a sentence, or a function that builds the sentence from the name of the page and the masked address of a
   * subscription
   */
  text: string | ((page: string, address: string) => string);
  address: string;
  /** the button that the user must press; null: nothing is left to do */
  confirmation: { button: string; note: string } | null;
  /** link to the page for changing the subscription; null: the page is not offered */
  manage: { href: string; label: string } | null;
}

/** Asks the user to press a button, or shows the state of a subscription. */
export const LinkPage = ({ frame, title, text, address, confirmation, manage }: LinkPageProps): JSX.Element => (
  <LinkDocument frame={frame} title={title}>
    <section class="card sheet">
      <h1>{title}</h1>
      {typeof text === 'string' ? (
        <p>{text}</p>
      ) : (
        <FilledSentence text={text} page={frame.page?.name ?? ''} address={address} />
      )}
      {confirmation !== null && (
        // A form without an `action` is sent to its own address, so the token stays only in the query.
        <>
          <form method="post">
            <button class="button primary">{confirmation.button}</button>
          </form>
          <p class="help">{confirmation.note}</p>
        </>
      )}
      {manage !== null && (
        <p>
          <a href={manage.href}>{manage.label}</a>
        </p>
      )}
    </section>
  </LinkDocument>
);
