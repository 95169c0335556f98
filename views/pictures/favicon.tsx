import type { JSX } from 'preact';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import { STATE_COLOURS } from '../../messages/state-colours.ts';
import { Mark } from './mark.tsx';

/** The favicon of a page, which is the mark of the page's state. */
export const Favicon = ({ state }: { state: ComponentStatus }): JSX.Element => (
  <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="64" height="64">
    <Mark state={state} fill={STATE_COLOURS[state].fill} sign="#ffffff" />
  </svg>
);
