import { useBindings, type Binding } from '../../keys/bindings.ts';
import { selectionBindings, type ListKeys } from '../../keys/list-bindings.ts';

/** Single-key actions of the check list. */
export interface Keys extends ListKeys {
  pause: () => void;
  run: () => void;
  edit: () => void;
  create: () => void;
}

const changes = (keys: Keys): readonly Binding[] => [
  { key: 'n', does: 'create', act: keys.create },
  { key: 'e', does: 'edit', act: keys.edit },
  { key: 'p', does: 'pause', act: keys.pause },
  { key: 'r', does: 'run', act: keys.run },
];

/** Registers the shortcuts of the check list while the list is shown. */
export const useKeys = (keys: Keys): void => {
  useBindings([...selectionBindings(keys), ...(keys.writes ? changes(keys) : [])]);
};
