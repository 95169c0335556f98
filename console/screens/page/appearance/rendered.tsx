import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { CONSOLE_PATH } from '../../../urls.ts';

/**
 * Number of frames created so far. It makes the names of frames unique, because a form refers to its target frame by
 * name.
 */
let frames = 0;

/**
 * Creates a frame for HTML rendered by the service. The sandbox of the frame allows no scripts and no forms, and gives
 * the HTML an opaque origin.
 */
const newFrame = (title: string): HTMLIFrameElement => {
  const frame = document.createElement('iframe');
  frame.name = `rendered-${(frames += 1)}`;
  frame.title = title;
  frame.setAttribute('sandbox', '');
  return frame;
};

/**
 * Shows HTML in a frame. Posts the HTML to the service, which returns it with a separate Content-Security-Policy
 * (site/console/rendered-routes.ts). A document without a URL would inherit the console's policy, which forbids inline
 * styles.
 */
const send = (html: string, frame: HTMLIFrameElement): void => {
  const form = document.createElement('form');
  form.method = 'post';
  form.enctype = 'text/plain';
  form.action = `${CONSOLE_PATH}/rendered`;
  form.target = frame.name;
  form.hidden = true;
  const field = document.createElement('textarea');
  field.name = 'html';
  field.value = html;
  form.append(field);
  document.body.append(form);
  form.submit();
  form.remove();
};

/**
 * Shows HTML rendered by the service in a sandbox. The previous version stays visible until the new version has been
 * loaded.
 */
export const Rendered = ({ html, title }: { html: string; title: string }): JSX.Element => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    // Each version gets a new frame. Otherwise every version would add a history entry, and "back" would go through all
    // of them.
    const frame = newFrame(title);
    const before = [...current.children];
    current.append(frame);
    // The listener is added after the frame was appended, so that it ignores the load of the initial empty document.
    frame.addEventListener('load', () => {
      for (const one of before) one.remove();
      frame.classList.add('loaded');
    });
    send(html, frame);
  }, [html, title]);
  return <div ref={box} class="page-frames" />;
};
