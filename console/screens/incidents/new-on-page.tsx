import type { JSX } from 'preact';
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../parts/link.tsx';
import { Menu } from '../../parts/overlays/menu.tsx';

export interface NewOnPageProps {
  pages: readonly { id: string; name: string }[];
  label: string;
  /** query of the new incident's URL: `kind=maintenance` */
  query?: string;
}

/**
 * A button that opens the screen for a new incident or maintenance. If there are several status pages, the user chooses
 * one from a menu.
 */
export const NewOnPage = ({ pages, label, query }: NewOnPageProps): JSX.Element | null => {
  const to = (id: string): string => `/pages/${id}/incidents/new${query === undefined ? '' : `?${query}`}`;
  const [first] = pages;
  if (!first) return null;
  if (pages.length === 1) {
    return (
      <Link to={to(first.id)} class="button primary">
        <Icon name="add" />
        {label}
      </Link>
    );
  }
  return (
    <Menu label={label}>
      {pages.map(({ id, name }) => (
        <Link key={id} to={to(id)}>
          <bdi>{name}</bdi>
        </Link>
      ))}
    </Menu>
  );
};
