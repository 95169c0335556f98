import { useSignal } from '@preact/signals';
import type { FunctionComponent, JSX } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { startKeys } from '../keys/key-listener.ts';
import { Toast } from '../parts/overlays/toast.tsx';
import { words } from './language.ts';
import { overlay, type OverlayProps } from './overlay.ts';

type Loaded = FunctionComponent<OverlayProps>;

const LOADS = {
  palette: () => import('../palette/palette.tsx'),
  help: () => import('../keys/help.tsx'),
};

const FAILED_MS = 5_000;

/**
 * Renders the palette or the help for shortcuts, whose code is loaded when they are first opened. Also handles the
 * shortcuts that open them.
 */
export const Overlays = (): JSX.Element | null => {
  const loaded = useSignal<Partial<Record<keyof typeof LOADS, Loaded>>>({});
  const hasFailed = useSignal(false);
  // Shortcuts work as soon as the shell is visible.
  useLayoutEffect(() => {
    overlay.value = null;
    return startKeys();
  }, []);
  const kind = overlay.value;
  const name = kind === 'help' ? 'help' : 'palette';
  useEffect(() => {
    if (kind === null || loaded.value[name]) return;
    hasFailed.value = false;
    LOADS[name]().then(
      (module) => {
        loaded.value = { ...loaded.value, [name]: module.default };
      },
      () => {
        hasFailed.value = true;
        overlay.value = null;
      },
    );
  }, [kind]);
  if (hasFailed.value) {
    return (
      <Toast
        ms={FAILED_MS}
        onClose={() => {
          hasFailed.value = false;
        }}
      >
        {words.value.failure.unreachable}
      </Toast>
    );
  }
  const Shown = kind === null ? undefined : loaded.value[name];
  return kind !== null && Shown ? <Shown key={name} kind={kind} /> : null;
};
