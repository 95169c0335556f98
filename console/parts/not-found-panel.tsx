import type { JSX } from 'preact';
import { AsItWas } from '../past/as-it-was.tsx';
import { words } from '../shell/language.ts';
import { Link } from './link.tsx';
import { Panel } from './panel.tsx';

/** Shown for a deleted or unknown object, with a link to the list and a button for past states. */
export const NotFoundPanel = ({ to, label }: { to: string; label: string }): JSX.Element => {
  const { gone, goneText } = words.value.common;
  return (
    <Panel title={gone} text={goneText}>
      <Link to={to} class="button">
        {label}
      </Link>
      <AsItWas />
    </Panel>
  );
};
