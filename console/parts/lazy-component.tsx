import { useSignal } from '@preact/signals';
import type { ComponentChildren, FunctionComponent, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

export interface LazyComponentProps {
  /** loads the component; must always be the same function */
  load: () => Promise<{ default: FunctionComponent }>;
  /** shown if loading fails; default: nothing */
  failed?: ComponentChildren;
}

/** A lazily loaded component. Renders nothing until it is loaded. */
export const LazyComponent = ({ load, failed = null }: LazyComponentProps): JSX.Element | null => {
  const loaded = useSignal<{ component: FunctionComponent } | null>(null);
  const hasFailed = useSignal(false);
  useEffect(() => {
    load().then(
      (module) => {
        loaded.value = { component: module.default };
      },
      () => {
        hasFailed.value = true;
      },
    );
  }, [load]);
  if (!loaded.value) return hasFailed.value ? <>{failed}</> : null;
  const { component: Component } = loaded.value;
  return <Component />;
};
