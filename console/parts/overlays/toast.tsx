import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { words } from '../../shell/language.ts';
import { Icon } from '../icon.tsx';

export interface ToastProps {
  children: ComponentChildren;
  /** duration in milliseconds */
  ms: number;
  onClose: () => void;
}

/**
 * Reports a completed action at the bottom of the window for a limited time. Callers must give each action a toast with
 * its own `key`.
 */
export const Toast = ({ children, ms, onClose }: ToastProps): JSX.Element => {
  useEffect(() => {
    const timer = setTimeout(onClose, ms);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return (
    <div class="toast" role="status">
      {children}
      <button class="icon-button" aria-label={words.value.close} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
};
