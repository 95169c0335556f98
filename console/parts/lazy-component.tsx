import { useSignal } from '@preact/signals';
import type { FunctionComponent, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

export interface LazyComponentProps {
  /** loads the component; must always be the same function */
  load: () => Promise<{ default: FunctionComponent }>;
}

/** A lazily loaded component. Renders nothing until it is loaded, or if loading fails. */
export const LazyComponent = ({ load }: LazyComponentProps): JSX.Element | null => {
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
