import type { JSX } from 'preact';
import { place } from '../router/router.ts';
import { Link } from './link.tsx';

export interface TabsProps {
  /** what the tabs are of, for screen readers */
  label: string;
  items: readonly { to: string; label: string }[];
}

/** Links to parts of a screen, each with an address of its own. */
export const Tabs = ({ label, items }: TabsProps): JSX.Element => {
  const { path } = place.value;
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {items.map(({ to, label: name }) => (
          <li key={to}>
            <Link to={to} current={(to.split('?')[0] ?? to) === path}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};
