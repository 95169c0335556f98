import type { ComponentChildren, JSX } from 'preact';
import { hrefOf } from '../router/router.ts';

export interface LinkProps {
  /** a path below the console's root: `/checks` */
  to: string;
  class?: string;
  /** whether the link leads to the current screen */
  current?: boolean;
  children: ComponentChildren;
}

/** A link to a screen of the console. */
export const Link = ({ to, class: name, current = false, children }: LinkProps): JSX.Element => (
  <a href={hrefOf(to)} class={name} aria-current={current ? 'page' : undefined}>
    {children}
  </a>
);
