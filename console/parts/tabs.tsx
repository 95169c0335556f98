import type { JSX } from 'preact';
import { currentLocation } from '../router/router.ts';
import { Link } from './link.tsx';

export interface TabsProps {
  /** description of the tabs for screen readers */
  label: string;
  items: readonly { to: string; label: string }[];
}

/** Returns whether a link leads to the current tab: it has the same path, and the same `tab` in the query. */
const isCurrent = (to: string): boolean => {
  const [path = to, query = ''] = to.split('?');
  return (
    path === currentLocation.value.path &&
    new URLSearchParams(query).get('tab') === currentLocation.value.query.get('tab')
  );
};

/** Links to parts of a screen, each with its own URL. */
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
