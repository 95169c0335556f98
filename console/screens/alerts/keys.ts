import { useBindings } from '../../keys/bindings.ts';
import { selectionBindings, type ListKeys } from '../../keys/list-bindings.ts';

/** What single keys do on this screen. */
export interface Keys extends ListKeys {
  acknowledge: () => void;
}

/** Listens to the keys while the screen is shown. */
export const useKeys = (keys: Keys): void => {
  useBindings([
    ...selectionBindings(keys),
    ...(keys.writes ? [{ key: 'a', does: 'acknowledge' as const, act: keys.acknowledge }] : []),
  ]);
};
