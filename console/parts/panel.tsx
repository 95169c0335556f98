import type { ComponentChildren, JSX } from 'preact';

export interface PanelProps {
  title: string;
  text?: string;
  children?: ComponentChildren;
  /** whether it appeared without user action, so that screen readers announce it */
  alert?: boolean;
}

/** Replaces the content of a screen: it is empty, failed, or does not exist. */
export const Panel = ({ title, text, children, alert = false }: PanelProps): JSX.Element => (
  <section class="panel" role={alert ? 'alert' : undefined}>
    <h1>{title}</h1>
    {text !== undefined && <p>{text}</p>}
    {children}
  </section>
);
