import type { ComponentChildren, JSX } from 'preact';
import type { Loaded } from '../session/loaded.ts';
import { FailureLine } from './failure-line.tsx';
import { FailurePanel } from './failure-panel.tsx';
import { Loading } from './loading.tsx';

export interface LoadedViewProps<T> {
  of: { loaded: Loaded<T>; again: () => void };
  /** what is shown of it */
  children: (value: T) => ComponentChildren;
}

/** What was loaded; lines in its place while it is loading; why it could not be, beside what was there before. */
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
