import { useBindings } from '../../keys/bindings.ts';
import { selectionBindings, type ListKeys } from '../../keys/list-bindings.ts';

/** Single-key actions of the alert list. */
export interface Keys extends ListKeys {
  acknowledge: () => void;
}

/** Registers the shortcuts of the alert list while the list is shown. */
export const useKeys = (keys: Keys): void => {
  useBindings([
    ...selectionBindings(keys),
    ...(keys.writes ? [{ key: 'a', does: 'acknowledge' as const, act: keys.acknowledge }] : []),
  ]);
};
