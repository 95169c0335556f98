import type { ComponentChildren, JSX } from 'preact';

export interface PanelProps {
  title: string;
  text?: string;
  children?: ComponentChildren;
  /** whether screen readers announce the panel, because it appears without user action */
  alert?: boolean;
}

/** A message that replaces the content of a screen if the content is empty, failed to load, or does not exist. */
export const Panel = ({ title, text, children, alert = false }: PanelProps): JSX.Element => (
  <section class="panel" role={alert ? 'alert' : undefined}>
    <h1>{title}</h1>
    {text !== undefined && <p>{text}</p>}
    {children}
  </section>
);
