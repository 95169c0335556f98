import type { ComponentChildren, JSX } from 'preact';

/** A message that is shown instead of missing content, with a button or link for the next step. */
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
