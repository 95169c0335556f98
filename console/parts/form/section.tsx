import type { ComponentChildren, JSX } from 'preact';

export interface SectionProps {
  legend: string;
  text?: string;
  /** whether the section is initially collapsed */
  folded?: boolean;
  children: ComponentChildren;
}

/** A section of related form fields. */
export const Section = ({ legend, text, folded = false, children }: SectionProps): JSX.Element =>
  folded ? (
    <details class="section">
      <summary>{legend}</summary>
      {text !== undefined && <p class="hint">{text}</p>}
      <div class="fields">{children}</div>
    </details>
  ) : (
    <fieldset class="section">
      <legend>{legend}</legend>
      {text !== undefined && <p class="hint">{text}</p>}
      <div class="fields">{children}</div>
    </fieldset>
  );
