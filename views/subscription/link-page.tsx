import type { JSX } from 'preact';
import { Filled, LinkDocument, type LinkFrame } from './link-document.tsx';

export interface LinkPageProps {
  frame: LinkFrame;
  title: string;
  /** a sentence; where it is about a subscription, of the page and the address, masked */
  text: string | ((page: string, address: string) => string);
  address: string;
  /** asks to press a button; null: nothing is left to do */
  asks: { button: string; note: string } | null;
  /** the page that changes the subscription; null: it is not offered */
  manage: { href: string; label: string } | null;
}

/** Asks for the press of a button, or says how things stand with a subscription. */
export const LinkPage = ({ frame, title, text, address, asks, manage }: LinkPageProps): JSX.Element => (
  <LinkDocument frame={frame} title={title}>
    <section class="card sheet">
      <h1>{title}</h1>
      {typeof text === 'string' ? (
        <p>{text}</p>
      ) : (
        <Filled text={text} page={frame.page?.name ?? ''} address={address} />
      )}
      {asks !== null && (
        // Without an `action` a form is sent to where the page came from, so the token stays in the query alone.
        <>
          <form method="post">
            <button class="button primary">{asks.button}</button>
          </form>
          <p class="help">{asks.note}</p>
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
