import { may } from '../session/permissions.ts';
import { overlay } from '../shell/overlay.ts';
import type { Binding } from './bindings.ts';

/**
 * Returns the single-key shortcuts that work on every screen. If a screen uses the same key, the shortcut of the screen
 * takes precedence.
 */
export const globalBindings = (): readonly Binding[] => [
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
