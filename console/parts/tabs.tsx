import type { JSX } from 'preact';
import { place } from '../router/router.ts';
import { Link } from './link.tsx';

export interface TabsProps {
  /** what the tabs are of, for screen readers */
  label: string;
  items: readonly { to: string; label: string }[];
}

/** Whether an address is the present one: the same path, and the same `tab` of the query. */
const isCurrent = (to: string): boolean => {
  const [path = to, query = ''] = to.split('?');
  return path === place.value.path && new URLSearchParams(query).get('tab') === place.value.query.get('tab');
};

/** Links to parts of a screen, each with an address of its own. */
export const Tabs = ({ label, items }: TabsProps): JSX.Element => (
  <nav class="tabs" aria-label={label}>
    <ul>
      {items.map(({ to, label: name }) => (
        <li key={to}>
          <Link to={to} current={isCurrent(to)}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);
