import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { CONSOLE_PATH } from '../../../urls.ts';

/** Counter for the names of frames, which forms target. */
let frames = 0;

/** Returns a frame for HTML rendered by the service: no scripts, no forms, and an opaque origin. */
const newFrame = (title: string): HTMLIFrameElement => {
  const frame = document.createElement('iframe');
  frame.name = `rendered-${(frames += 1)}`;
  frame.title = title;
  frame.setAttribute('sandbox', '');
  return frame;
};

/**
 * Posts HTML to be shown in a frame. The response has its own policy (site/console/rendered-routes.ts), while a
 * document without a URL would inherit the console's policy, which forbids inline styles.
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

/** HTML rendered by the service, in a sandbox. A new version replaces it once it is loaded. */
export const Rendered = ({ html, title }: { html: string; title: string }): JSX.Element => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    // A new frame has no history, so that "back" does not go through previews.
    const frame = newFrame(title);
    const before = [...current.children];
    current.append(frame);
    // Ignores the empty document that a frame starts with.
    frame.addEventListener('load', () => {
      for (const one of before) one.remove();
      frame.classList.add('loaded');
    });
    send(html, frame);
  }, [html, title]);
  return <div ref={box} class="page-frames" />;
};
