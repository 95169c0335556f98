import type { JSX } from 'preact';
import { SERVICE } from '../place.ts';
import { words } from '../shell/language.ts';
import { Panel } from './panel.tsx';

/** Shown where there is no check yet, with how to create one. */
export const NoChecks = (): JSX.Element => {
  const { noChecks, noChecksText, howToCreate } = words.value.overview;
  return (
    <Panel title={noChecks} text={noChecksText}>
      <a class="button" href={new URL('docs/checks', SERVICE).href}>
        {howToCreate}
      </a>
    </Panel>
  );
};
