import type { ComponentChildren, JSX } from 'preact';

/** What a part of a screen says in place of its content: that it is empty, and what to do next. */
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
