import type { JSX } from 'preact';
import { SERVICE_URL } from '../urls.ts';
import { may } from '../session/permissions.ts';
import { words } from '../shell/language.ts';
import { LazyComponent } from './lazy-component.tsx';
import { Panel } from './panel.tsx';

const loadStart = () => import('../screens/check-start/start.tsx');

/** Shown if there are no checks yet, with a form for the first one. */
export const NoChecks = (): JSX.Element => {
  const { noChecks, noChecksText, howToCreate } = words.value.overview;
  return (
    <Panel title={noChecks} text={noChecksText}>
      {may('POST /v1/checks') ? (
        <LazyComponent load={loadStart} />
      ) : (
        <a class="button" href={new URL('docs/checks', SERVICE_URL).href}>
          {howToCreate}
        </a>
      )}
    </Panel>
  );
};
