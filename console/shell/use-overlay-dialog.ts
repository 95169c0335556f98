import type { MouseEventHandler, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { overlay, type Overlay } from './overlay.ts';

/** The modal dialog of an overlay. */
export interface OverlayDialog {
  close: () => void;
  /** attributes of the `dialog` element */
  attributes: {
    ref: RefObject<HTMLDialogElement | null>;
    onCancel: () => void;
    onClose: () => void;
    onClick: MouseEventHandler<HTMLDialogElement>;
  };
}

/**
 * Shows an overlay as a modal dialog, which is closed by Escape or a click outside. Closing it returns the focus to the
 * previous element.
 *
 * `overlay` is cleared before the event `close`, because browsers send this event only with the next frame. Until then,
 * the overlay would count as open, and the user's next shortcut would have no effect.
 */
export const useOverlayDialog = (kind: Overlay): OverlayDialog => {
  const dialog = useRef<HTMLDialogElement>(null);
  const end = (): void => {
    if (overlay.peek() === kind) overlay.value = null;
  };
  const close = (): void => {
    dialog.current?.close();
    end();
  };
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Closing the dialog returns the focus to the previous element, even if the overlay is removed without being
    // closed.
    return () => shown?.close();
  }, []);
  return {
    close,
    attributes: {
      ref: dialog,
      onCancel: end,
      onClose: () => {
        // The event of a removed dialog may arrive when the same overlay is already open again.
        if (dialog.current) end();
      },
      onClick: ({ target }) => {
        if (target === dialog.current) close();
      },
    },
  };
};
