import type { JSX } from 'preact';
import { Link } from '../parts/link.tsx';
import { Moment } from '../parts/times/since.tsx';
import { words } from '../shell/language.ts';

export interface PastLinkProps {
  /** path of a screen with past states */
  path: string;
  /** an API time */
  instant: string;
}

/** A time that links to the state of a screen at that time. */
export const PastLink = ({ path, instant }: PastLinkProps): JSX.Element => (
  <Link to={`${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ at: instant }).toString()}`}>
    <Moment instant={instant} />
    <span class="hidden"> {words.value.past.asItWas}</span>
  </Link>
);
