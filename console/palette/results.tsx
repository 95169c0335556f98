import type { JSX } from 'preact';
import { StateIcon } from '../../views/status/state.tsx';
import { Icon } from '../parts/icon.tsx';
import { Keys } from '../parts/keys.tsx';
import { words } from '../shell/language.ts';
import { shortcuts } from '../shell/shortcuts.ts';
import type { PaletteItem } from './item.ts';
import type { ItemGroup } from './visible-items.ts';

export interface ResultsProps {
  /** id of the listbox */
  id: string;
  groups: readonly ItemGroup[];
  /** id of the item that Enter chooses; null: none */
  active: string | null;
  onPoint: (item: PaletteItem) => void;
  onChoose: (item: PaletteItem, inNewTab: boolean) => void;
}

/** Returns the element id of an item. */
export const optionId = (listId: string, groups: readonly ItemGroup[], active: string | null): string | undefined => {
  const place = groups.flatMap(({ items }) => items).findIndex(({ id }) => id === active);
  return place < 0 ? undefined : `${listId}-${place}`;
};

/** The items of the palette. The focus stays in the search field above them. */
export const Results = ({ id, groups, active, onPoint, onChoose }: ResultsProps): JSX.Element => {
  const { palette: says } = words.value;
  let place = 0;
  return (
    <div
      id={id}
      class="results"
      role="listbox"
      aria-label={says.title}
      onMouseDown={(event) => {
        event.preventDefault();
      }}
    >
      {groups.map(({ name, items }) => (
        <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
          <div id={`${id}-${name}`} class="group" role="presentation">
            {says.groups[name]}
          </div>
          {items.map((item) => (
            <Option
              key={item.id}
              id={`${id}-${place++}`}
              item={item}
              isActive={item.id === active}
              onPoint={onPoint}
              onChoose={onChoose}
            />
          ))}
        </div>
      ))}
    </div>
  );
};

interface OptionProps extends Pick<ResultsProps, 'onPoint' | 'onChoose'> {
  id: string;
  item: PaletteItem;
  isActive: boolean;
}

const Option = ({ id, item, isActive, onPoint, onChoose }: OptionProps): JSX.Element => (
  <div
    id={id}
    class="option"
    role="option"
    aria-selected={isActive}
    onPointerMove={({ pointerType }) => {
      if (pointerType !== 'touch' && !isActive) onPoint(item);
    }}
    onClick={(event) => {
      onChoose(item, event.ctrlKey || event.metaKey);
    }}
    onAuxClick={({ button }) => {
      if (button === 1) onChoose(item, true);
    }}
  >
    {item.state === undefined ? <Icon name={item.icon} /> : <StateIcon state={item.state} />}
    <span class="name">{item.isName ? <bdi>{item.name}</bdi> : item.name}</span>
    {item.note !== undefined && item.note !== '' && <span class="note">{item.note}</span>}
    {item.keys && shortcuts.value !== 'off' && (
      <span aria-hidden="true">
        <Keys keys={item.keys} />
      </span>
    )}
  </div>
);
