import type { ComponentChildren, JSX } from 'preact';

/** Replaces the content of a part of a screen that is empty, with the next step. */
export const Empty = ({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children?: ComponentChildren;
}): JSX.Element => (
  <section class="panel">
    <h2>{title}</h2>
    {text !== undefined && <p>{text}</p>}
    {children}
  </section>
);
