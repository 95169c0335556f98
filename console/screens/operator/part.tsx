import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

/** A part of the screen, with its title. */
export const Part = ({ title, children }: { title: string; children: ComponentChildren }): JSX.Element => {
  const id = useId();
  return (
    <section class="card-section whole" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
};
