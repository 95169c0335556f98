import { may } from '../session/may.ts';
import { overlay } from '../shell/overlay.ts';
import type { Binding } from './bindings.ts';

/** The single keys that do the same on every screen, where the screen does not declare them for something else. */
export const everywhere = (): readonly Binding[] => [
  ...(may('POST /v1/pages/{page_id}/incidents')
    ? [
        {
          key: 'i',
          does: 'newIncident' as const,
          act: () => {
            overlay.value = 'new incident';
          },
        },
      ]
    : []),
  {
    key: '?',
    does: 'help',
    act: () => {
      overlay.value = 'help';
    },
  },
];
