import type { ComponentChildren, JSX } from 'preact';
import type { Loaded } from '../session/loaded.ts';
import { FailureLine } from './failure-line.tsx';
import { FailurePanel } from './failure-panel.tsx';
import { Loading } from './loading.tsx';

export interface LoadedViewProps<T> {
  of: { loaded: Loaded<T>; again: () => void };
  /** renders the loaded value */
  children: (value: T) => ComponentChildren;
}

/**
 * Renders a loaded value, or a skeleton while loading. If loading fails, renders an error, next to the previous value
 * if there is one.
 */
export const LoadedView = <T,>({ of: { loaded, again }, children }: LoadedViewProps<T>): JSX.Element => {
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'loaded') return <>{children(loaded.value)}</>;
  if (loaded.value === null) return <FailurePanel failure={loaded.failure} again={again} />;
  return (
    <>
      <FailureLine failure={loaded.failure} again={again} />
      {children(loaded.value)}
    </>
  );
};
