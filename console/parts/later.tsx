import { useSignal } from '@preact/signals';
import type { FunctionComponent, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

export interface LaterProps {
  /** loads the component; always the same function */
  load: () => Promise<{ default: FunctionComponent }>;
}

/** A component that is loaded when it is first shown; nothing until then, or where it can't be loaded. */
export const Later = ({ load }: LaterProps): JSX.Element | null => {
  const loaded = useSignal<{ component: FunctionComponent } | null>(null);
  useEffect(() => {
    load().then(
      (module) => {
        loaded.value = { component: module.default };
      },
      () => undefined,
    );
  }, [load]);
  if (!loaded.value) return null;
  const { component: Component } = loaded.value;
  return <Component />;
};
