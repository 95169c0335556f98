import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { words } from '../../shell/language.ts';
import { Icon } from '../icon.tsx';

export interface DrawerProps {
  title: string;
  /** called when the user closes the drawer: with its button, Escape, or a click outside */
  onClose: () => void;
  children: ComponentChildren;
}

/**
 * A drawer at the side of the screen. On a phone it covers the screen. Closing it returns the focus to the previous
 * element.
 */
export const Drawer = ({ title, onClose, children }: DrawerProps): JSX.Element => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="drawer"
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="drawer-body">
        <header>
          <h2 id={id}>
            <bdi>{title}</bdi>
          </h2>
          <button class="icon-button" aria-label={words.value.close} onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
};
