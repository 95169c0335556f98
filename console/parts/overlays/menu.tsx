import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { placePopover } from './place-popover.ts';
import { Icon, type IconName } from '../icon.tsx';

export interface MenuProps {
  label: string;
  /** icon shown instead of the label; the label then becomes the accessible name */
  icon?: IconName;
  /** buttons and links; a click on any of them closes the menu */
  children: ComponentChildren;
}

/** A menu of actions behind a button. */
export const Menu = ({ label, icon, children }: MenuProps): JSX.Element => {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        class={icon ? 'icon-button' : 'button'}
        popovertarget={id}
        aria-haspopup="true"
        aria-label={icon ? label : undefined}
      >
        {icon ? <Icon name={icon} /> : label}
      </button>
      <div
        ref={menu}
        id={id}
        class="menu actions-menu"
        popover="auto"
        onToggle={(event) => {
          if (event.newState === 'open' && button.current && menu.current) placePopover(menu.current, button.current);
        }}
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest('button, a')) menu.current?.hidePopover();
        }}
      >
        {children}
      </div>
    </>
  );
};
