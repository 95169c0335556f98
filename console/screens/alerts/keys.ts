import { useBindings } from '../../keys/bindings.ts';
import { selectionBindings, type ListKeys } from '../../keys/list-bindings.ts';

/** Single-key actions on this screen. */
export interface Keys extends ListKeys {
  acknowledge: () => void;
}

/** Registers the shortcuts while the screen is shown. */
export const useKeys = (keys: Keys): void => {
  useBindings([
    ...selectionBindings(keys),
    ...(keys.writes ? [{ key: 'a', does: 'acknowledge' as const, act: keys.acknowledge }] : []),
  ]);
};
