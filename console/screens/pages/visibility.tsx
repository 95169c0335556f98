import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { words } from '../../shell/language.ts';

type Page = Schemas['Page'];

/** Shows who is allowed to see a page according to the page's fields. Passwords may restrict access further. */
export const Visibility = ({ page }: { page: Page }): JSX.Element => {
  const { visibility } = words.value.pages;
  const conditions = [
    page.viewers_must_be_team_members && visibility.team,
    page.ip_restrictions !== null && visibility.addresses,
  ].filter((one) => one !== false);
  const parts = [
    ...(conditions.length > 0 ? conditions : [visibility.public]),
    ...(page.hidden_from_search ? [visibility.hidden] : []),
  ];
  return <>{parts.join(', ')}</>;
};
