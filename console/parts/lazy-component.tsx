import { useSignal } from '@preact/signals';
import type { ComponentChildren, FunctionComponent, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

export interface LazyComponentProps {
  /** loads the component; must always be the same function */
  load: () => Promise<{ default: FunctionComponent }>;
  /** shown if loading fails; default: nothing. `again` repeats the loading */
  failed?: (again: () => void) => ComponentChildren;
}

/** A lazily loaded component. Renders nothing until it is loaded. */
export const LazyComponent = ({ load, failed }: LazyComponentProps): JSX.Element | null => {
  const loaded = useSignal<{ component: FunctionComponent } | null>(null);
  const hasFailed = useSignal(false);
  const round = useSignal(0);
  useEffect(() => {
    hasFailed.value = false;
    load().then(
      (module) => {
        loaded.value = { component: module.default };
      },
      () => {
        hasFailed.value = true;
      },
    );
  }, [load, round.value]);
  const again = (): void => {
    round.value += 1;
  };
  if (!loaded.value) return hasFailed.value ? <>{failed?.(again)}</> : null;
  const { component: Component } = loaded.value;
  return <Component />;
};
