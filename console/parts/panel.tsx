import type { ComponentChildren, JSX } from 'preact';

export interface PanelProps {
  title: string;
  text?: string;
  children?: ComponentChildren;
  /** whether it came up by itself, so that screen readers say it */
  alert?: boolean;
}

/** What a screen says in place of its content: that it is empty, that it failed, that there is none. */
export const Panel = ({ title, text, children, alert = false }: PanelProps): JSX.Element => (
  <section class="panel" role={alert ? 'alert' : undefined}>
    <h1>{title}</h1>
    {text !== undefined && <p>{text}</p>}
    {children}
  </section>
);
