import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

/** A section of the screen with a title. */
export const Part = ({ title, children }: { title: string; children: ComponentChildren }): JSX.Element => {
  const id = useId();
  return (
    <section class="card-section whole" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
};
