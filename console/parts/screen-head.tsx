import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { rememberOpened } from '../palette/recently-opened.ts';
import { currentLocation } from '../router/router.ts';
import { AsItWas } from '../past/as-it-was.tsx';
import { historyAt } from '../router/histories.ts';
import { Link } from './link.tsx';
import { ManagedBadge } from './managed.tsx';

export interface ScreenHeadProps {
  title: string;
  /** whether the title is user content, which may be right-to-left */
  isName?: boolean;
  /** link to the parent screen, shown above the title */
  back?: { to: string; label: string };
  /** the object that the screen shows, for its badge */
  of?: { managed_by: string | null } | null;
  /** buttons at the end of the line */
  children?: ComponentChildren;
}

/**
 * The head of a screen; its title is also the document title. Screens of named objects are recorded as recently opened
 * for the palette.
 */
export const ScreenHead = ({ title, isName = false, back, of = null, children }: ScreenHeadProps): JSX.Element => {
  useEffect(() => {
    document.title = `${title} · Uptrail`;
    if (isName && !currentLocation.peek().query.has('at'))
      rememberOpened({ to: currentLocation.peek().path, name: title });
  }, [title]);
  return (
    <header class="screen-head">
      {back && (
        <p class="back">
          <Link to={back.to}>{back.label}</Link>
        </p>
      )}
      <div class="title">
        <h1>{isName ? <bdi>{title}</bdi> : title}</h1>
        <ManagedBadge of={of} />
      </div>
      {(children !== undefined || historyAt(currentLocation.value.path)) && (
        <div class="actions">
          {children}
          <AsItWas />
        </div>
      )}
    </header>
  );
};
